"""Reading the cases of kinds stdin and calls, and comparing what a program gave with what was wanted."""

from __future__ import annotations

import pytest

from perturbation.languages import outputs
from perturbation.languages.base import CaseOutcome
from perturbation.languages.outputs import CallCase, CasesUnreadable, StdinCase


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("1 2\n3\n", "1 2  \n3", True),
        ("1 2\n3\n", "1 2\r\n3\r\n\n\n", True),
        ("1 2 3", "1\n2\n3\n", True),
        ("", "\n \n", True),
        ("0.5", "0.4999999", True),
        ("0.5", "0.49999", False),
        ("1e6", "1000000.5", True),
        ("1e6", "1000000", False),
        ("1.0", "1", False),
        ("1000000", "1000001", False),
        ("yes", "YES", False),
        ("1 2", "1 2 3", False),
        ("1 2", "12", False),
        ("", "0", False),
        ("nan", "0.0", False),
        ("1.5.2", "1.5.3", False),
    ],
)
def test_compares_outputs_by_text_then_by_token(expected: str, actual: str, same: bool) -> None:
    assert outputs.equal_output(expected, actual) is same


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ([1, [2, 3]], (1, (2, 3)), True),
        ({"a": [0.1]}, {"a": [0.1000000001]}, True),
        (2, 2.0, True),
        (10**400, 1.5, False),
        (10**400, 10**400, True),
        (1, True, False),
        (False, 0, False),
        (None, 0, False),
        ("1", 1, False),
        ([1], [1, 1], False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (float("nan"), float("nan"), True),
        (10**6, 10**6 + 1, False),
        ([[1, 2]], [1, 2], False),
    ],
)
def test_compares_json_values_by_kind(expected: object, actual: object, same: bool) -> None:
    assert outputs.equal_value(expected, actual) is same


def test_takes_a_wrapped_output_both_ways_only_where_told() -> None:
    assert outputs.equal_value([[1, 2]], [1, 2], is_wrapped=True) is True
    assert outputs.equal_value([[1, 2]], [[1, 2]], is_wrapped=True) is True
    assert outputs.equal_value([1, 2], 1, is_wrapped=True) is False
    assert outputs.equal_value([1, 2], [[1, 2]], is_wrapped=True) is False


def test_reads_cases_of_both_kinds() -> None:
    stdin = outputs.read_stdin_cases(
        '{"cases": [{"input": "1", "output": "2"}, {"name": "b", "input": "", "output": ""}]}'
    )
    calls = outputs.read_call_cases('{"cases": [{"arguments": [1, "a"], "output": null}], "wrapped": true}')

    assert stdin == [StdinCase("case 1", "1", "2"), StdinCase("b", "", "")]
    assert calls == [CallCase("case 1", (1, "a"), None, is_wrapped=True)]


@pytest.mark.parametrize(
    ("tests", "message"),
    [
        ("assert 1", "the tests are no JSON: Expecting value: line 1 column 1"),
        ("[1]", 'must be JSON of the form {"cases": \\[...\\]}'),
        ('{"cases": []}', "with at least one case"),
        ('{"cases": [3]}', "case 1 of the tests must be an object, not int"),
        ('{"cases": [{"input": ""}]}', "case 1 of the tests has no 'output'"),
        ('{"cases": [{"input": ["1"], "output": ""}]}', "'input' of case 1 must be a text, not list"),
        ("[" * 100_000, "the tests are no JSON"),
    ],
)
def test_says_what_is_wrong_with_stdin_cases(tests: str, message: str) -> None:
    with pytest.raises(CasesUnreadable, match=message):
        outputs.read_stdin_cases(tests)


@pytest.mark.parametrize(
    ("tests", "message"),
    [
        ('{"cases": [{"arguments": {"a": 1}, "output": 1}]}', "'arguments' of case 1 must be a list, not dict"),
        ('{"cases": [{"arguments": [1]}]}', "case 1 of the tests has no 'output'"),
    ],
)
def test_says_what_is_wrong_with_call_cases(tests: str, message: str) -> None:
    with pytest.raises(CasesUnreadable, match=message):
        outputs.read_call_cases(tests)


def test_judges_and_shows_both_sides_cut() -> None:
    right = outputs.judged_output(StdinCase("a", "", "7\n"), "7", seconds=0.5)
    wrong = outputs.judged_output(StdinCase("a", "", "7\n"), "x" * 600 + "\0", seconds=0.5)
    value = outputs.judged_value(CallCase("b", (), [1, "é"]), [2], seconds=0.0)

    assert (right.outcome, right.expected, right.seconds) == (CaseOutcome.PASSED, None, 0.5)
    assert (wrong.outcome, wrong.expected, wrong.actual) == (CaseOutcome.FAILED, "7\n", "x" * 499 + "…")
    assert (value.outcome, value.expected, value.actual) == (CaseOutcome.FAILED, '[1, "é"]', "[2]")
