"""What the files of a Java program and its tests are: classes, imports, test classes, how they are put together. Pure.

HumanEval-X has a class Solution and a class Main that share the imports, Exercism's layout has folders and JUnit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter_java
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from perturbation.files import SourceFile, split
from perturbation.languages.records import AssertSite

_NAME_LENGTH = 200
_TYPES = {
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
}
_NUMBERS = {"decimal_integer_literal", "decimal_floating_point_literal"}
_JUNIT = re.compile(r"\borg\.junit\.")
_CASES = "axiom.Cases"


@dataclass(frozen=True)
class JavaTests:
    """The files to compile by name, and what to start: classes by JUnit, or the class with main().

    `plain` holds the files without the rewriting that tells the values of the tests' list one by one; `sites` are
    those values. `titles` says of a file how a person is told of it.
    """

    files: dict[str, str]
    plain: dict[str, str]
    starts: tuple[str, ...]
    by_junit: bool
    sites: tuple[AssertSite, ...]
    titles: dict[str, str]


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_java.language())


def program_files(program: str) -> dict[str, str]:
    """The program's files by the names that the compiler wants."""
    return {file.path or _file_name(file.text, "Solution"): file.text for file in split(program) if _is_java(file)}


def arranged(program: str, tests: str) -> JavaTests:
    """The program with its tests."""
    program_parts, test_parts = split(program), split(tests)
    if len(program_parts) == len(test_parts) == 1 and not (program_parts[0].path or test_parts[0].path):
        return _of_two_files(program, tests)
    files = program_files(program)
    test_files = {file.path or _file_name(file.text, "Main"): file.text for file in test_parts if _is_java(file)}
    files |= test_files
    by_junit = any(_JUNIT.search(text) for text in test_files.values())
    starts = _test_classes(test_files) if by_junit else _main_classes(test_files)
    return JavaTests(files, files, starts, by_junit, (), {})


def imported_packages(text: str) -> tuple[str, ...]:
    """The imports of a text as they stand there, without `import` and the semicolon."""
    return tuple(_text(node)[len("import") : -1].strip() for node in _imports(_root(text)))


def _of_two_files(program: str, tests: str) -> JavaTests:
    """Each file gets the imports of both, on its first line: published tests rely on those of the program."""
    ours, theirs = ([f"import {name};" for name in imported_packages(text)] for text in (program, tests))
    first, second = _file_name(program, "Solution"), _file_name(tests, "Main")
    if first == second:
        first = f"program/{first}"
    rewritten, sites = _with_sites(tests)
    by_junit = bool(_JUNIT.search(tests))
    program_text = program if ours else " ".join([*theirs, program])
    plain = {first: program_text, second: " ".join([*ours, tests])}
    starts = _test_classes({second: tests}) if by_junit else _main_classes({second: tests})
    return JavaTests(
        files={**plain, second: " ".join([*ours, rewritten])},
        plain=plain,
        starts=starts,
        by_junit=by_junit,
        sites=() if by_junit else sites,
        titles={first: "the program", second: "the tests"},
    )


def _with_sites(tests: str) -> tuple[str, tuple[AssertSite, ...]]:
    """The tests with each value of `List<Boolean> ... = Arrays.asList(...)` telling what it is; lines are kept."""
    source = tests.encode(errors="backslashreplace")
    values = next(_listed(_root(tests)), [])
    sites = tuple(AssertSite(_title(value), is_case=True) for value in values)
    for number, value in reversed(list(enumerate(values))):
        source = source[: value.start_byte] + _telling(number, value) + source[value.end_byte :]
    return source.decode(), sites


def _listed(root: Node) -> Iterator[list[Node]]:
    for node in _every(root):
        if node.type == "local_variable_declaration" and _text(node.child_by_field_name("type")) == "List<Boolean>":
            declarator = node.child_by_field_name("declarator")
            call = declarator.child_by_field_name("value") if declarator else None
            if call and call.type == "method_invocation" and _text(call.child_by_field_name("object")) == "Arrays":
                arguments = call.child_by_field_name("arguments")
                yield [one for one in arguments.named_children if "comment" not in one.type] if arguments else []


def _telling(number: int, value: Node) -> bytes:
    call, pair = "is", [value]
    if value.type == "method_invocation" and _text(value.child_by_field_name("name")) == "equals":
        arguments, receiver = value.child_by_field_name("arguments"), value.child_by_field_name("object")
        if receiver and arguments and len(arguments.named_children) == 1:
            call, pair = "equal", [receiver, arguments.named_children[0]]
    elif value.type == "binary_expression" and _text(value.child_by_field_name("operator")) == "==":
        left, right = value.child_by_field_name("left"), value.child_by_field_name("right")
        if left and right and _is_number(right):
            call, pair = "same", [left, right]
    return f"{_CASES}.{call}({number}, {', '.join(map(_text, pair))})".encode()


def _is_number(node: Node) -> bool:
    return node.type in _NUMBERS or (node.type == "unary_expression" and node.named_children[-1].type in _NUMBERS)


def _title(value: Node) -> str:
    one_line = " ".join(_text(value).split())
    short = one_line if len(one_line) <= _NAME_LENGTH else one_line[: _NAME_LENGTH - 1] + "…"
    return f"L{value.start_point[0] + 1}: {short}"


def _file_name(text: str, default: str) -> str:
    """A public class must stand in a file of its name."""
    types = [node for node in _root(text).named_children if node.type in _TYPES]
    public = [node for node in types if any("public" in _text(child).split() for child in node.children[:1])]
    named = next(iter(public), None)
    return f"{_text(named.child_by_field_name('name')) if named else default}.java"


def _test_classes(files: dict[str, str]) -> tuple[str, ...]:
    """The top classes that hold a test, by their full names."""
    return tuple(name for text in files.values() for name, node in _classes(text) if _annotated(node))


def _annotated(node: Node) -> bool:
    kinds = ("marker_annotation", "annotation")
    names = {_text(one.child_by_field_name("name")) for one in _every(node) if one.type in kinds}
    return any(name.endswith(("Test", "TestFactory", "TestTemplate")) for name in names)


def _main_classes(files: dict[str, str]) -> tuple[str, ...]:
    found = [name for text in files.values() for name, node in _classes(text) if _has_main(node)]
    return tuple(found[:1])


def _has_main(node: Node) -> bool:
    body = node.child_by_field_name("body")
    methods = [one for one in body.named_children if one.type == "method_declaration"] if body else []
    return any(_text(one.child_by_field_name("name")) == "main" for one in methods)


def _classes(text: str) -> Iterator[tuple[str, Node]]:
    root = _root(text)
    package = next((_text(node.named_children[-1]) for node in root.children if node.type == "package_declaration"), "")
    for node in root.named_children:
        if node.type in _TYPES:
            name = _text(node.child_by_field_name("name"))
            yield (f"{package}.{name}" if package else name), node


def _imports(root: Node) -> list[Node]:
    return [node for node in root.named_children if node.type == "import_declaration"]


def _every(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def _is_java(file: SourceFile) -> bool:
    return not file.path or file.path.endswith(".java")


def _root(text: str) -> Node:
    return Parser(grammar()).parse(text.encode(errors="backslashreplace")).root_node


def _text(node: Node | None) -> str:
    return (node.text or b"").decode(errors="backslashreplace") if node else ""
