from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from perturbation import disruption
from perturbation.disruption import Foreign, NoForeignProgram, choose_foreign, pair_with_foreign
from perturbation.languages.go import LANGUAGE as GO
from perturbation.models import Embedding, Program, Requirement
from tests import factories
from tests.model_server import Scripted, serve

KEYS = st.text(alphabet="abcdef", min_size=1, max_size=4)
COSINES = st.floats(-1, 1).map(lambda value: round(value, 3))


@given(similarities=st.dictionaries(KEYS, COSINES, min_size=1, max_size=40), seed=st.text(max_size=3))
def test_draws_from_the_most_dissimilar_tenth(similarities: dict[str, float], seed: str) -> None:
    chosen = choose_foreign(similarities=similarities, seed=seed)

    tenth = sorted(similarities.values())[: -(-len(similarities) // 10)]
    assert chosen.similarity == similarities[chosen.key]
    assert chosen.similarity <= max(tenth)


@given(similarities=st.dictionaries(KEYS, COSINES, min_size=1, max_size=40), seed=st.text(max_size=3))
def test_the_draw_does_not_depend_on_the_order(similarities: dict[str, float], seed: str) -> None:
    backwards = dict(reversed(similarities.items()))

    assert choose_foreign(similarities=backwards, seed=seed) == choose_foreign(similarities=similarities, seed=seed)


def test_another_seed_reaches_the_whole_tenth() -> None:
    similarities = {f"{number:02}": number / 100 for number in range(30)}

    drawn = {choose_foreign(similarities=similarities, seed=str(seed)).key for seed in range(40)}

    assert drawn == {"00", "01", "02"}


def test_goes_on_with_the_next_most_dissimilar_where_the_tenth_is_used_up() -> None:
    similarities = {"far": -0.1, "near": 0.9, "middle": 0.3}

    assert choose_foreign(similarities=similarities, seed="0") == Foreign("far", -0.1)
    assert choose_foreign(similarities=similarities, seed="0", used={"far"}) == Foreign("middle", 0.3)


def test_refuses_when_nothing_is_left() -> None:
    with pytest.raises(NoForeignProgram, match="all 1 programs"):
        choose_foreign(similarities={"far": 0.1}, seed="0", used={"far"})
    with pytest.raises(NoForeignProgram, match="no other requirement"):
        choose_foreign(similarities={}, seed="0")


def make_reference(external_id: str, text: str, statement: str, *, tests: str, **values: str) -> Requirement:
    requirement = factories.make_requirement(
        external_id=external_id, text=statement, tests=tests, entry_point="run", **values
    )
    factories.make_program(requirement=requirement, text=text, tokens=external_id)
    return requirement


@pytest.fixture
def doubling(db: None) -> Requirement:
    make_reference("dates", "def run(x):\n    return 'today'\n", "Parse a date string.", tests="assert run(1)\n")
    make_reference("graph", "def run(x):\n    return None\n", "Find a path in a graph.", tests="assert 1\n")
    return make_reference(
        "double",
        "def run(x):\n    return 2 * x\n",
        "Double a number.",
        tests="def test_two():\n    assert run(2) == 4\n",
    )


def test_saves_a_program_of_another_requirement_that_fails_the_tests(doubling: Requirement) -> None:
    program = pair_with_foreign(requirement=doubling, seed="0", draw_number=0)

    program.refresh_from_db()
    assert program.parent is not None
    assert program.parent.requirement != doubling
    assert program.requirement == doubling
    assert (program.kind, program.state, program.target_score) == ("disrupted", "accepted", 0)
    assert (program.text, program.tokens) == (program.parent.text, program.parent.tokens)
    assert program.similarity is not None
    assert -1 <= program.similarity < 0.5
    assert program.verifications.get().failed == 1


def test_every_draw_is_another_program_and_a_repeated_draw_is_the_same_row(doubling: Requirement) -> None:
    first = pair_with_foreign(requirement=doubling, seed="0", draw_number=0)
    second = pair_with_foreign(requirement=doubling, seed="0", draw_number=1)

    assert first.text != second.text
    assert pair_with_foreign(requirement=doubling, seed="0", draw_number=0) == first
    with pytest.raises(NoForeignProgram):
        pair_with_foreign(requirement=doubling, seed="0", draw_number=2)
    assert Program.objects.filter(kind=Program.Kind.DISRUPTED).count() == 2


def test_refuses_a_program_that_passes_the_tests_it_is_shown_against(doubling: Requirement) -> None:
    doubling.tests = "def test_runs():\n    run(1)\n"
    doubling.save()

    program = pair_with_foreign(requirement=doubling, seed="0", draw_number=0)

    program.refresh_from_db()
    assert (program.state, program.refusal) == ("refused", disruption.PASSES_TESTS)
    assert program.verifications.get().status == "passed"


@pytest.mark.django_db
def test_pairs_within_the_language_only_and_without_running_what_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disruption.registry, "get", lambda language: replace(GO, id=language, runner=None))
    make_reference("python", "def run():\n    pass\n", "Parse a date.", tests="assert 1\n")
    make_reference("other", "package main\n", "Find a path.", tests="x", language="go")
    requirement = make_reference("shown", "package main // 2\n", "Double a number.", tests="x", language="go")

    program = pair_with_foreign(requirement=requirement, seed="0", draw_number=0)

    assert program.parent is not None
    assert program.parent.requirement.external_id == "other"
    assert program.state == Program.State.ACCEPTED
    assert not program.verifications.exists()


@pytest.mark.django_db
def test_the_same_text_under_another_id_is_no_foreign_program() -> None:
    make_reference("twin", "def run(x):\n    return 2 * x\n", "Twice a number.", tests="assert 1\n")
    requirement = make_reference("double", "def run(x):\n    return 2 * x\n", "Double a number.", tests="assert 1\n")

    with pytest.raises(NoForeignProgram):
        pair_with_foreign(requirement=requirement, seed="0", draw_number=0)
    assert not Program.objects.filter(kind=Program.Kind.DISRUPTED).exists()


def test_reads_the_vectors_once_and_again_when_a_requirement_changed(doubling: Requirement) -> None:
    disruption._spaces.clear()
    pair_with_foreign(requirement=doubling, seed="0", draw_number=0)

    with CaptureQueriesContext(
        connection,
    ) as queries:
        pair_with_foreign(requirement=doubling, seed="0", draw_number=1)
    Requirement.objects.filter(external_id="dates").update(text="Halve a number.", source_hash="changed")
    before = Embedding.objects.count()
    similarities = disruption._similarities(doubling, ["dates", "graph"], lambda: None)

    assert not [query for query in queries if "perturbation_embedding" in query["sql"]]
    assert Embedding.objects.count() == before + 1
    assert similarities["dates"] > similarities["graph"]


def test_pairs_by_the_vectors_of_the_endpoint_that_is_set(doubling: Requirement, settings: Any) -> None:
    angles = {
        "Parse a date string.": [0.6, 0.8],
        "Find a path in a graph.": [-3.0, 0.0],
        "Double a number.": [2.0, 0.0],
    }

    with serve(Scripted(vectors=lambda text: angles[text])) as server:
        settings.AXIOM_EMBEDDING_BASE_URL, settings.AXIOM_EMBEDDING_MODEL = server.base_url, "angles"
        program = pair_with_foreign(requirement=doubling, seed="0", draw_number=0)

    assert program.similarity == -1.0
    assert program.parent is not None
    assert program.parent.requirement.external_id == "graph"
    assert sorted(server.requests[0]["input"]) == sorted(angles)
