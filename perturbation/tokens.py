"""Programs as strings of one code point a token, for equality and edit distance. Pure; the same in every process.

Tokens are those of Pygments. Comments and docstrings count; blank lines and other white space do not, but for
Python's indentation, which becomes a token where it grows or shrinks.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, String, is_token_subtype
from rapidfuzz.distance import Levenshtein

ALIASES = {"cpp": "cpp", "go": "go", "java": "java", "javascript": "javascript", "python": "python", "rust": "rust"}
WORD = re.compile(r"\w")
FIRST = 0xE000
"""First code point used: the surrogates (U+D800-DFFF) and everything below them, NUL included, are left out."""
CODE_POINTS = 0x110000 - FIRST
"""1,056,768 code points. Two of 500 distinct tokens share one with a chance of about 1 in 8; a collision only matters
where one of the two stands in the very place of the other, so its effect on a distance is negligible."""


class UnknownLanguage(LookupError):
    """There is no lexer for this language id."""


def encode_tokens(text: str, language: str) -> str:
    """One code point a token of a program, taken from a digest of type and value: no table that grows.

    Raises UnknownLanguage.
    """
    return "".join(_code_point(f"{kind}|{value}") for kind, value in _tokens(text, language))


def token_equal(first: str, second: str, language: str) -> bool:
    """Whether two programs consist of the same tokens."""
    return _tokens(first, language) == _tokens(second, language)


def normalised_distance(first: str, second: str) -> float:
    """Levenshtein distance of two encoded programs over the longer length, 0.0-1.0; 0.0 for two empty ones."""
    longest = max(len(first), len(second))
    return Levenshtein.distance(first, second) / longest if longest else 0.0


@lru_cache(maxsize=64)
def code_rows(text: str, language: str) -> frozenset[int]:
    """The rows, from 1, that hold code with a word in it: no comments, docstrings, lone brackets or blank rows."""
    rows: set[int] = set()
    row = 1
    for kind, value in _lexer(language).get_tokens(text):
        is_prose = is_token_subtype(kind, Comment) or is_token_subtype(kind, String.Doc)
        if not is_prose and WORD.search(value):
            rows.add(row)
        row += value.count("\n")
    return frozenset(rows)


@lru_cache(maxsize=128)
def _tokens(text: str, language: str) -> tuple[tuple[str, str], ...]:
    """All tokens of a program; kept a while, since every text of a chain is compared with the ones around it."""
    return tuple(_significant(text, language))


def _significant(text: str, language: str) -> Iterator[tuple[str, str]]:
    if language == "python":
        yield from _with_indentation(text)
        return
    for kind, value in _lexer(language).get_tokens(text):
        if value.strip():
            yield str(kind), value.strip()


def _with_indentation(text: str) -> Iterator[tuple[str, str]]:
    """Tokens of a Python program with INDENT and DEDENT, at rows that begin a logical line outside brackets."""
    levels, depth, margin, at_start = [0], 0, "", True
    for kind, value in _lexer("python").get_tokens(text):
        name = str(kind)
        if not value.strip():
            at_start, margin = ("\n" in value, "") if "\n" in value else (at_start, margin)
            margin += value.rsplit("\n", maxsplit=1)[-1]
        elif value.strip() != "\\":  # a row that goes on below
            if at_start and depth == 0 and not name.startswith("Token.Comment"):
                yield from _steps(levels, len(margin.expandtabs()))
            if name.startswith("Token.Punctuation"):
                depth = max(0, depth + sum(map(value.count, "([{")) - sum(map(value.count, ")]}")))
            at_start = False
            yield name, value if name.startswith("Token.Literal.String") else value.strip()


def _steps(levels: list[int], column: int) -> Iterator[tuple[str, str]]:
    """Tokens for the way from the current indentation to a column; changes the list of open levels."""
    if column > levels[-1]:
        levels.append(column)
        yield "Indent", ""
    while column < levels[-1]:
        levels.pop()
        yield "Dedent", ""


@lru_cache(maxsize=16)
def _lexer(language: str) -> Lexer:
    if language not in ALIASES:
        raise UnknownLanguage(f"no lexer for the language id {language!r}; known ids: {', '.join(sorted(ALIASES))}")
    return get_lexer_by_name(ALIASES[language], stripnl=False, ensurenl=True)


@lru_cache(maxsize=1 << 16)
def _code_point(token: str) -> str:
    digest = hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return chr(FIRST + int.from_bytes(digest, "big") % CODE_POINTS)
