"""One program: the chain, the gate with each of its refusals, and what is saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from perturbation import rendering
from perturbation.building import build_chain, names_in
from perturbation.models import Program, RenderedDiff, Step, Verification
from perturbation.perturbing import Plan, fill
from perturbation.reports import static_analysis
from perturbation.rewriting import NotApplicable, Rewritten
from perturbation.rewriting.mechanical import MechanicalRewriter
from perturbation.rules.registry import Rule
from tests.factories import PARENT_TEXT, make_benchmark, make_program, make_requirement

pytestmark = pytest.mark.django_db

WRONG = PARENT_TEXT.replace("price <= limit", "price < limit")
RENAMED = PARENT_TEXT.replace("result", "r")
DEDENTED = """def total(prices: list[int], limit: int) -> int:
    \"\"\"Return the sum of the prices up to the limit.\"\"\"
    result = 0
    price = prices[0]
    if price <= limit:
        result += price
    return result
"""
EMPTIED = """def total(prices: list[int], limit: int) -> int:
    \"\"\"Return the sum of the prices up to the limit.\"\"\"
    return 0
"""


@dataclass(frozen=True)
class ScriptedRewriter:
    """Stands in for a model: answers with what the script says for the number of the call."""

    script: Callable[[str, Rule], str]
    name: str = "scripted"
    rules_per_step: int | None = None

    def rewrite(self, *, text: str, rule: Rule, **_arguments: Any) -> Rewritten:
        """Answer by the script."""
        return Rewritten(self.script(text, rule))


class Held:
    """A lease that nobody else wants."""

    def renew(self) -> None:
        """Stay."""

    def note(self, _outcome: dict[str, object]) -> None:
        """Forget."""


def build(script: Callable[[str, Rule], str], *, target: int, max_steps: int = 1, draw_number: int = 0) -> Program:
    """Build from a fresh or the existing reference with a scripted rewriter."""
    parent = Program.objects.filter(kind="reference").first() or make_program()
    return build_chain(
        parent=parent,
        target=target,
        seed=f"test|{draw_number}",
        rewriter=ScriptedRewriter(script),
        draw_number=draw_number,
        max_steps=max_steps,
    )


def refusal_of(program: Program) -> tuple[str, str]:
    """Return where the program as saved stands and why."""
    program.refresh_from_db()
    return program.state, program.refusal


def test_accepts_a_wrong_program_for_a_low_target_with_chain_diff_and_test_run() -> None:
    program = build(lambda _text, _rule: WRONG, target=2)

    assert refusal_of(program) == ("accepted", "")
    assert (program.text, program.kind, program.target_score) == (WRONG, "perturbed", 2)
    assert [(step.number, step.ceiling, step.text) for step in program.chain.steps.all()] == [(1, 2, WRONG)]
    assert program.verifications.get().status == "failed"
    assert program.verifications.get().failed == 1
    assert program.rendered_diff.summary["counts"]["edited"] == 1
    assert program.rendered_diff.summary["steps"] == {"1": 1}


def test_accepts_a_right_program_for_a_high_target() -> None:
    program = build(lambda _text, _rule: RENAMED, target=4)

    assert refusal_of(program) == ("accepted", "")
    assert program.verifications.get().status == "passed"


def test_makes_exemplars_that_pass_all_tests() -> None:
    program = build(lambda _text, _rule: RENAMED, target=5)

    assert refusal_of(program) == ("accepted", "")
    assert program.kind == "exemplar"


def test_refuses_an_exemplar_that_the_analyser_could_not_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_texts: str) -> tuple[str, ...]:
        raise static_analysis.AnalyserFailed("ruff failed: out of memory")

    monkeypatch.setattr(static_analysis, "new_problems", fails)

    program = build(lambda _text, _rule: RENAMED, target=5)

    assert (program.state, program.refusal) == ("refused", "static analysis failed")
    assert program.refusal_detail == "ruff failed: out of memory"


@pytest.mark.parametrize(
    ("target", "answer", "reason"),
    [
        pytest.param(4, WRONG, "fails its tests", id="a high target that is wrong"),
        pytest.param(5, WRONG, "fails its tests", id="an exemplar that is wrong"),
        pytest.param(2, RENAMED, "passes all tests", id="a low target that is right"),
        pytest.param(4, PARENT_TEXT + "\n\n", "step changes no token", id="white space only"),
        pytest.param(4, PARENT_TEXT + "(", "does not parse", id="broken syntax"),
        pytest.param(1, WRONG, "extent contradicts the rule's effort", id="a refactoring of one row"),
        pytest.param(1, DEDENTED, "extent contradicts the rule's effort", id="a refactoring of white space"),
        pytest.param(1, EMPTIED, "too little of its parent is left", id="a program to be written anew"),
    ],
)
def test_refuses_and_keeps_the_reason(target: int, answer: str, reason: str) -> None:
    program = build(lambda _text, _rule: answer, target=target)

    assert refusal_of(program) == ("refused", reason)
    assert program.text == answer
    assert not RenderedDiff.objects.exists()


def test_refuses_a_tweak_that_rewrites_everything() -> None:
    bloated = PARENT_TEXT.replace(
        "    result = 0\n", "    result = 0\n" + "".join(f"    unused_{n} = {n}\n" for n in range(20))
    )

    assert refusal_of(build(lambda _text, _rule: bloated, target=4)) == (
        "refused",
        "extent contradicts the rule's effort",
    )


def test_refuses_a_second_program_with_the_same_tokens() -> None:
    build(lambda _text, _rule: WRONG, target=2)

    second = build(lambda _text, _rule: WRONG + "\n\n", target=2, draw_number=1)

    assert refusal_of(second) == ("refused", "same tokens as an accepted program")


def two_steps(script: Callable[[str, Rule], str], *, fits: Callable[[list[int]], bool]) -> Program:
    """Draw until a chain has two steps with fitting ceilings."""
    for number in range(60):
        program = build(script, target=2, max_steps=2, draw_number=number)
        ceilings = list(program.chain.steps.values_list("ceiling", flat=True))
        if len(ceilings) == 2 and fits(ceilings):
            return program
    raise AssertionError("no draw had the two steps that the test is about")


def test_refuses_a_chain_that_ends_where_it_began() -> None:
    program = two_steps(lambda text, _rule: WRONG if text == PARENT_TEXT else PARENT_TEXT, fits=lambda _ceilings: True)

    assert refusal_of(program) == ("refused", "same tokens as its parent")
    assert not program.verifications.exists()


def test_refuses_a_chain_whose_binding_step_was_undone() -> None:
    def script(text: str, rule: Rule) -> str:
        return WRONG if rule.ceiling == 2 else RENAMED

    program = two_steps(script, fits=lambda ceilings: ceilings[0] == 2 and ceilings[1] > 2)

    assert refusal_of(program) == ("refused", "binding step does not survive")


def test_refuses_when_no_rule_finds_a_site() -> None:
    def script(_text: str, _rule: Rule) -> str:
        raise NotApplicable("no site")

    program = build(script, target=3)

    assert refusal_of(program) == ("refused", "no rule applies")
    assert program.text == PARENT_TEXT
    assert not Step.objects.exists()


def test_takes_another_rule_of_the_same_ceiling_where_the_first_finds_no_site() -> None:
    asked: list[str] = []

    def script(_text: str, rule: Rule) -> str:
        asked.append(rule.id)
        if len(asked) == 1:
            raise NotApplicable("no site")
        return WRONG

    program = build(script, target=2)

    assert refusal_of(program) == ("accepted", "")
    assert [step.rule_id for step in program.chain.steps.all()] == asked[1:2]


def test_takes_an_endless_loop_for_a_failure_and_not_for_a_verdict_of_the_clock() -> None:
    endless = PARENT_TEXT.replace("    result = 0\n", "    result = 0\n    while True:\n        result += 1\n")

    program = build(lambda _text, _rule: endless, target=2)

    assert program.verifications.get().status == "timeout"
    assert refusal_of(program) == ("accepted", "")


def test_keeps_the_names_that_tests_use() -> None:
    assert names_in("assert total([1], limit=2) == 'x' and stock.left  # result", "python") == {
        "total",
        "limit",
        "stock",
        "left",
    }


def test_makes_the_same_bytes_from_the_same_seed_in_any_order() -> None:
    benchmark = make_benchmark()
    requirements = [make_requirement(external_id=f"req-{number}", position=number) for number in range(2)]
    for requirement in requirements:
        make_program(requirement=requirement)
    plan = Plan(targets=(2, 4), per_target=1, exemplars=1, seed="7")

    def made() -> list[tuple[str, str]]:
        rows = Program.objects.of(benchmark.name).exclude(kind="reference").in_content_order()
        return [(program.content_key, program.text) for program in rows]

    for requirement in requirements:
        fill(requirement=requirement, plan=plan, lease=Held(), counted={})
    first = made()
    Program.objects.filter(kind="perturbed").delete()
    Program.objects.filter(kind="exemplar").delete()
    for requirement in reversed(requirements):
        fill(requirement=requirement, plan=plan, lease=Held(), counted={})

    assert len(first) >= 6
    assert made() == first


def test_fills_every_cell_with_programs_whose_tests_agree_with_the_target() -> None:
    requirement = make_requirement()
    make_program(requirement=requirement)

    counts = fill(requirement=requirement, plan=Plan(targets=(1, 2, 3, 4)), lease=Held(), counted={})

    assert counts["accepted_by_target"]["2"] == 2
    assert counts["accepted_by_target"]["4"] == 2
    for program in Program.objects.accepted().filter(kind="perturbed"):
        passed = program.verifications.get().status == "passed"
        assert passed == (program.target_score >= 3), program.content_key


def test_goes_on_at_the_next_draw_and_repeats_none() -> None:
    requirement = make_requirement()
    make_program(requirement=requirement)
    fill(requirement=requirement, plan=Plan(targets=(2,), per_target=1), lease=Held(), counted={})
    before = list(Program.objects.order_by("pk").values_list("pk", "draw_number"))

    again = fill(requirement=requirement, plan=Plan(targets=(2,), per_target=1), lease=Held(), counted={})
    more = fill(requirement=requirement, plan=Plan(targets=(2,), per_target=2), lease=Held(), counted={})

    assert again["created"] == 0
    assert again["unchanged"] == len(before) - 1
    assert more["accepted"] == 2
    assert list(Program.objects.order_by("pk").values_list("pk", "draw_number"))[: len(before)] == before


def test_stops_drawing_when_the_budget_is_used_up(settings: Any) -> None:
    settings.AXIOM_DRAW_BUDGET = 3
    # Draws depend on the external id: this one is fixed, so that what is drawn is too.
    requirement = make_requirement(external_id="no-program-fails", tests="def test_it():\n    assert True\n")
    make_program(requirement=requirement)

    counts = fill(requirement=requirement, plan=Plan(targets=(2,)), lease=Held(), counted={})

    assert counts["created"] == 3
    assert counts["shortfall"] == {"2": 2}
    assert counts["refused_by_reason"] == {"passes all tests": 3}


def test_stores_the_same_diff_again_only_when_its_input_changed() -> None:
    program = build(lambda _text, _rule: WRONG, target=2)
    stored = program.rendered_diff

    assert rendering.store_diff(program=program).pk == stored.pk
    RenderedDiff.objects.update(input_hash="of an older version", html="")
    assert rendering.store_diff(program=program).html == stored.html
    assert RenderedDiff.objects.count() == 1


def test_shows_a_reference_alone() -> None:
    reference = make_program()

    stored = rendering.store_diff(program=reference)

    assert stored.summary["is_plain"] is True
    assert stored.html.count("<table") == 1
    assert rendering.store_diff(program=reference).pk == stored.pk


def test_stores_something_to_show_for_every_accepted_program() -> None:
    requirement = make_requirement()
    make_program(requirement=requirement)

    fill(requirement=requirement, plan=Plan(targets=(1, 2, 3, 4)), lease=Held(), counted={})

    assert requirement.programs.accepted().count() > 1
    assert not requirement.programs.accepted().filter(rendered_diff=None).exists()


def test_applies_mechanical_rules_only_where_a_rewrite_exists() -> None:
    parent = make_program()
    program = build_chain(parent=parent, target=2, seed="s", rewriter=MechanicalRewriter(), draw_number=0)

    assert program.chain.rewriter == "mechanical"
    assert Verification.objects.filter(program=program).count() == 1
