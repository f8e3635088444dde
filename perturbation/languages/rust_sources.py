"""Arranges a Rust program and its tests as crates to compile. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from perturbation.files import SourceFile, split
from perturbation.languages.rust_crates import CRATES
from perturbation.languages.rust_messages import PROGRAM, Lines, planned_tests, used_crates

LIBRARY = "src/lib.rs"
EDITION = "2021"
_EDITIONS = ("2015", "2018", "2021", "2024")
# An attribute that ends the program must not be that of the tests.
_BETWEEN = "const _: () = (); "
_MACRO = re.compile(r"macro_rules\s*!\s*(\w+)")
_CHECKS = ("assert", "assert_eq", "assert_ne", "panic", "debug_assert", "debug_assert_eq", "matches")
_NO_MAIN = re.compile(r"\bno_main\b")
_OWN_ROOTS = {"std", "core", "alloc", "crate", "self", "super", "proc_macro", "test"}


@dataclass(frozen=True)
class Sources:
    """Files by path. `tests` are the roots of test programs; `library` is empty where program and tests are one file,
    else the name of the crate that the tests use. `required` are the crates that a Cargo.toml asks for.
    """

    files: Mapping[str, bytes]
    tests: tuple[str, ...]
    planned: tuple[str, ...]
    lines: Lines
    library: str = ""
    edition: str = EDITION
    required: tuple[str, ...] = ()

    @property
    def has_no_main(self) -> bool:
        """Whether a file asks for a program without the main that runs its tests."""
        return any(_NO_MAIN.search(text) for text in self.texts)

    @property
    def texts(self) -> list[str]:
        return [content.decode() for path, content in self.files.items() if path.endswith(".rs")]


def arranged(*, program: str, tests: str) -> Sources:
    """Two single texts become one file, as HumanEval-X is published; several become a library and its tests."""
    program_files, test_files = split(program), split(tests)
    if not program_files[0].path and not test_files[0].path:
        program = program if program.endswith("\n") else program + "\n"
        lines = Lines(program=program.count("\n"))
        text = (program + _BETWEEN + _with_own_checks(program, tests)).encode(errors="backslashreplace")
        return Sources({PROGRAM: text}, (PROGRAM,), tuple(planned_tests(program + tests)), lines)
    return _crate(program_files, test_files)


def _with_own_checks(program: str, tests: str) -> str:
    """The tests with the library's own macros, where the program defines macros of their names."""
    defined = {name for name in _MACRO.findall(program) if name in _CHECKS}
    pattern = rf"(?<![\w:!])({'|'.join(sorted(defined))})!"
    return re.sub(pattern, r"::std::\1!", tests) if defined else tests


def script(program: str) -> Sources:
    """A program with a main of its own."""
    files = split(program)
    if not files[0].path:
        text = files[0].text
        content = text.encode(errors="backslashreplace")
        return Sources({PROGRAM: content}, (PROGRAM,), (), Lines(program=text.count("\n") + 1))
    roots = [file.path for file in files if file.path.rpartition("/")[2] == "main.rs"] or [files[0].path]
    return Sources(_encoded({file.path: file.text for file in files}), (roots[0],), (), Lines())


def _crate(program_files: tuple[SourceFile, ...], test_files: tuple[SourceFile, ...]) -> Sources:
    program = {file.path or LIBRARY: file.text for file in program_files}
    tests = {file.path or "tests/tests.rs": file.text for file in test_files}
    # A program may not replace its tests; of two Cargo.toml, its own names what it needs.
    texts = {**tests, **program, **{path: text for path, text in tests.items() if path.endswith(".rs")}}
    roots = _roots(tests)
    planned = [name for root in roots for name in planned_tests(texts[root])]
    package, dependencies, edition = _manifest(texts)
    return Sources(
        files=_encoded(texts),
        tests=roots,
        planned=tuple(planned),
        lines=Lines(test_files=tuple(path for path in tests if path.endswith(".rs"))),
        library=package or _used_name([texts[root] for root in roots]) or "solution",
        edition=edition,
        required=dependencies,
    )


def _roots(tests: Mapping[str, str]) -> tuple[str, ...]:
    """Cargo takes each file directly below tests/ as a test program; without such a folder, every file is one."""
    sources = [path for path in tests if path.endswith(".rs")]
    return tuple(path for path in sources if re.fullmatch(r"tests/[^/]+", path)) or tuple(sources)


def _manifest(texts: Mapping[str, str]) -> tuple[str, tuple[str, ...], str]:
    """Name of the crate, crates asked for, and edition; of the first Cargo.toml that can be read."""
    for path, text in texts.items():
        if path.rpartition("/")[2] != "Cargo.toml":
            continue
        try:
            manifest = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        package = manifest.get("package", {})
        wanted = [*manifest.get("dependencies", {}), *manifest.get("dev-dependencies", {})]
        name = manifest.get("lib", {}).get("name") or str(package.get("name", "")).replace("-", "_")
        edition = str(package.get("edition", EDITION))
        crates = tuple(one.replace("-", "_") for one in wanted)
        return name, crates, edition if edition in _EDITIONS else EDITION
    return "", (), EDITION


def _used_name(texts: list[str]) -> str:
    others = _OWN_ROOTS | {name.replace("-", "_") for name in CRATES}
    names = [name for text in texts for name in used_crates(text) if name not in others]
    return names[0] if names else ""


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode(errors="backslashreplace") for path, text in files.items()}
