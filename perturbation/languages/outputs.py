"""Tests of kinds `stdin` and `calls`: reading their JSON, and whether what a program gave is what was wanted. Pure.

The comparison happens out here and not beside the program, which never sees what is expected of it.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from perturbation.languages.base import CaseOutcome, CaseResult

# Programs that sum in another order, or print another number of digits, are right all the same; judges of contests
# commonly ask for 1e-6.
TOLERANCE = 1e-6
SHOWN = 500
_REAL = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?")


class CasesUnreadable(Exception):
    """The tests are not the JSON that their kind asks for; the message says what is wrong and where."""


@dataclass(frozen=True)
class StdinCase:
    """One run of the program: what it reads from standard input and what it is to print."""

    name: str
    input: str
    output: str


@dataclass(frozen=True)
class CallCase:
    """One call of the entry point with JSON values. `is_wrapped`: a one-element list as output may stand for its
    element, as in some rows of APPS.
    """

    name: str
    arguments: tuple[object, ...]
    output: object
    is_wrapped: bool = False


def read_stdin_cases(tests: str) -> list[StdinCase]:
    """Read `{"cases": [{"input": str, "output": str, "name"?: str}]}`; raises CasesUnreadable. Never empty."""
    return [
        StdinCase(_name(case, number), _text(case, "input", number), _text(case, "output", number))
        for number, case in enumerate(_cases(tests), start=1)
    ]


def read_call_cases(tests: str) -> list[CallCase]:
    """Read `{"cases": [{"arguments": [...], "output": ..., "name"?: str}], "wrapped"?: true}`; raises
    CasesUnreadable. Never empty. `wrapped` sets is_wrapped in every case.
    """
    wrapped = json.loads(tests).get("wrapped") is True if _cases(tests) else False
    return [
        CallCase(_name(case, number), tuple(_arguments(case, number)), _member(case, "output", number), wrapped)
        for number, case in enumerate(_cases(tests), start=1)
    ]


def equal_output(expected: str, actual: str) -> bool:
    """Whether a program printed what is expected of it.

    Equal where the texts are equal but for white space at the ends of lines and at the end of the whole. Otherwise
    where they hold the same tokens between white space: contests print tokens, and a reference's own blanks and line
    breaks are seldom part of the problem. Two tokens that are both real numbers (with a point or an exponent)
    are the same within TOLERANCE, relative or absolute; whole numbers and words must be the same text.
    """
    if _trimmed(expected) == _trimmed(actual):
        return True
    wanted, given = expected.split(), actual.split()
    return len(wanted) == len(given) and all(_equal_tokens(*pair) for pair in zip(wanted, given, strict=True))


def equal_value(expected: object, actual: object, *, is_wrapped: bool = False) -> bool:
    """Whether two JSON values are the same: tuples count as lists, a truth value is no number, and where either of
    two numbers is a real one they are the same within TOLERANCE (JSON has no way to tell 2.0 from 2 in every
    language). With `is_wrapped`, a one-element list as `expected` may also stand for its element.
    """
    if _equal(expected, actual):
        return True
    return is_wrapped and isinstance(expected, list | tuple) and len(expected) == 1 and _equal(expected[0], actual)


def judged_output(case: StdinCase, actual: str, *, seconds: float) -> CaseResult:
    """The result of a run that ended well and printed `actual`."""
    if equal_output(case.output, actual):
        return CaseResult(case.name, CaseOutcome.PASSED, seconds=seconds)
    return CaseResult(
        case.name, CaseOutcome.FAILED, shown(case.output), shown(actual), "the output is not the expected one", seconds
    )


def judged_value(case: CallCase, actual: object, *, seconds: float) -> CaseResult:
    """The result of a call that returned the JSON value `actual`."""
    if equal_value(case.output, actual, is_wrapped=case.is_wrapped):
        return CaseResult(case.name, CaseOutcome.PASSED, seconds=seconds)
    expected, got = (json.dumps(value, ensure_ascii=False) for value in (case.output, actual))
    words = "the value returned is not the expected one"
    return CaseResult(case.name, CaseOutcome.FAILED, shown(expected), shown(got), words, seconds)


def shown(text: str) -> str:
    """A text as a report shows it: any database takes it (no NUL, no lone surrogates), cut with an ellipsis."""
    text = text[:SHOWN] if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
    return text.encode(errors="backslashreplace").decode().replace("\0", "\\x00")


def _equal(expected: object, actual: object) -> bool:
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, int | float) and isinstance(actual, int | float):
        return _equal_numbers(expected, actual)
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        return len(expected) == len(actual) and all(_equal(*pair) for pair in zip(expected, actual, strict=True))
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(_equal(expected[key], actual[key]) for key in expected)
    return type(expected) is type(actual) and expected == actual


def _equal_numbers(expected: float, actual: float) -> bool:
    if isinstance(expected, int) and isinstance(actual, int):
        return expected == actual
    try:
        return _close(float(expected), float(actual))
    except OverflowError:
        return expected == actual


def _equal_tokens(expected: str, actual: str) -> bool:
    if expected == actual:
        return True
    return bool(_REAL.fullmatch(expected) and _REAL.fullmatch(actual)) and _close(float(expected), float(actual))


def _close(expected: float, actual: float) -> bool:
    if math.isnan(expected) or math.isnan(actual):
        return math.isnan(expected) and math.isnan(actual)
    return math.isclose(expected, actual, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def _cases(tests: str) -> list[dict[str, object]]:
    try:
        whole = json.loads(tests)
    except (ValueError, RecursionError) as error:
        raise CasesUnreadable(f"the tests are no JSON: {error}") from error
    cases = whole.get("cases") if isinstance(whole, dict) else None
    if not isinstance(cases, list) or not cases:
        raise CasesUnreadable('the tests must be JSON of the form {"cases": [...]} with at least one case')
    for number, case in enumerate(cases, start=1):
        if not isinstance(case, dict):
            raise CasesUnreadable(f"case {number} of the tests must be an object, not {type(case).__name__}")
    return cases


def _name(case: dict[str, object], number: int) -> str:
    return str(case.get("name") or f"case {number}")


def _member(case: dict[str, object], key: str, number: int) -> object:
    if key not in case:
        raise CasesUnreadable(f"case {number} of the tests has no {key!r}")
    return case[key]


def _text(case: dict[str, object], key: str, number: int) -> str:
    value = _member(case, key, number)
    if not isinstance(value, str):
        raise CasesUnreadable(f"{key!r} of case {number} must be a text, not {type(value).__name__}")
    return value


def _arguments(case: dict[str, object], number: int) -> list[object]:
    value = _member(case, "arguments", number)
    if not isinstance(value, list):
        raise CasesUnreadable(f"'arguments' of case {number} must be a list, not {type(value).__name__}")
    return value
