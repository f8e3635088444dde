"""Verification of references: real test runs in the sandbox, decided once."""

from __future__ import annotations

import pytest

from perturbation import verification
from perturbation.languages import registry
from perturbation.languages.base import Language, TestRun, TestRunStatus
from perturbation.models import Program, Verification
from tests.factories import CHILD_TEXT, make_program, make_requirement

pytestmark = pytest.mark.django_db


def pending(**values: object) -> Program:
    """A reference that waits for its verification."""
    return make_program(state=Program.State.PENDING, **values)


def answer_with(monkeypatch: pytest.MonkeyPatch, *runs: TestRun) -> None:
    """Let the language answer with these runs, one after the other."""
    left = iter(runs)
    monkeypatch.setattr(Language, "run_tests", lambda *_args, **_kwargs: next(left))


def run_of(status: TestRunStatus, *, inconclusive: bool = False, message: str = "") -> TestRun:
    """A test run without cases."""
    return TestRun(status, (), "", 0.1, "bubblewrap", inconclusive, message)


def test_accepts_a_reference_that_passes() -> None:
    program = pending()

    result = verification.verify_program(program=program)

    program.refresh_from_db()
    assert (program.state, program.refusal, program.requirement.problem) == ("accepted", "", "")
    assert (result.status, result.passed, result.failed) == ("passed", 2, 0)
    assert result.sandbox != "unprotected"


def test_refuses_a_reference_that_fails_and_marks_its_requirement() -> None:
    program = pending(text=CHILD_TEXT)

    verification.verify_program(program=program)

    program.refresh_from_db()
    assert (program.state, program.refusal) == ("refused", "fails its tests")
    assert "test_counts_the_limit" in program.refusal_detail
    assert program.requirement.problem == "reference fails its tests"


def test_clears_the_mark_when_a_mended_reference_passes() -> None:
    requirement = make_requirement(problem=verification.REFERENCE_FAILS)
    program = pending(requirement=requirement)

    verification.verify_program(program=program)

    requirement.refresh_from_db()
    assert requirement.problem == ""


def test_leaves_a_problem_alone_that_the_import_found() -> None:
    requirement = make_requirement(problem="the import said so")

    verification.verify_program(program=pending(requirement=requirement))

    requirement.refresh_from_db()
    assert requirement.problem == "the import said so"


def test_runs_nothing_again_on_the_same_input() -> None:
    program = pending()
    first = verification.verify_program(program=program)

    second = verification.verify_program(program=program)

    assert second.pk == first.pk
    assert Verification.objects.count() == 1


def test_runs_again_when_the_tests_changed() -> None:
    program = pending()
    verification.verify_program(program=program)
    program.requirement.tests += "\n\ndef test_more() -> None:\n    assert total([9], 1) == 0\n"
    program.requirement.save()
    program.state = Program.State.PENDING

    result = verification.verify_program(program=program)

    assert result.passed == 3
    assert Verification.objects.count() == 2


def test_runs_a_time_out_of_the_clock_once_more_before_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    program = pending()
    answer_with(monkeypatch, run_of(TestRunStatus.TIMEOUT, inconclusive=True), run_of(TestRunStatus.PASSED))

    verification.verify_program(program=program)

    assert program.state == Program.State.ACCEPTED


def test_refuses_what_stays_inconclusive_and_tries_it_again_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    program = pending()
    slow = run_of(TestRunStatus.TIMEOUT, inconclusive=True)
    answer_with(monkeypatch, slow, slow, run_of(TestRunStatus.PASSED))

    verification.verify_program(program=program)
    assert (program.state, program.refusal) == ("refused", "inconclusive time-out")

    verification.verify_program(program=program)
    assert (program.state, program.refusal) == ("accepted", "")


def test_decides_nothing_where_nothing_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    program = pending()
    answer_with(monkeypatch, run_of(TestRunStatus.UNAVAILABLE, message="no toolchain"))

    with pytest.raises(verification.RunnerUnavailable, match="no toolchain"):
        verification.verify_program(program=program)

    program.refresh_from_db()
    assert program.state == Program.State.PENDING
    assert not Verification.objects.exists()


def test_counts_only_requirements_that_can_be_verified_here_as_usable() -> None:
    good = pending().requirement
    make_requirement()
    pending(requirement=make_requirement(tests=""))
    pending(requirement=make_requirement(language="rust"))

    assert not registry.get("rust").runnable
    assert list(verification.usable(benchmark="sample")) == [good]
