"""Arranges a C++ program and its tests as files to compile. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from perturbation.files import SourceFile, split
from perturbation.languages.cpp_messages import PROGRAM, TESTS
from perturbation.languages.cpp_tests import catch_cases, number_asserts

COMPILED = (".cpp", ".cc", ".cxx", ".c++")
_CATCH_MAIN = re.compile(r"^\s*#\s*define\s+CATCH_CONFIG_MAIN\b", re.MULTILINE)
_CATCH = re.compile(r"^\s*#\s*include\s*[<\"][^>\"]*catch[^>\"]*[>\"]", re.MULTILINE)
_OPENSSL = re.compile(r"^\s*#\s*include\s*<openssl/", re.MULTILINE)
# What a program defines under these names is not for its tests.
_CASES = "".join(f"#undef {name}\n" for name in ("AXIOM_CASES", "axiom_case", "main"))
_CASES += "#include <axiom_cases.hpp>\n"


@dataclass(frozen=True)
class Sources:
    """Files by path, those to compile, and the keys of the cases with their names in the order of the tests."""

    files: Mapping[str, bytes]
    compiled: tuple[str, ...]
    libraries: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    sure: tuple[str, ...] = ()
    catch_main: str = ""


def script(program: str) -> Sources:
    """A program with a main of its own, or the several files of one."""
    files = {file.path or PROGRAM: file.text for file in split(program)}
    return Sources(_encoded(files), _compiled(files), _libraries(files))


@lru_cache(maxsize=32)
def arranged(*, program: str, tests: str) -> Sources:
    """Program and tests: two single texts become one file, as HumanEval-X is published; several stay as they are."""
    program_files, test_files = split(program), split(tests)
    if not program_files[0].path and not test_files[0].path:
        return _one_file(program, tests)
    return _several(program_files, test_files)


def _one_file(program: str, tests: str) -> Sources:
    numbered = number_asserts(tests)
    text = f'#line 1 "{PROGRAM}"\n{program}\n{_CASES}#line 1 "{TESTS}"\n{numbered.text}\n'
    files = {"main.cpp": text}
    titles = {f"#{number}": name for number, name in enumerate(numbered.names)}
    sure = tuple(f"#{number}" for number in numbered.sure)
    return Sources(_encoded(files), ("main.cpp",), _libraries({"": program + tests}), (), titles, sure)


def _several(program_files: tuple[SourceFile, ...], test_files: tuple[SourceFile, ...]) -> Sources:
    texts = {file.path or PROGRAM: file.text for file in program_files}
    titles: dict[str, str] = {}
    sure: list[str] = []
    catch_main = ""
    for file in test_files:
        path, text = file.path or TESTS, file.text
        texts[path] = text
        if not path.endswith(COMPILED):
            continue
        if _CATCH_MAIN.search(text):
            catch_main = path
        if _CATCH.search(text):
            names = catch_cases(text)
            titles |= {name: name for name in names}
            sure += names
            continue
        numbered = number_asserts(text, first=len(titles))
        texts[path] = f'{_CASES}#line 1 "{path}"\n{numbered.text}'
        titles |= {f"#{number}": name for number, name in enumerate(numbered.names, start=len(titles))}
        sure += [f"#{number}" for number in numbered.sure]
    compiled = tuple(path for path in _compiled(texts) if path != catch_main)
    defines = ("-DEXERCISM_RUN_ALL_TESTS",)
    return Sources(_encoded(texts), compiled, _libraries(texts), defines, titles, tuple(sure), catch_main)


def _compiled(files: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(path for path in files if path.endswith(COMPILED))


def _libraries(files: Mapping[str, str]) -> tuple[str, ...]:
    return ("-lcrypto", "-lssl") if any(_OPENSSL.search(text) for text in files.values()) else ()


def _encoded(files: Mapping[str, str]) -> dict[str, bytes]:
    return {path: text.encode(errors="backslashreplace") for path, text in files.items()}
