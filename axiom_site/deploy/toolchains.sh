#!/bin/sh
# Brings what builds and runs C++, Go, Java, JavaScript and Rust programs: Debian's packages, Go from the lock, and what
# each language prepares once. Python needs nothing. Safe to run again: a stamp remembers what was done.
set -eu
cd "$(dirname "$0")/../.."

python=${PYTHON:-.venv/bin/python}
prepared=${AXIOM_TOOLCHAINS_DIR:-$("$python" -c 'import sys; print(sys.prefix)')/share/axiom-toolchains}
stamp=$prepared/.installed
say() { printf '%s\n' "$*" >&2; }

# What benchmarks expect beside the compilers: testify (Go), crates (Rust), Boost, OpenSSL and Catch2 (C++), JUnit (Java).
packages="g++ libboost-dev libssl-dev catch2 default-jdk-headless ecj junit5 libassertj-core-java nodejs \
golang-github-stretchr-testify-dev librust-rand-dev librust-regex-dev librust-md5-dev"
command -v rustc >/dev/null || packages="$packages rustc cargo rust-clippy"

missing() {
    for package in $packages; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' && continue
        # A compiler from elsewhere is as good as Debian's.
        case $package in
            g++) command -v g++ >/dev/null && continue ;;
            default-jdk-headless) command -v javac >/dev/null && continue ;;
            nodejs) command -v node >/dev/null && continue ;;
        esac
        printf '%s ' "$package"
    done
}

wanted=$({ cat requirements-toolchains.lock "$0" perturbation/languages/*.py perturbation/languages/harness/*; "$python" -V; missing; } | cksum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
    exit 0
fi

began=$(date +%s)
needed=$(missing)
if [ -n "$needed" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "Installing with apt-get: $needed"
        apt-get update -qq >&2 || say "apt-get update failed; trying with the package lists that are here."
        # One by one where the whole fails: a package that this release does not have must not keep the others away.
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $needed >/dev/null ||
            for package in $needed; do
                DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
                    say "$package could not be installed."
            done
    else
        say "Not installed, and only root on Debian or Ubuntu can do it here: apt-get install $needed"
    fi
fi

command -v go >/dev/null || [ -x "$(dirname "$python")/go" ] ||
    "$python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-toolchains.lock ||
    say "Go could not be installed from the lock: Go programs wait."

"$python" -m perturbation.languages.prepare
wanted=$({ cat requirements-toolchains.lock "$0" perturbation/languages/*.py perturbation/languages/harness/*; "$python" -V; missing; } | cksum)
mkdir -p "$prepared"
printf '%s' "$wanted" >"$stamp"
say "Tool chains ready in $(($(date +%s) - began)) s."
