"""Runs the tests on the text after one step of a chain, when asked: the gate runs them on the last text only."""

from __future__ import annotations

from perturbation import outbox, verification
from perturbation.models import Program, Step, Verification

TASK = "perturbation.tasks.verify_step"


def request(*, program: Program, number: int) -> None:
    """Ask the workers to check a step, in the caller's transaction. A step that is not there is not asked for."""
    step = Step.objects.filter(chain__program=program, number=number).first()
    if step is not None:
        outbox.put(TASK, [{"step_id": step.pk}])


def verify_step(*, step_id: int) -> Verification | None:
    """Run the tests on the step's text and store what they said; what is stored already is not run again.

    It decides nothing about the program: the row belongs to it, under the hash of the step's text. None when the step
    is gone. Raises verification.RunnerUnavailable.
    """
    step = Step.objects.select_related("chain__program__requirement").filter(pk=step_id).first()
    if step is None:
        return None
    program = step.chain.program
    text = Program(pk=program.pk, requirement=program.requirement, language=program.language, text=step.text)
    known = Verification.objects.filter(
        program__requirement=program.requirement, input_hash=verification.input_hash(text)
    )
    return known.order_by("-pk").first() or verification.record(program=text, run=verification.run_tests(program=text))
