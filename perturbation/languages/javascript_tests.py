"""Turns JavaScript tests into code that reports every assert on its own. Pure: reads the tests' text, runs nothing.

`console.assert` only writes to stderr and node:assert ends the script: both become cases. Lines keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter_javascript
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from perturbation.languages.records import AssertSite

# What the harness replaces by a function of its own, whose name it tells nobody.
REPORT = "__axiom_report__"
_NAME_LENGTH = 200
_COMPARING = {"===", "==", "!==", "!=", "<", ">", "<=", ">="}
_SUITE_CALLS = {"test", "it", "xtest", "xit", "describe", "xdescribe"}
_FUNCTIONS = {"function_declaration", "function_expression", "arrow_function", "method_definition"}
# Inside an arrow function these would mean something else, or nothing.
_BOUND = {"await_expression", "yield_expression", "spread_element"}


@dataclass(frozen=True)
class PreparedTests:
    """`code` calls REPORT(site, catching, operator, values) at every site. `is_module`: it imports or exports.
    `can_fail`: it may have checked something although no site was reached.
    """

    code: str
    sites: tuple[AssertSite, ...]
    has_suites: bool
    can_fail: bool
    is_module: bool


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: bytes


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_javascript.language())


@lru_cache(maxsize=512)
def prepare(tests: str, *, first_site: int = 0) -> PreparedTests:
    """Never raises: tests that do not parse are left as they are, and node says what is wrong with them."""
    source = tests.encode(errors="backslashreplace")
    root = Parser(grammar()).parse(source).root_node
    sites: list[AssertSite] = []
    edits: list[_Edit] = []
    has_suites = _has_suites(root)
    calls = () if root.has_error or has_suites else _assertions(root)
    caught = False
    for call in calls:
        caught = caught or _is_caught(call)
        sites.append(AssertSite(_name(call, source), is_case=True))
        edits += _reporting(call, first_site + len(sites) - 1)
    return PreparedTests(
        code=_edited(source, edits).decode(),
        sites=tuple(sites),
        has_suites=has_suites,
        # Suites that never ran have checked nothing.
        can_fail=not has_suites
        and (
            caught or (not sites and b"assert" in source) or any(node.type == "throw_statement" for node in _walk(root))
        ),
        is_module=is_module(root),
    )


def is_module(root: Node) -> bool:
    """Whether the file is an ES module: it imports or exports at its top level."""
    return any(node.type in ("import_statement", "export_statement") for node in root.named_children)


def text_is_module(text: str) -> bool:
    """As is_module, of a text."""
    return is_module(Parser(grammar()).parse(text.encode(errors="backslashreplace")).root_node)


def first_error_line(text: str) -> int | None:
    """The line, from 1, where the grammar first finds something wrong; None where it finds nothing."""
    root = Parser(grammar()).parse(text.encode(errors="backslashreplace")).root_node
    return next((node.start_point.row + 1 for node in _walk(root) if node.is_error or node.is_missing), None)


def _walk(node: Node) -> Iterator[Node]:
    """The node and all below it in the order of the text; without recursion, for hostile depth."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += reversed(found.children)


def _has_suites(root: Node) -> bool:
    """Whether the top level calls jest's functions, not ones of its own: then its tests are the cases."""
    own = set(_declared(root))
    for statement in root.named_children:
        call = statement.named_children[0] if statement.type == "expression_statement" else None
        while call is not None and call.type == "call_expression":
            function = call.child_by_field_name("function")
            if function is not None and function.type == "member_expression":
                function = function.child_by_field_name("object")
            if function is not None and function.type == "identifier" and _text(function) in _SUITE_CALLS - own:
                return True
            call = function
    return False


def _declared(root: Node) -> Iterator[str]:
    """Names of the functions and variables that the top level declares."""
    for statement in root.named_children:
        if statement.type in ("function_declaration", "generator_function_declaration"):
            declared = [statement]
        else:
            declared = [node for node in statement.named_children if node.type == "variable_declarator"]
        for node in declared:
            name = node.child_by_field_name("name")
            if name is not None and name.type == "identifier":
                yield _text(name)


def _assertions(root: Node) -> Iterator[Node]:
    """Calls of console.assert and node:assert that stand as statements, outermost only."""
    end = 0
    for node in _walk(root):
        if node.type == "call_expression" and node.start_byte >= end and _is_assertion(node):
            end = node.end_byte
            yield node


def _is_assertion(call: Node) -> bool:
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.type != "arguments" or not arguments.named_children:
        return False
    words = _text(function)
    if not (words in ("console.assert", "assert") or (words.startswith("assert.") and words.count(".") < 3)):
        return False
    if any(node.type in _BOUND for node in _walk(arguments)):
        return False
    return call.parent is not None and call.parent.type in ("expression_statement", "arrow_function")


def _reporting(call: Node, site: int) -> list[_Edit]:
    """The call of REPORT in its place. Arguments move into functions, so that an error in one is this case's own."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None:
        return []
    catching = "true" if _is_caught(call) else "false"
    if _text(function) != "console.assert":
        start = f"{REPORT}({site}, {catching}, '', () => [".encode()
        return [_Edit(call.start_byte, call.start_byte, start), _Edit(call.end_byte, call.end_byte, b", true][1])")]
    first = next(node for node in arguments.named_children if node.type != "comment")
    operator = first.child_by_field_name("operator") if first.type == "binary_expression" else None
    compared = operator if operator is not None and _text(operator) in _COMPARING else None
    word = _text(compared) if compared is not None else ""
    edits = [
        _Edit(function.start_byte, function.end_byte, REPORT.encode()),
        _Edit(arguments.start_byte, arguments.start_byte + 1, f"({site}, {catching}, '{word}', () => [".encode()),
        _Edit(arguments.end_byte - 1, arguments.end_byte, b"])"),
    ]
    if compared is not None:
        edits.insert(2, _Edit(compared.start_byte, compared.end_byte, b","))
    return edits


def _is_caught(call: Node) -> bool:
    """Whether a try of the same function would see an error of this call: then it must be let through."""
    node: Node | None = call
    while node is not None and node.type not in _FUNCTIONS:
        above = node.parent
        if above is not None and above.type == "try_statement" and above.child_by_field_name("handler") is not None:
            return node == above.child_by_field_name("body")
        node = above
    return False


def _edited(source: bytes, edits: list[_Edit]) -> bytes:
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [source[at : edit.start], edit.text]
        at = edit.end
    return b"".join([*parts, source[at:]])


def _name(call: Node, source: bytes) -> str:
    arguments = call.child_by_field_name("arguments")
    function = call.child_by_field_name("function")
    shown: Node = call
    if arguments is not None and function is not None and _text(function) == "console.assert":
        shown = next((node for node in arguments.named_children if node.type != "comment"), call)
    one_line = " ".join(source[shown.start_byte : shown.end_byte].decode().split())
    short = one_line if len(one_line) <= _NAME_LENGTH else one_line[: _NAME_LENGTH - 1] + "…"
    return f"L{call.start_point.row + 1}: {short}"


def _text(node: Node) -> str:
    return (node.text or b"").decode()
