"""Marks inside a pair of edited lines: whole tokens of our own pattern, never a part of one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from diff_match_patch import diff_match_patch

Span = tuple[int, int]

FIRST_SURROGATE, SURROGATES = 0xD800, 0x800

# Long operators first. Zero-width and combining characters stay with their word: a changed name is marked whole.
_TOKEN = re.compile(
    r"""
      0[xXbBoO][0-9a-fA-F_]\w*
    | \d\w*(?:\.\d\w*)?(?:(?<=[eE])[+-]\d+)?
    | \w[\w\u0300-\u036f\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*
    | \s+
    | >>>= | <=> | \*\*= | //= | <<= | >>= | >>> | === | !== | \.\.\. | \.\.= | &&= | \|\|= | \?\?= | ->\*
    | == | != | <= | >= | << | >> | \*\* | // | -> | => | :: | := | <- | && | \|\| | \?\? | \?\.
    | \+\+ | -- | \+= | -= | \*= | /= | %= | &= | \|= | \^= | &\^ | @= | \.\. | /\* | \*/
    | .
    """,
    re.VERBOSE | re.DOTALL,
)

# Beyond this many token pairs a line is marked as one span between its common ends.
_MAX_CELLS = 4_000_000


def tokenize(line: str) -> list[str]:
    """Tokens that join to `line` again; white space runs are tokens."""
    return _TOKEN.findall(line)


def mark(left: str, right: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Character spans of the tokens that differ, (left, right); an inserted token is marked on its own side only."""
    left_tokens, right_tokens = tokenize(left), tokenize(right)
    left_changed: list[Span] = []
    right_changed: list[Span] = []
    for (a, b), (c, d) in _edits(left_tokens, right_tokens):
        if a < b:
            left_changed.append((a, b))
        if c < d:
            right_changed.append((c, d))
    return _as_spans(left_changed, left_tokens), _as_spans(right_changed, right_tokens)


def _edits(left: list[str], right: list[str]) -> list[tuple[Span, Span]]:
    head = 0
    while head < min(len(left), len(right)) and left[head] == right[head]:
        head += 1
    tail = 0
    while tail < min(len(left), len(right)) - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    middle = (len(left) - tail - head) * (len(right) - tail - head)
    if middle > _MAX_CELLS:
        return [((head, len(left) - tail), (head, len(right) - tail))]
    return _script(left, right)


def _script(left: list[str], right: list[str]) -> list[tuple[Span, Span]]:
    codes: dict[str, str] = {}
    left_codes = "".join(codes.setdefault(token, _code_point(len(codes))) for token in left)
    right_codes = "".join(codes.setdefault(token, _code_point(len(codes))) for token in right)
    differ = diff_match_patch()
    differ.Diff_Timeout = 0  # by default the result depends on the clock
    edits: list[tuple[Span, Span]] = []
    a = c = 0
    closes_last = False
    for operation, run in differ.diff_main(left_codes, right_codes, checklines=False):
        b = a + (len(run) if operation != differ.DIFF_INSERT else 0)
        d = c + (len(run) if operation != differ.DIFF_DELETE else 0)
        if operation == differ.DIFF_EQUAL:
            closes_last = False
        elif closes_last:
            # A deletion and an insertion side by side are one replacement.
            (first_a, _), (first_c, _) = edits.pop()
            edits.append(((first_a, b), (first_c, d)))
        else:
            edits.append(((a, b), (c, d)))
            closes_last = True
        a, c = b, d
    return edits


def _code_point(number: int) -> str:
    """The number-th character that is neither NUL nor a surrogate."""
    return chr(number + 1 if number + 1 < FIRST_SURROGATE else number + 1 + SURROGATES)


def _as_spans(changed: Sequence[Span], tokens: list[str]) -> tuple[Span, ...]:
    """Token ranges as character spans, joined over gaps that hold only white space."""
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    joined: list[Span] = []
    for start, end in changed:
        if joined and all(token.isspace() for token in tokens[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple((offsets[start], offsets[end]) for start, end in joined)
