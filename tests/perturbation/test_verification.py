"""Verification of references: real test runs in the sandbox, decided once."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from django.core.management import call_command

from perturbation import verification
from perturbation.languages.base import Language, LanguageNotRunnable, TestRun, TestRunStatus, Toolchain
from perturbation.leases import RunHalted
from perturbation.models import Program, Requirement, Verification
from tests.factories import CHILD_TEXT, make_program, make_requirement

pytestmark = pytest.mark.django_db


def pending(**values: object) -> Program:
    """A reference that waits for its verification."""
    return make_program(state=Program.State.PENDING, **values)


def answer_with(monkeypatch: pytest.MonkeyPatch, *runs: TestRun) -> None:
    """Let the language answer with these runs, one after the other."""
    left = iter(runs)
    monkeypatch.setattr(Language, "run_tests", lambda *_args, **_kwargs: next(left))


def raising(error: Exception) -> Callable[..., TestRun]:
    """A stand-in that only raises."""

    def stand_in(*_args: object, **_kwargs: object) -> TestRun:
        raise error

    return stand_in


def run_of(
    status: TestRunStatus, *, inconclusive: bool = False, message: str = "", missing: tuple[str, ...] = ()
) -> TestRun:
    """A test run without cases."""
    return TestRun(status, (), "", 0.1, "bubblewrap", inconclusive, message, missing)


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


def test_counts_requirements_with_reference_and_tests_as_usable_in_every_language() -> None:
    good = pending().requirement
    make_requirement()
    pending(requirement=make_requirement(tests=""))
    rust = pending(requirement=make_requirement(language="rust")).requirement

    assert list(verification.verifiable(benchmark="sample")) == [good, rust]


def test_says_that_a_reference_does_not_build_and_what_the_compiler_said(monkeypatch: pytest.MonkeyPatch) -> None:
    program = pending()
    answer_with(monkeypatch, run_of(TestRunStatus.BUILD, message="line 3: expected ;"))

    verification.verify_program(program=program)

    assert (program.state, program.refusal) == ("refused", "does not build")
    assert program.refusal_detail == "line 3: expected ;"


def test_one_right_reference_of_several_is_enough() -> None:
    wrong = pending(text=CHILD_TEXT)
    pending(requirement=wrong.requirement, draw_number=1)

    counts = verification.verify_requirement(requirement=wrong.requirement)

    assert (counts["created"], counts["accepted"], counts["refused"], counts["verified_requirements"]) == (2, 1, 1, 1)
    assert counts["refused_by_reason"] == {"fails its tests": 1}
    states = wrong.requirement.programs.in_content_order().values_list("state", "refusal")
    assert list(states) == [("refused", "fails its tests"), ("accepted", "")]
    assert Requirement.objects.get().problem == ""


def test_keeps_what_was_decided_when_it_is_stopped_between_two_references() -> None:
    wrong = pending(text=CHILD_TEXT)
    pending(requirement=wrong.requirement, draw_number=1)
    calls = iter([None, RunHalted()])

    def between() -> None:
        if (stop := next(calls)) is not None:
            raise stop

    with pytest.raises(RunHalted):
        verification.verify_requirement(requirement=wrong.requirement, between=between)

    states = wrong.requirement.programs.in_content_order().values_list("state", flat=True)
    assert list(states) == ["refused", "pending"]


def test_marks_a_requirement_whose_references_all_fail() -> None:
    wrong = pending(text=CHILD_TEXT)
    pending(requirement=wrong.requirement, draw_number=1, text=CHILD_TEXT + "\n")

    counts = verification.verify_requirement(requirement=wrong.requirement)

    assert (counts["refused"], counts["verified_requirements"]) == (2, 0)
    assert Requirement.objects.get().problem == "reference fails its tests"


def test_waits_for_a_tool_chain_and_goes_on_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    requirement = pending().requirement
    with monkeypatch.context() as without:
        without.setattr(Language, "run_tests", raising(LanguageNotRunnable("Go programs cannot be run here: get it")))
        counts = verification.verify_requirement(requirement=requirement)

    assert (counts["not_runnable"], counts["created"], counts["accepted"]) == (1, 0, 0)
    assert counts["missing"] == {"Python tool chain": 1}
    assert counts["how_to"] == {"Go programs cannot be run here: get it": 1}
    assert Requirement.objects.get().problem == "not runnable here: Python"
    assert Program.objects.get().state == "pending"

    counts = verification.verify_requirement(requirement=Requirement.objects.get())

    assert (counts["not_runnable"], counts["missing"], counts["how_to"]) == (0, {}, {})
    assert Requirement.objects.get().problem == ""
    assert Program.objects.get().state == "accepted"


def test_a_reference_that_needs_packages_waits_and_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    requirement = pending().requirement
    answer_with(monkeypatch, run_of(TestRunStatus.ERROR, missing=("pandas", "numpy")))

    counts = verification.verify_requirement(requirement=requirement)

    assert (counts["not_runnable"], counts["missing"]) == (1, {"pandas": 1, "numpy": 1})
    assert (counts["accepted"], counts["refused"], counts["how_to"]) == (0, 0, {})
    assert Requirement.objects.get().problem == "not runnable here: needs pandas, numpy"
    assert Program.objects.get().state == "pending"
    assert not Verification.objects.exists()


def test_a_missing_package_does_not_count_where_another_reference_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    requirement = pending().requirement
    pending(requirement=requirement, draw_number=1)
    answer_with(monkeypatch, run_of(TestRunStatus.ERROR, missing=("numpy",)), run_of(TestRunStatus.PASSED))

    counts = verification.verify_requirement(requirement=requirement)

    assert (counts["not_runnable"], counts["missing"], counts["verified_requirements"]) == (0, {}, 1)
    assert Requirement.objects.get().problem == ""


def test_a_missing_package_is_an_exemplars_own_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = make_program()
    exemplar = pending(requirement=parent.requirement, kind=Program.Kind.EXEMPLAR, parent=parent)
    answer_with(monkeypatch, run_of(TestRunStatus.ERROR, missing=("maths",)))

    verification.verify_program(program=exemplar)

    assert (exemplar.state, exemplar.refusal) == ("refused", "fails its tests")


def test_the_kind_of_tests_is_part_of_what_was_decided() -> None:
    program = pending()
    before = verification.input_hash(program)

    program.requirement.test_kind = "stdin"

    assert verification.input_hash(program) != before


def test_runs_a_program_of_another_kind_without_deciding_about_it() -> None:
    parent = make_program()
    pair = make_program(
        requirement=parent.requirement, kind="disrupted", target_score=0, parent=parent, text=CHILD_TEXT
    )

    result = verification.verify_program(program=pair)

    pair.refresh_from_db()
    assert (result.status, pair.state, pair.refusal) == ("failed", "accepted", "")


def test_the_command_says_once_what_a_language_and_the_packages_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        pending(requirement=make_requirement(external_id=f"go {number}", language="go"))
    pending(requirement=make_requirement(external_id="plots"))
    nothing = Toolchain(is_there=False, how_to="install golang-go")
    monkeypatch.setattr(Language, "toolchain", property(lambda _: lambda: nothing), raising=False)
    monkeypatch.setattr(Language, "run_tests", answer_by_language(Language.run_tests))
    out, err = io.StringIO(), io.StringIO()

    call_command("verify", "--benchmark", "sample", "--inline", "--json", stdout=out, stderr=err)

    counts = json.loads(out.getvalue().splitlines()[-1])
    assert (counts["not_runnable"], counts["accepted"], counts["failed"]) == (3, 0, 0)
    assert counts["missing"] == {"Go tool chain": 2, "numpy": 1}
    assert "how_to" not in counts
    said = err.getvalue()
    assert said.count("Go programs cannot be run here: install golang-go (2 requirements wait)\n") == 1
    assert said.count("Requirements wait for packages that are not installed here: numpy (1)\n") == 1
    problems = Requirement.objects.of("sample").values_list("problem", flat=True)
    assert list(problems) == ["not runnable here: Go", "not runnable here: Go", "not runnable here: needs numpy"]


def answer_by_language(original: Callable[..., TestRun]) -> Callable[..., TestRun]:
    """Python programs lack a package; the others go their own way."""

    def run_tests(language: Language, **values: object) -> TestRun:
        if language.id == "python":
            return run_of(TestRunStatus.ERROR, missing=("numpy",))
        return original(language, **values)

    return run_tests
