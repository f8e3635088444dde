"""What the files of a Go program and its tests are: packages, imports, test functions, how they are put together. Pure.

HumanEval-X publishes programs and tests to be compiled as one file, Exercism's layout is a folder with a go.mod.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter_go
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from perturbation.files import SourceFile, split

PROGRAM, TESTS = "program.go", "tests.go"
_TEST_NAME = re.compile(r"Test(?![a-z])\w*")
_TEST_PARAMETERS = re.compile(r"\(\s*\w+\s+\*testing\.T\s*,?\s*\)")
_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_PACKAGE = re.compile(r"^package[ \t]+\w+", re.MULTILINE)
# Standard packages that HumanEval-X's programs use, some without importing them.
_COMMON = ("bytes", "crypto/md5", "fmt", "math", "math/rand", "regexp", "sort", "strconv", "strings", "time", "unicode")
_GO_VERSION = re.compile(r"^go\s+(\d+\.\d+)", re.MULTILINE)


@dataclass(frozen=True)
class GoFile:
    """One Go file; `tests` are its test functions in order, `package` is empty where the text names none."""

    path: str
    text: str
    package: str
    imports: tuple[str, ...]
    tests: tuple[str, ...]


@dataclass(frozen=True)
class GoPackage:
    """The files of one package and of its external tests (package x_test), and the test functions of both.

    `module` and `version` ("1.21") are those of go.mod, empty where there is none.
    """

    files: tuple[GoFile, ...]
    external: tuple[GoFile, ...]
    tests: tuple[str, ...]
    external_tests: tuple[str, ...]
    module: str
    version: str

    def imports(self) -> tuple[str, ...]:
        """Every imported path once, in order."""
        return tuple(dict.fromkeys(path for file in (*self.files, *self.external) for path in file.imports))


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_go.language())


def program_package(program: str) -> GoPackage:
    """The program alone, as it is built to read from standard input."""
    return _package(_named(program, PROGRAM), ())


def tested_package(program: str, tests: str) -> GoPackage:
    """The program with its tests."""
    program_files, test_files = _named(program, PROGRAM), _named(tests, "tests_test.go")
    if len(program_files) == len(test_files) == 1 and not read_file("", tests).package:
        return _one_file(program, tests)
    return _package(program_files, test_files)


def read_file(path: str, text: str) -> GoFile:
    """Read one file; what cannot be parsed is left to the compiler."""
    root = _root(text)
    clause = next((node for node in root.named_children if node.type == "package_clause"), None)
    return GoFile(
        path=path,
        text=text,
        package=_text(clause.named_children[0]) if clause and clause.named_children else "",
        imports=tuple(_path(spec) for spec in _import_specs(root)),
        tests=tuple(_tests(root)),
    )


def with_imports_in_order(program: str, tests: str) -> str:
    """The program's text for a file that ends with the tests: each import once, none that is not used, and the
    common packages that are used without one. Lines keep their numbers.

    This is how HumanEval-X is evaluated by its authors: some of its programs lack an import or have one too many,
    which Go refuses.
    """
    text, seen, used = bytearray(_bytes(program)), set[str](), _used_names(program + tests)
    for spec in _import_specs(_root(program)):
        words = " ".join(_text(spec).split())
        if words in seen or not (spec.child_by_field_name("name") or _path(spec).rpartition("/")[2] in used):
            _blank(text, spec if spec.parent is None or spec.parent.type == "import_spec_list" else spec.parent)
        seen.add(words)
    imported = {_path(spec).rpartition("/")[2] for spec in _import_specs(_root(program))}
    lacking = [path for path in _COMMON if (name := path.rpartition("/")[2]) in used and name not in imported]
    return _PACKAGE.sub(lambda clause: clause[0] + "".join(f'; import "{path}"' for path in lacking), text.decode(), 1)


def _one_file(program: str, tests: str) -> GoPackage:
    opening = with_imports_in_order(program if program.endswith("\n") else program + "\n", tests)
    whole = read_file(PROGRAM, f"{opening}//line {TESTS}:1\n{tests}")
    return GoPackage((whole,), (), read_file("", tests).tests, (), "", "")


def _package(program: Iterable[SourceFile], tests: Iterable[SourceFile]) -> GoPackage:
    program, tests = tuple(program), tuple(tests)
    test_paths = {file.path for file in tests}
    texts = {file.path: file.text for file in (*program, *tests)}
    files = [read_file(path, text) for path, text in texts.items() if path.endswith(".go")]
    inner = {file.package for file in files if not file.path.endswith("_test.go")}
    external = [file for file in files if file.package.endswith("_test") and file.package not in inner]
    internal = [file for file in files if file not in external]
    about = texts.get("go.mod", "")
    module, version = _MODULE.search(about), _GO_VERSION.search(about)
    return GoPackage(
        files=tuple(internal),
        external=tuple(external),
        tests=_names(file for file in internal if file.path in test_paths),
        external_tests=_names(file for file in external if file.path in test_paths),
        module=module[1] if module else "",
        version=version[1] if version else "",
    )


def _named(text: str, path: str) -> tuple[SourceFile, ...]:
    return tuple(SourceFile(file.path or path, file.text) for file in split(text))


def _names(files: Iterable[GoFile]) -> tuple[str, ...]:
    return tuple(name for file in files for name in file.tests)


def _bytes(text: str) -> bytes:
    return text.encode(errors="backslashreplace")


def _root(text: str) -> Node:
    return Parser(grammar()).parse(_bytes(text)).root_node


def _blank(text: bytearray, node: Node) -> None:
    text[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)


def _used_names(text: str) -> set[str]:
    """Names before a point, as those of packages are where they are used; those of variables as well."""
    names: set[str] = set()
    waiting = [_root(text)]
    while waiting:
        node = waiting.pop()
        if node.type in ("selector_expression", "qualified_type") and node.children:
            names.add(_text(node.children[0]))
        waiting += node.children
    return names


def _import_specs(root: Node) -> Iterator[Node]:
    for declaration in root.named_children:
        if declaration.type == "import_declaration":
            for node in declaration.named_children:
                yield from [node] if node.type == "import_spec" else node.named_children


def _path(spec: Node) -> str:
    path = spec.child_by_field_name("path")
    return _text(path)[1:-1] if path else ""


def _tests(root: Node) -> Iterator[str]:
    for node in root.named_children:
        if node.type == "function_declaration":
            name, parameters = (node.child_by_field_name(field) for field in ("name", "parameters"))
            takes_t = bool(parameters and _TEST_PARAMETERS.fullmatch(_text(parameters)))
            if takes_t and name and _TEST_NAME.fullmatch(_text(name)):
                yield _text(name)


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="backslashreplace")
