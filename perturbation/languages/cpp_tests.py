"""Reads C++ tests before they are compiled: every assert becomes a case with a number. Pure: runs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter_cpp
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

_NAME_LENGTH = 200
_CATCH_CASE = re.compile(r"\b(?:TEST_CASE|SCENARIO)\s*\(\s*\"((?:[^\"\\\n]|\\.)*)\"")


@dataclass(frozen=True, slots=True)
class CppTests:
    """The tests' text with its asserts numbered (lines stay where they are), and the names of the asserts in order.

    `sure` are the numbers of those that stand in main itself and run whatever happens.
    """

    text: str
    names: tuple[str, ...]
    sure: tuple[int, ...]


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_cpp.language())


@lru_cache(maxsize=64)
def number_asserts(text: str, *, first: int = 0) -> CppTests:
    """Replace `assert(` by `axiom_case("#n", ` in the code of a test file; asserts inside macros stay."""
    source = text.encode(errors="backslashreplace")
    parts, names, sure, end = [], [], [], 0
    for number, call in enumerate(_asserts(Parser(grammar()).parse(source).root_node), start=first):
        arguments = call.children[1]
        parts += [source[end : call.start_byte], b'axiom_case("#%d", ' % number]
        end = arguments.start_byte + 1
        words = " ".join(source[end : arguments.end_byte - 1].decode().split())
        names.append(f"L{call.start_point[0] + 1}: {words}"[:_NAME_LENGTH])
        if _stands_in_main(call):
            sure.append(number)
    return CppTests(b"".join([*parts, source[end:]]).decode(), tuple(names), tuple(sure))


def catch_cases(text: str) -> list[str]:
    """The names of Catch's test cases in their order."""
    return [re.sub(r"\\(.)", r"\1", name) for name in _CATCH_CASE.findall(text)]


def _asserts(root: Node) -> Iterator[Node]:
    """Calls of assert in the order of the text, outermost only; the walk is flat for deeply nested texts."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "call_expression" and node.children[0].text == b"assert" and len(node.children) > 1:
            yield node
        else:
            waiting += reversed(node.children)


def _stands_in_main(call: Node) -> bool:
    statement = call.parent
    block = statement.parent if statement is not None else None
    function = block.parent if block is not None else None
    if (
        function is None
        or function.type != "function_definition"
        or block is None
        or block.type != "compound_statement"
    ):
        return False
    declarator = function.child_by_field_name("declarator")
    return declarator is not None and (declarator.text or b"").split(b"(")[0].strip() == b"main"
