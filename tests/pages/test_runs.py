"""The pages of runs: what they count, who may steer, how polling ends, and that they stay quick on many programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from perturbation.contexts.results import run_results
from perturbation.contexts.runs import run_progress
from perturbation.models import Chain, Outbox, Program, Run, RunUnit, Step, WorkerHeartbeat
from tests.factories import make_benchmark, make_perturbed, make_program, make_requirement
from tests.pages import html

ClientFor = Callable[[User], Client]


@pytest.fixture
def run(db: None) -> Run:
    """An active run with a done, a failed and a waiting unit."""
    parameters = {"targets": [2, 4], "per_target": 2, "seed": "7"}
    made = Run.objects.create(kind="perturb", benchmark=make_benchmark(), parameters_hash="0", parameters=parameters)
    outcome = {"created": 5, "accepted": 3, "refused": 2}
    RunUnit.objects.create(run=made, key="a", position=0, state="done", outcome=outcome, finished_at=timezone.now())
    error = "ValueError: <b>broken</b>\nTraceback: line 3"
    RunUnit.objects.create(run=made, key="b", position=1, state="failed", error=error, finished_at=timezone.now())
    RunUnit.objects.create(run=made, key="c", position=2)
    return made


def make_verdict(*, parent: Program, draw: int, refusal: str = "", rule: str = "wrong-comparison") -> Program:
    """A program of target 2 whose binding rule is `rule`, refused where a reason is given."""
    program = make_perturbed(
        parent=parent, draw_number=draw, state="refused" if refusal else "accepted", refusal=refusal
    )
    Step.objects.filter(chain__program=program).update(rule_id=rule)
    return program


def address(run: Run, action: str = "") -> str:
    return f"/pipeline/runs/{run.pk}/{action}"


def test_shows_where_the_run_stands(run: Run, mia: User, client_for: ClientFor) -> None:
    text = html.text_of(html.document(client_for(mia).get(address(run))))

    assert "1 of 3 units" in text
    assert "targets 2, 4 · programs a cell 2 · seed 7" in text
    assert "– units a minute" in text or "units a minute –" in text
    assert "ValueError: <b>broken</b>" in text
    assert "nan" not in text.lower().split()


def test_counts_what_the_units_counted(run: Run) -> None:
    progress = run_progress(run=run, now=timezone.now())

    assert (progress.accepted, progress.refused, progress.line.left, progress.line.failed) == (3, 2, 1, 1)
    assert (progress.units_rate, progress.made_rate, progress.time_left) == ("–", "–", "–")


def test_names_each_workers_sandbox_and_tool_chains(run: Run, mia: User, client_for: ClientFor) -> None:
    languages = {"python": "Python 3.11", "go": ""}
    WorkerHeartbeat.objects.create(name="w@a", seen_at=timezone.now(), sandbox="bubblewrap", languages=languages)

    text = html.text_of(html.fragment(client_for(mia).get(address(run, "progress/"))))

    assert "w@a sandbox: bubblewrap go missing python Python 3.11" in text


def test_counts_refusals_by_binding_rule_and_language_worst_first(run: Run) -> None:
    parent = make_program()
    for draw in range(5):
        refusal = ["", "does not parse"][draw] if draw < 2 else "passes all tests"
        make_verdict(parent=parent, draw=draw, refusal=refusal)
    make_verdict(parent=parent, draw=5, rule="off-by-one", refusal="passes all tests")

    lines = run_results(run=run).rules

    assert [(line.rule, line.language, line.proposed, line.refused, line.is_bad) for line in lines] == [
        ("wrong-comparison", "python", 5, 4, True),
        ("off-by-one", "python", 1, 1, False),
    ]
    assert [(reason.words, reason.count) for reason in lines[0].reasons] == [
        ("passes all tests", 3),
        ("does not parse", 1),
    ]


def test_counts_a_rule_only_where_it_sets_the_score(run: Run) -> None:
    program = make_verdict(parent=make_program(), draw=0)
    Step.objects.create(
        chain=program.chain, number=2, rule_id="unused", rule_version=1, ceiling=4, effort="tweak", text=program.text
    )

    assert [line.rule for line in run_results(run=run).rules] == ["wrong-comparison"]


def test_keeps_draws_without_a_binding_step_apart(run: Run) -> None:
    refused = make_verdict(parent=make_program(), draw=0, refusal="no rule applies")
    Step.objects.all().delete()

    results = run_results(run=run)

    assert results.rules == ()
    assert [(line.target, line.reason.words, line.reason.example) for line in results.ruleless] == [
        (2, "no rule applies", refused.pk)
    ]


def test_measures_full_cells_by_language_and_target(run: Run) -> None:
    first, second = make_program(), make_program()
    for draw in range(3):
        make_perturbed(parent=first, draw_number=draw)
    make_perturbed(parent=second)

    (line,) = run_results(run=run).fill

    assert (line.language, line.requirements, line.five_point) == ("python", 2, 2)
    assert [(cell.target, cell.accepted, cell.full, cell.percent) for cell in line.cells] == [
        (2, 4, 1, 50.0),
        (4, 0, 0, 0.0),
    ]


@pytest.mark.parametrize(
    ("sort", "first"), [("", "wrong-comparison"), ("proposed", "off-by-one"), ("nonsense", "wrong-comparison")]
)
def test_sorts_rules_by_the_column_that_was_asked_for(sort: str, first: str, run: Run) -> None:
    parent = make_program()
    make_verdict(parent=parent, draw=0, refusal="passes all tests")
    for draw in (1, 2):
        make_verdict(parent=parent, draw=draw, rule="off-by-one")

    assert run_results(run=run, sort=sort).rules[0].rule == first


def test_pauses_resumes_and_cancels_by_plain_forms(run: Run, mia: User, client_for: ClientFor) -> None:
    client = client_for(mia)
    states = []

    for action in ("pause/", "pause/", "resume/", "cancel/", "resume/"):
        answer = client.post(address(run, action))
        assert (answer.status_code, answer.headers["Location"]) == (302, address(run))
        run.refresh_from_db()
        states.append((run.state, run.note))

    assert states == [
        ("paused", "paused by mia"),
        ("paused", "paused by mia"),
        ("active", "resumed by mia"),
        ("cancelled", "cancelled by mia"),
        ("cancelled", "cancelled by mia"),
    ]
    assert Outbox.objects.count() == 1
    assert "Nothing to do: the run is cancelled." in html.text_of(html.document(client.get(address(run))))


def test_tries_failed_units_again(run: Run, mia: User, client_for: ClientFor) -> None:
    client_for(mia).post(address(run, "retry/"))

    assert sorted(run.units.values_list("key", "state")) == [("a", "done"), ("b", "waiting"), ("c", "waiting")]


def test_gives_leads_no_buttons(run: Run, lena: User, client_for: ClientFor) -> None:
    page = html.document(client_for(lena).get(address(run)))

    assert page.findall(".//main//form") == []


def test_polls_until_the_run_is_over(run: Run, mia: User, client_for: ClientFor) -> None:
    client = client_for(mia)
    going = client.get(address(run, "progress/?state=active"))
    Run.objects.update(state="finished", finished_at=timezone.now())

    over = client.get(address(run, "progress/?state=active"))

    assert going.status_code == 200
    assert b"hx-get" in going.content
    assert b"run-actions" not in going.content
    assert over.status_code == 286
    assert b"hx-get" not in over.content
    assert b'id="run-actions" class="actions run-actions" hx-swap-oob="true"' in over.content
    assert client.get(address(run, "results/")).status_code == 286


@pytest.mark.parametrize(("age", "is_told"), [(5, False), (60, True)])
def test_says_that_units_wait_and_no_worker_is_seen(  # noqa: PLR0913
    age: int,
    is_told: bool,
    run: Run,
    mia: User,
    client_for: ClientFor,  # noqa: FBT001
) -> None:
    WorkerHeartbeat.objects.create(name="w", seen_at=timezone.now() - timedelta(seconds=age), sandbox="bubblewrap")

    text = html.text_of(html.document(client_for(mia).get(address(run))))

    assert ("no worker was seen for 20 seconds" in text) is is_told


def test_lists_runs_newest_first_with_what_they_were_asked_for(run: Run, mia: User, client_for: ClientFor) -> None:
    Run.objects.create(kind="verify", benchmark=make_benchmark(), parameters_hash="1", state="finished")

    page = html.document(client_for(mia).get("/pipeline/runs/"))

    rows = [html.text_of(row) for row in page.findall(".//tbody/tr")]
    assert [row.split()[0] for row in rows] == ["verify", "perturb"]
    assert "targets 2, 4 · programs a cell 2 · seed 7" in rows[1]


def test_aggregates_ten_thousand_programs_in_the_database(
    run: Run, mia: User, client_for: ClientFor, django_assert_num_queries: Callable[..., object]
) -> None:
    parents = [make_program(requirement=make_requirement(position=number)) for number in range(20)]
    make_many(parents, each=500)
    client = client_for(mia)
    client.get(address(run))

    with django_assert_num_queries(15):
        text = html.text_of(html.document(client.get(address(run))))

    assert "wrong-comparison python 2 10000 5000 50 %" in text


def make_many(parents: list[Program], *, each: int) -> None:
    """Programs of target 2 with one step, every other one refused, written in bulk."""
    programs = Program.objects.bulk_create(
        Program(
            requirement=parent.requirement,
            parent=parent,
            kind="perturbed",
            target_score=2,
            draw_number=draw,
            language="python",
            state="refused" if draw % 2 else "accepted",
            refusal="passes all tests" if draw % 2 else "",
        )
        for parent in parents
        for draw in range(each)
    )
    chains = Chain.objects.bulk_create(Chain(program=program, target_score=2) for program in programs)
    Step.objects.bulk_create(
        Step(chain=chain, number=1, rule_id="wrong-comparison", rule_version=1, ceiling=2, effort="tweak")
        for chain in chains
    )


def test_tells_no_time_left_where_nobody_works(run: Run, now: datetime) -> None:
    times = [now - timedelta(seconds=20 * number) for number in range(3)]
    RunUnit.objects.filter(run=run, state="done").delete()
    for number, time in enumerate(times):
        RunUnit.objects.create(run=run, key=f"done {number}", position=90 + number, state="done", finished_at=time)
    assert run_progress(run=run, now=now).time_left == "–"

    WorkerHeartbeat.objects.create(name="worker", seen_at=now)

    assert run_progress(run=run, now=now).time_left != "–"
