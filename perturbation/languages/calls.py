"""Tests of kind `calls`: what a harness answered for each call, judged outside the sandbox. Knows no language.

A harness tells `answer NUMBER value|error|timeout|not_run TEXT SECONDS` and `start NUMBER`, numbers from 0.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from perturbation.languages.base import CaseOutcome, CaseResult
from perturbation.languages.outputs import CallCase, judged_value, shown
from perturbation.languages.records import Records, unfinished
from perturbation.languages.verdict import clean
from perturbation.sandbox import Outcome


def judged(cases: Sequence[CallCase], records: Records, outcome: Outcome) -> tuple[CaseResult, ...]:
    """Return one result a case, in their order."""
    culprit = records.started[-1] if records.started and not records.ended else None
    return tuple(
        replace(_judged(case, number, records, outcome, culprit), input=_arguments(case))
        for number, case in enumerate(cases)
    )


def _arguments(case: CallCase) -> str:
    return shown(", ".join(json.dumps(argument, ensure_ascii=False) for argument in case.arguments))


def _judged(case: CallCase, number: int, records: Records, outcome: Outcome, culprit: str | None) -> CaseResult:
    answer = records.answers.get(number)
    if answer is None:
        return unfinished(clean(case.name), outcome, is_culprit=str(number) == culprit)
    word, text, seconds = str(answer[0]), clean(str(answer[1])), float(str(answer[2]))
    if word == "value":
        try:
            return judged_value(case, json.loads(text), seconds=seconds)
        except (ValueError, RecursionError):
            word, text = "error", "the value returned cannot be read"
    timed_out = word == "timeout"
    return CaseResult(
        name=clean(case.name),
        outcome=CaseOutcome.TIMEOUT if timed_out else CaseOutcome.NOT_RUN if word == "not_run" else CaseOutcome.ERROR,
        message=text,
        seconds=seconds,
    )
