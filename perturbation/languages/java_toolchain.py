"""Where Java and JUnit are, and the harness with a shared archive of the compiler's classes. Runs Java's own commands.

One process compiles in memory and runs the tests; the archive saves it most of the compiler's start.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from perturbation.languages.base import Toolchain
from perturbation.languages.prepare import folder
from perturbation.languages.prepared import key_of, prepare_once

LANGUAGE_ID = "java"
HOW_TO = "apt-get install default-jdk-headless (and junit5 libassertj-core-java for tests by JUnit)"
PREPARE = "run python -m perturbation.languages.prepare"
# The heap's own bound comes before the sandbox's, so that the program is told.
FLAGS = ("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto")
OPEN = ("--add-opens", "java.base/java.io=ALL-UNNAMED")
_OLDEST = 11
_HARNESS = {
    "Cases": "java_cases.java",
    "Harness": "java_harness.java",
    "JUnit": "java_junit.java",
}
_JARS = Path("/usr/share/java")
_JUNIT = (
    *("junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params", "junit-platform-launcher"),
    *("junit-platform-commons", "junit-platform-engine", "opentest4j", "apiguardian-api"),
)
_ASSERTJ = ("assertj-core", "byte-buddy")
_WARM_UP = """
import java.util.*;
class Solution {
    record Pair(int a, String b) {}
    public List<Integer> sorted(List<Integer> numbers) {
        List<Integer> copy = new ArrayList<>(numbers);
        Map<String, Integer> counts = new HashMap<>();
        for (int number : copy) { counts.merge("n" + number, 1, Integer::sum); }
        switch (copy.size()) { case 0: return copy; default: break; }
        try { copy.sort(Comparator.comparing((Integer x) -> x).reversed()); } catch (RuntimeException e) { throw e; }
        return copy.stream().map(x -> x + 1).collect(java.util.stream.Collectors.toList());
    }
}
"""
_WARM_UP_TESTS = """
import java.util.*;
public class Main {
    public static void main(String[] args) {
        List<Boolean> correct = Arrays.asList(
            axiom.Cases.equal(0, new Solution().sorted(Arrays.asList(1, 2)), new ArrayList<>(Arrays.asList(3, 2))));
        if (correct.contains(false)) { throw new AssertionError(); }
    }
}
"""


@dataclass(frozen=True)
class Java:
    """One JDK: its commands and version, such as "17.0.15"."""

    java: str
    javac: str
    version: str


@lru_cache(maxsize=1)
def found() -> Java | None:
    """The JDK on the PATH; None where there is none or it is too old."""
    java, javac = shutil.which("java"), shutil.which("javac")
    if not java or not javac:
        return None
    # Debian's commands are links; what runs in the sandbox is the program itself.
    java, javac = os.path.realpath(java), os.path.realpath(javac)
    try:
        words = subprocess.run((javac, "-version"), capture_output=True, text=True, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(r"javac ((\d+)\S*)", words.stdout + words.stderr)
    return Java(java, javac, version[1]) if version and int(version[2]) >= _OLDEST else None


@lru_cache(maxsize=1)
def toolchain() -> Toolchain:
    java = found()
    return (
        Toolchain(is_there=True, version=f"javac {java.version}") if java else Toolchain(is_there=False, how_to=HOW_TO)
    )


@lru_cache(maxsize=1)
def junit_jars() -> tuple[str, ...]:
    """JUnit 5's jars, and AssertJ's where they are; nothing where JUnit is not whole."""
    return (*_all_of(_JUNIT), *_all_of(_ASSERTJ)) if _all_of(_JUNIT) else ()


@lru_cache(maxsize=1)
def missing_jars() -> tuple[str, ...]:
    """Libraries of tests that are not on this machine."""
    lacking = [("org.junit.jupiter", _JUNIT), ("org.assertj", _ASSERTJ)]
    return tuple(name for name, jars in lacking if not _all_of(jars))


def prepared() -> Path | None:
    """The folder with what `prepare` built for this JDK; None where that has not been done."""
    java = found()
    place = folder(LANGUAGE_ID) / _key(java) if java else None
    return place if place and place.is_dir() else None


def class_path(place: Path) -> str:
    """The harness and the libraries of tests: the same for every run, or the archive would not fit."""
    return ":".join([str(place / "harness.jar"), *junit_jars()])


def archive(place: Path) -> tuple[str, ...]:
    """The flag that names the archive."""
    return (f"-XX:SharedArchiveFile={place}/classes.jsa",)


def readable(java: Java, place: Path) -> tuple[str, ...]:
    """Folders outside /usr that a run needs; Debian keeps the JDK's settings in /etc."""
    home = Path(java.java).parents[1]
    settings = sorted(str(path) for path in Path("/etc").glob("java-*-openjdk") if path.is_dir())
    return (str(place), *settings, *(() if home.is_relative_to("/usr") else (str(home),)))


def prepare(where: Path) -> str:
    """Compile the harness and write the archive; what was done in words."""
    java = found()
    if java is None:
        return HOW_TO
    key = _key(java)
    is_new = prepare_once(where, key, lambda unfinished: _build(java, unfinished))
    if not (where / key / "classes.jsa").exists():
        _write_archive(java, where / key)
    lacking = f", without {' and '.join(missing_jars())}" if missing_jars() else ", with JUnit and AssertJ"
    return f"harness {'compiled' if is_new else 'already compiled'}{lacking}"


def _all_of(names: tuple[str, ...]) -> tuple[str, ...]:
    paths = [_JARS / f"{name}.jar" for name in names]
    return tuple(map(str, paths)) if all(path.exists() for path in paths) else ()


@lru_cache(maxsize=4)
def _key(java: Java) -> str:
    texts = [(Path(__file__).parent / "harness" / name).read_bytes() for name in _HARNESS.values()]
    return key_of("1", java.version, java.java, *junit_jars(), *texts)


def _build(java: Java, unfinished: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        sources = []
        for name, file in _HARNESS.items():
            if name == "JUnit" and not junit_jars():
                text = (
                    "package axiom; final class JUnit { static void run(java.util.List<String> c, ClassLoader p) {} }"
                )
            else:
                text = (Path(__file__).parent / "harness" / file).read_text()
            sources.append(Path(scratch) / f"{name}.java")
            sources[-1].write_text(text)
        options = ("-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", f"{scratch}/out", "-cp", ":".join(junit_jars()))
        subprocess.run((java.javac, *options, *map(str, sources)), check=True, capture_output=True)
        jar = Path(shutil.make_archive(f"{scratch}/harness", "zip", f"{scratch}/out"))
        shutil.copyfile(jar, unfinished / "harness.jar")
    (unfinished / "harness.jar").chmod(0o644)


def _write_archive(java: Java, place: Path) -> None:
    """Let the JVM write what it loaded during one run; without an archive runs are slower, not wrong."""
    with tempfile.TemporaryDirectory() as scratch, (Path(scratch) / "results").open("wb") as results:
        (Path(scratch) / "Solution.java").write_text(_WARM_UP)
        (Path(scratch) / "Main.java").write_text(_WARM_UP_TESTS)
        unfinished = place / f".classes.{os.getpid()}"
        flags = (
            *FLAGS,
            f"-XX:ArchiveClassesAtExit={unfinished}",
            "-Daxiom.exits=true",
            *OPEN,
            "-cp",
            class_path(place),
        )
        started = ("axiom.Harness", "main", class_path(place), "Main")
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                (java.java, *flags, *started),
                input=b"nonce\nSolution.java\nMain.java",
                env={"AXIOM_RESULTS_FD": str(results.fileno()), "PATH": "/usr/bin:/bin"},
                pass_fds=(results.fileno(),),
                cwd=scratch,
                check=True,
                capture_output=True,
                timeout=120,
            )
            unfinished.chmod(0o644)
            unfinished.rename(place / "classes.jsa")
