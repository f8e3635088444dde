"""Runs a program's tests in the sandbox, saves what they said, and decides about 5-point programs.

References and exemplars must pass; what the tests mean for perturbed programs is decided in building.py.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from django.db import transaction

from perturbation.languages import registry
from perturbation.languages.base import CaseOutcome, LanguageNotRunnable, TestRun, TestRunStatus
from perturbation.models import Program, Requirement, RequirementQuerySet, TestKind, Verification, content_hash

# Part of every input hash: raise it when the same program and tests can come out differently.
RUNNER_VERSION = "1"
# Problems that verification sets and clears; each is the beginning of what is stored. All others are the import's.
REFERENCE_FAILS = "reference fails its tests"
NOT_RUNNABLE = "not runnable here"
MAX_PROBLEM = 300
INCONCLUSIVE_TIMES = 2
OUTPUT_KEPT = 20_000
MESSAGE_KEPT = 4_000


class Refusal(StrEnum):
    """Why a program is refused; short fixed phrases, which the commands count."""

    NO_RULE_APPLIES = "no rule applies"
    STEP_CHANGES_NOTHING = "step changes no token"
    DOES_NOT_PARSE = "does not parse"
    DOES_NOT_BUILD = "does not build"
    SAME_AS_PARENT = "same tokens as its parent"
    DUPLICATE = "same tokens as an accepted program"
    BINDING_STEP_GONE = "binding step does not survive"
    LITTLE_LEFT = "too little of its parent is left"
    EXTENT = "extent contradicts the rule's effort"
    NEW_PROBLEMS = "static analysis finds new problems"
    NOT_ANALYSED = "static analysis failed"
    FAILS_TESTS = "fails its tests"
    PASSES_TESTS = "passes all tests"
    INCONCLUSIVE = "inconclusive time-out"


class RunnerUnavailable(Exception):
    """Nothing was decided about the program: the tests could not be run on this machine.

    `what` names in a few words what is not there ("Go", "needs pandas, numpy"), `missing` each part by itself.
    """

    def __init__(self, message: str, *, what: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.what = what
        self.missing = missing


def verifiable(*, benchmark: str) -> RequirementQuerySet:
    """Requirements that can be verified: reference and tests are there. Whether this machine can, their units tell."""
    references = Program.objects.of(benchmark).filter(kind=Program.Kind.REFERENCE)
    return Requirement.objects.of(benchmark).filter(pk__in=references.values("requirement")).exclude(tests="")


def input_hash(program: Program) -> str:
    """Hash of all that decides how the tests come out."""
    requirement = program.requirement
    parts = (RUNNER_VERSION, program.language, program.text, requirement.tests, requirement.entry_point)
    # Test code, the common kind, adds nothing: what was decided before there were kinds stays decided.
    kind = () if requirement.test_kind == TestKind.CODE else (requirement.test_kind,)
    return content_hash(*parts, *kind)


def run_tests(*, program: Program) -> TestRun:
    """Run the tests of the program's requirement on it; a wall-clock time-out is run once more before it counts.

    Raises RunnerUnavailable when nothing can be run here.
    """
    language = registry.get(program.language)
    requirement = program.requirement
    for _ in range(INCONCLUSIVE_TIMES):
        try:
            run = language.run_tests(
                program=program.text,
                tests=requirement.tests,
                entry_point=requirement.entry_point,
                kind=requirement.test_kind,
            )
        except LanguageNotRunnable as error:
            raise RunnerUnavailable(
                str(error), what=language.label, missing=(f"{language.label} tool chain",)
            ) from error
        if not run.inconclusive:
            break
    if run.status is TestRunStatus.UNAVAILABLE:
        message = run.message or f"{language.label} programs cannot be run on this machine."
        raise RunnerUnavailable(message, what=language.label, missing=run.missing)
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
        message=run.message[:MESSAGE_KEPT],
        output=run.output[:OUTPUT_KEPT],
        seconds=run.seconds,
        sandbox=run.sandbox,
        input_hash=input_hash(program),
    )


def refusal_of_five_points(run: TestRun) -> Refusal | None:
    """Return why a program that should be right is refused, or None when it passed."""
    if run.status is TestRunStatus.PASSED:
        return None
    if run.status is TestRunStatus.BUILD:
        return Refusal.DOES_NOT_BUILD
    return Refusal.INCONCLUSIVE if run.inconclusive else Refusal.FAILS_TESTS


def detail_of(run: TestRun) -> str:
    """Say in a few words which case failed and how, what the compiler said, or what ended the run."""
    if run.status is TestRunStatus.BUILD:
        return (run.message or run.status.value)[:500]
    for case in run.cases:
        if case.outcome is not CaseOutcome.PASSED:
            return f"{case.name}: {case.outcome}. {case.message}".strip()[:500]
    return (run.message or run.status.value)[:500]


def verify_program(*, program: Program) -> Verification:
    """Decide about a reference or exemplar by its tests; one that was decided on the same input is left as it is.

    Programs of other kinds are only run: what their tests mean is decided where they are made. Raises
    RunnerUnavailable, also where a reference needs packages that this machine does not have: it stays pending.
    """
    known = program.verifications.filter(input_hash=input_hash(program)).order_by("-pk").first()
    decided = program.state != Program.State.PENDING and program.refusal != Refusal.INCONCLUSIVE
    if known is not None and decided:
        return known
    run = run_tests(program=program)
    if run.missing and run.status is not TestRunStatus.PASSED and program.kind == Program.Kind.REFERENCE:
        needs = f"needs {', '.join(run.missing)}"
        raise RunnerUnavailable(f"{program.requirement.external_id} {needs}", what=needs, missing=run.missing)
    with transaction.atomic():
        verification = record(program=program, run=run)
        if program.kind in (Program.Kind.REFERENCE, Program.Kind.EXEMPLAR):
            _decide(program, run)
    return verification


def verify_requirement(*, requirement: Requirement, between: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Verify the requirement's references, and return counts as the command reports them.

    `accepted` and `refused` count references as they stand, `verified_requirements` those with an accepted one. Where
    nothing could be decided on this machine, `not_runnable` is 1, `missing` counts by what is not there, and
    `how_to` holds what the tool chain says about it; the references stay pending. `between` is called before each
    reference and may raise to stop there: what was decided stays.
    """
    references = requirement.programs.filter(kind=Program.Kind.REFERENCE).in_content_order()
    counts: Counter[str] = Counter({"created": 0, "unchanged": 0, "accepted": 0, "refused": 0})
    reasons: Counter[str] = Counter()
    waiting: list[RunnerUnavailable] = []
    for program in references.select_related("requirement"):
        between()
        before = program.verifications.count()
        try:
            verify_program(program=program)
        except RunnerUnavailable as unavailable:
            waiting.append(unavailable)
            continue
        counts["created" if program.verifications.count() > before else "unchanged"] += 1
        counts[program.state] += 1
        reasons.update([program.refusal] if program.refusal else [])
    waits = _settle(requirement, waiting)
    return {
        **counts,
        "refused_by_reason": dict(reasons),
        "verified_requirements": int(counts[Program.State.ACCEPTED] > 0),
        "not_runnable": int(waits is not None),
        "missing": {name: 1 for unavailable in waiting for name in unavailable.missing} if waits else {},
        "how_to": {str(waits): 1} if waits and not waits.what.startswith("needs ") else {},
    }


def _settle(requirement: Requirement, waiting: list[RunnerUnavailable]) -> RunnerUnavailable | None:
    """Mark the requirement by how all of its references came out; return why it waits, if it does."""
    references = requirement.programs.filter(kind=Program.Kind.REFERENCE)
    waits = waiting[0] if waiting and not references.accepted().exists() else None
    _mark(requirement, f"{NOT_RUNNABLE}: {waits.what}" if waits else _problem_of_references(requirement))
    return waits


def _decide(program: Program, run: TestRun) -> None:
    refusal = refusal_of_five_points(run)
    program.state = Program.State.REFUSED if refusal else Program.State.ACCEPTED
    program.refusal = refusal or ""
    program.refusal_detail = detail_of(run) if refusal else ""
    program.save(update_fields=["state", "refusal", "refusal_detail"])
    if program.kind == Program.Kind.REFERENCE:
        _mark(program.requirement, _problem_of_references(program.requirement))


def _problem_of_references(requirement: Requirement) -> str:
    """One right program is enough; why each of the others is refused is kept with it."""
    references = requirement.programs.filter(kind=Program.Kind.REFERENCE)
    return "" if references.accepted().exists() else REFERENCE_FAILS


def _mark(requirement: Requirement, problem: str) -> None:
    """Set or clear the problem that verification owns; those that the import found are not touched."""
    requirement.refresh_from_db(fields=["problem"])  # several references of one requirement each have their own copy
    is_own = not requirement.problem or requirement.problem.startswith((REFERENCE_FAILS, NOT_RUNNABLE))
    problem = problem[:MAX_PROBLEM]
    if is_own and requirement.problem != problem:
        requirement.problem = problem
        requirement.save(update_fields=["problem"])
