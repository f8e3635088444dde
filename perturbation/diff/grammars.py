"""Syntax trees and colour lexers by language id, made once a process. An unknown language has neither."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from pygments.lexer import RegexLexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound
from tree_sitter import Language, Parser, Tree

from perturbation.languages import IDS

# Larger texts get neither a tree nor colours: the diff stays complete without them.
MAX_CHARACTERS = 1_000_000


@cache
def _parser(language: str) -> Parser | None:
    if language not in IDS:
        return None
    return Parser(Language(import_module(f"tree_sitter_{language}").language()))


@cache
def lexer(language: str) -> RegexLexer | None:
    """A Pygments lexer that neither strips nor adds newlines."""
    try:
        found = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
    return cast(RegexLexer, found)


def parse(text: str, language: str) -> Tree | None:
    """The tree of `text`, or None where it has errors, is too large or holds what a grammar cannot read."""
    parser = _parser(language)
    if parser is None or len(text) > MAX_CHARACTERS or "\0" in text:
        return None
    try:
        tree = parser.parse(text.encode())
    except UnicodeEncodeError:
        return None
    return None if tree.root_node.has_error else tree
