"""Requirements with several right programs: who is a parent, who stands for the requirement, what is shown beside."""

from __future__ import annotations

import pytest

from perturbation import disruption, perturbing, rendering
from perturbation.models import Program
from tests.factories import CHILD_TEXT, PARENT_TEXT, make_program, make_requirement

pytestmark = pytest.mark.django_db

OTHER_TEXT = PARENT_TEXT.replace("result", "subtotal")


def references(external_id: str = "several") -> list[Program]:
    """A refused reference, then two that passed, saved in another order than that of their numbers."""
    requirement = make_requirement(external_id=external_id)
    last = make_program(requirement=requirement, draw_number=2, text=OTHER_TEXT)
    first = make_program(
        requirement=requirement, draw_number=0, text=CHILD_TEXT, state="refused", refusal="fails its tests"
    )
    middle = make_program(requirement=requirement, draw_number=1)
    return [first, middle, last]


def test_an_exemplar_comes_from_the_first_reference_that_passed() -> None:
    _, middle, _ = references()

    parents = {perturbing._choose_parent(middle.requirement, 5, str(seed)).pk for seed in range(5)}

    assert parents == {middle.pk}


def test_every_reference_that_passed_is_a_parent_of_the_other_programs() -> None:
    _, middle, last = references()

    parents = {perturbing._choose_parent(middle.requirement, 2, str(seed)).pk for seed in range(20)}

    assert parents == {middle.pk, last.pk}


def test_the_first_reference_that_passed_stands_for_its_requirement_in_pairs() -> None:
    _, middle, _ = references()
    here = make_program(requirement=make_requirement(external_id="here"), text="def other() -> int:\n    return 1\n")

    foreign = disruption._foreign_references(here.requirement)

    assert {key: program.pk for key, program in foreign.items()} == {"several": middle.pk}


def test_a_pair_is_shown_beside_the_first_reference_that_passed() -> None:
    _, middle, _ = references()
    foreign = make_program(requirement=make_requirement(external_id="foreign"))
    pair = make_program(requirement=middle.requirement, kind="disrupted", target_score=0, parent=foreign)

    assert rendering._left_of(pair) == middle
