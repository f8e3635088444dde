"""Finds the changed program in a model's answer, or says why there is none. Pure.

Fenced blocks follow CommonMark: three or more backticks or tildes, closed by as many or more of the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from perturbation.diff.outline import scopes
from perturbation.files import split
from perturbation.languages import registry
from perturbation.tokens import encode_tokens, normalised_distance, token_equal

OPENING = re.compile(r"^(?P<indent>[ \t]{0,3})(?P<fence>`{3,}|~{3,})[ \t]*(?P<tag>[^\s`{]*)[^`\n]*$")
TAGS = {
    "python": {"python", "python3", "py", "py3"},
    "cpp": {"cpp", "c++", "cc", "cxx", "hpp", "c", "h"},
    "java": {"java"},
    "javascript": {"javascript", "js", "node", "jsx", "mjs", "cjs", "ecmascript"},
    "go": {"go", "golang"},
    "rust": {"rust", "rs"},
}
FOREIGN_TAGS = frozenset({"ruby", "rb", "php", "csharp", "cs", "kotlin", "scala", "swift", "perl", "haskell", "lua"})
# One rule changes a part of a program. Where hardly a fifth of its tokens stay in order, it is another program.
MAX_DISTANCE = 0.8
# Of several whole programs the last one is the answer; a block shorter than this share of the longest is a piece.
WHOLE_SHARE = 0.8


class Reason(StrEnum):
    """Why an answer is refused; fixed phrases, which are counted."""

    EMPTY = "model's answer is empty"
    CUT = "model's answer is cut at the token limit"
    NO_PROGRAM = "model's answer holds no program"
    UNCHANGED = "model's answer changes no token"
    DOES_NOT_PARSE = "model's answer does not parse"
    OTHER_LANGUAGE = "model's answer is in another language"
    OTHER_FILES = "model's answer has other files"
    NAMES_LOST = "model's answer drops a name that the tests use"
    OTHER_PROGRAM = "model's answer is another program"
    TOO_LONG = "program does not fit into the model's context"


@dataclass(frozen=True)
class Block:
    """A fenced block: its tag in small letters, perhaps empty, and its text with its line ends as they came."""

    tag: str
    text: str


def changed_program(answer: str, *, before: str, language: str, protected: frozenset[str]) -> str | Reason:
    """Return the program in an answer to a request to change `before`, or the reason for which there is none.

    A program that may be wrong passes; one that does not parse where `before` does, changes no token, is in another
    language, has other files, lost a definition named in `protected`, or has hardly a token of `before` does not.
    """
    if not answer.strip():
        return Reason.EMPTY
    block = _choose(answer, before, language)
    if block is None:
        return Reason.NO_PROGRAM
    return _problem(block, before, language, protected) or block.text


def blocks(answer: str) -> tuple[Block, ...]:
    """Return the fenced blocks in their order; one that is never closed ends with the answer."""
    lines = answer.splitlines(keepends=True)
    found, number = [], 0
    while number < len(lines):
        opening = OPENING.match(lines[number].rstrip("\r\n"))
        number += 1
        if opening is None:
            continue
        end = next((at for at in range(number, len(lines)) if _closes(lines[at], opening["fence"])), len(lines))
        found.append(_block(opening, lines[number:end]))
        number = end + 1
    return tuple(found)


def _choose(answer: str, before: str, language: str) -> Block | None:
    """The block that is most likely meant; each sieve is left out where nothing would pass it."""
    fits = _fits(before, language)
    found = blocks(answer)
    if not found:
        whole = Block("", answer)
        return whole if fits(answer) and _has_words_of(before, answer) else None
    together = _in_files(found, before, language)
    if together is not None:
        return together
    sieves: tuple[Callable[[Block], bool], ...] = (
        lambda block: bool(block.text.strip()),
        lambda block: not _is_foreign(block.tag, language),
        lambda block: not token_equal(block.text, before, language),
        lambda block: fits(block.text),
        lambda block: _paths(block.text) == _paths(before),
    )
    left = [*found, *_outermost(answer)]
    for sieve in sieves:
        left = [block for block in left if sieve(block)] or left
    longest = max(len(block.text) for block in left)
    return [block for block in left if len(block.text) >= WHOLE_SHARE * longest][-1]


def _problem(block: Block, before: str, language: str, protected: frozenset[str]) -> Reason | None:
    after = block.text
    checks: tuple[tuple[Callable[[], bool], Reason], ...] = (
        (lambda: not after.strip(), Reason.EMPTY),
        (lambda: _is_foreign(block.tag, language), Reason.OTHER_LANGUAGE),
        (lambda: _paths(after) != _paths(before), Reason.OTHER_FILES),
        (lambda: not _fits(before, language)(after) and _speaks_another(after, language), Reason.OTHER_LANGUAGE),
        (lambda: not _fits(before, language)(after), Reason.DOES_NOT_PARSE),
        (lambda: token_equal(before, after, language), Reason.UNCHANGED),
        (lambda: not _defined(before, language) & protected <= _defined(after, language), Reason.NAMES_LOST),
        (lambda: _distance(before, after, language) > MAX_DISTANCE, Reason.OTHER_PROGRAM),
    )
    return next((reason for is_so, reason in checks if is_so()), None)


def _block(opening: re.Match[str], lines: Sequence[str]) -> Block:
    """The lines of a block, without as much of their margin as the fence itself has."""
    indent = len(opening["indent"])
    text = "".join(line[min(indent, len(line) - len(line.lstrip(" \t"))) :] for line in lines)
    return Block(opening["tag"].lower().strip(":{}.,"), text)


def _closes(line: str, fence: str) -> bool:
    mark = line.rstrip()
    bare = mark.lstrip(" \t")
    return len(mark) - len(bare) <= 3 and len(bare) >= len(fence) and set(bare) == {fence[0]}


def _outermost(answer: str) -> Iterator[Block]:
    """From the first fence to the last: the block of a program that holds fences itself, in a docstring say."""
    lines = answer.splitlines(keepends=True)
    fences = [number for number, line in enumerate(lines) if OPENING.match(line.rstrip("\r\n"))]
    if len(fences) > 2:
        opening = OPENING.match(lines[fences[0]].rstrip("\r\n"))
        if opening is not None:
            yield _block(opening, lines[fences[0] + 1 : fences[-1]])


def _in_files(found: Sequence[Block], before: str, language: str) -> Block | None:
    """The files of a program that stand in a block each, put together in the order of the program."""
    paths = _paths(before)
    parts = {_paths(block.text)[0]: block.text for block in found if len(_paths(block.text)) == 1}
    if len(paths) == 1 or not all(path in parts for path in paths):
        return None
    return Block(language, "".join(parts[path].rstrip("\n") + "\n" for path in paths))


def _paths(text: str) -> list[str]:
    return [file.path for file in split(text)]


def _fits(before: str, language: str) -> Callable[[str], bool]:
    """What does not parse is no program, unless the one before does not parse either."""
    spoken = registry.get(language)
    return spoken.parses if spoken.parses(before) else lambda _text: True


def _is_foreign(tag: str, language: str) -> bool:
    known = {name for names in TAGS.values() for name in names} | FOREIGN_TAGS
    return tag in known - TAGS[language]


def _speaks_another(text: str, language: str) -> bool:
    return any(other.parses(text) for other in registry.all_languages() if other.id != language)


def _has_words_of(before: str, text: str) -> bool:
    """Whether half of the words of the program stand in a text: a word alone is a program too, in Python."""
    words = set(re.findall(r"\w+", before))
    return 2 * len(words & set(re.findall(r"\w+", text))) >= len(words)


def _defined(text: str, language: str) -> frozenset[str]:
    """The last parts of the names of all functions and classes."""
    return frozenset(re.split(r"\.|::", scope.name.split(" ")[0])[-1] for scope in scopes(text, language) or ())


def _distance(before: str, after: str, language: str) -> float:
    return normalised_distance(encode_tokens(before, language), encode_tokens(after, language))
