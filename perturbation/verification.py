"""Runs a program's tests in the sandbox, saves what they said, and decides about 5-point programs.

References and exemplars must pass; what the tests mean for perturbed programs is decided in building.py.
"""

from __future__ import annotations

import dataclasses
from enum import StrEnum
from typing import Any

from django.db import transaction

from perturbation.languages import registry
from perturbation.languages.base import CaseOutcome, TestRun, TestRunStatus
from perturbation.models import Program, Requirement, RequirementQuerySet, Verification, content_hash

# Part of every input hash: raise it when the same program and tests can come out differently.
RUNNER_VERSION = "1"
REFERENCE_FAILS = "reference fails its tests"
INCONCLUSIVE_TIMES = 2
OUTPUT_KEPT = 20_000


class Refusal(StrEnum):
    """Why a program is refused; short fixed phrases, which the commands count."""

    NO_RULE_APPLIES = "no rule applies"
    STEP_CHANGES_NOTHING = "step changes no token"
    DOES_NOT_PARSE = "does not parse"
    DOES_NOT_BUILD = "does not build"
    SAME_AS_PARENT = "same tokens as its parent"
    DUPLICATE = "same tokens as an accepted program"
    BINDING_STEP_GONE = "binding step does not survive"
    EXTENT = "extent contradicts the rule's effort"
    FAILS_TESTS = "fails its tests"
    PASSES_TESTS = "passes all tests"
    INCONCLUSIVE = "inconclusive time-out"


class RunnerUnavailable(Exception):
    """Nothing was decided about the program: the tests could not be run on this machine."""


def usable(*, benchmark: str) -> RequirementQuerySet:
    """Requirements that can be verified here: reference and tests are there, and the language runs."""
    runnable = [language.id for language in registry.all_languages() if language.runnable]
    references = Program.objects.of(benchmark).filter(kind=Program.Kind.REFERENCE)
    return (
        Requirement.objects.of(benchmark)
        .filter(language__in=runnable, pk__in=references.values("requirement"))
        .exclude(tests="")
    )


def input_hash(program: Program) -> str:
    """Hash of all that decides how the tests come out."""
    requirement = program.requirement
    return content_hash(RUNNER_VERSION, program.language, program.text, requirement.tests, requirement.entry_point)


def run_tests(*, program: Program) -> TestRun:
    """Run the tests of the program's requirement on it; a wall-clock time-out is run once more before it counts.

    Raises RunnerUnavailable when nothing can be run here.
    """
    language = registry.get(program.language)
    requirement = program.requirement
    for _ in range(INCONCLUSIVE_TIMES):
        run = language.run_tests(
            program=program.text,
            tests=requirement.tests,
            entry_point=requirement.entry_point,
            kind=requirement.test_kind,
        )
        if not run.inconclusive:
            break
    if run.status is TestRunStatus.UNAVAILABLE:
        raise RunnerUnavailable(run.message or f"{language.label} programs cannot be run on this machine.")
    return run


def record(*, program: Program, run: TestRun) -> Verification:
    """Save what a test run said about a saved program."""
    outcomes = [case.outcome for case in run.cases]
    passed = outcomes.count(CaseOutcome.PASSED)
    return Verification.objects.create(
        program=program,
        status=run.status.value,
        passed=passed,
        failed=len(outcomes) - passed,
        cases=[dataclasses.asdict(case) for case in run.cases],
        output=run.output[:OUTPUT_KEPT],
        seconds=run.seconds,
        sandbox=run.sandbox,
        input_hash=input_hash(program),
    )


def refusal_of_five_points(run: TestRun) -> Refusal | None:
    """Return why a program that should be right is refused, or None when it passed."""
    if run.status is TestRunStatus.PASSED:
        return None
    return Refusal.INCONCLUSIVE if run.inconclusive else Refusal.FAILS_TESTS


def detail_of(run: TestRun) -> str:
    """Say in a few words which case failed and how, or what ended the run."""
    for case in run.cases:
        if case.outcome is not CaseOutcome.PASSED:
            return f"{case.name}: {case.outcome}. {case.message}".strip()[:500]
    return (run.message or run.status.value)[:500]


def verify_program(*, program: Program) -> Verification:
    """Decide about a reference or exemplar by its tests; one that was decided on the same input is left as it is.

    Raises RunnerUnavailable.
    """
    known = program.verifications.filter(input_hash=input_hash(program)).order_by("-pk").first()
    decided = program.state != Program.State.PENDING and program.refusal != Refusal.INCONCLUSIVE
    if known is not None and decided:
        return known
    run = run_tests(program=program)
    with transaction.atomic():
        verification = record(program=program, run=run)
        _decide(program, run)
    return verification


def verify_requirement(*, requirement: Requirement) -> dict[str, Any]:
    """Verify the requirement's reference, and return counts as the command reports them."""
    program = requirement.programs.select_related("requirement").get(kind=Program.Kind.REFERENCE)
    before = program.verifications.count()
    verify_program(program=program)
    is_new = program.verifications.count() > before
    counts: dict[str, Any] = {"created": int(is_new), "unchanged": int(not is_new), "accepted": 0, "refused": 0}
    counts[program.state] = 1
    counts["refused_by_reason"] = {program.refusal: 1} if program.refusal else {}
    return counts


def _decide(program: Program, run: TestRun) -> None:
    refusal = refusal_of_five_points(run)
    program.state = Program.State.REFUSED if refusal else Program.State.ACCEPTED
    program.refusal = refusal or ""
    program.refusal_detail = detail_of(run) if refusal else ""
    program.save(update_fields=["state", "refusal", "refusal_detail"])
    if program.kind == Program.Kind.REFERENCE:
        _mark(program.requirement, REFERENCE_FAILS if refusal else "")


def _mark(requirement: Requirement, problem: str) -> None:
    """Set or clear the problem that verification owns; those that the import found are not touched."""
    if requirement.problem in ("", REFERENCE_FAILS) and requirement.problem != problem:
        requirement.problem = problem
        requirement.save(update_fields=["problem"])
