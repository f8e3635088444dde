"""The commands of the pipeline as a shell runs them: counts, refusals, running twice."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.core.management import CommandError, call_command

from axiom_site.commands import LONGEST_SEED, progress_lines
from perturbation.management import driving
from perturbation.models import Benchmark, Chain, Outbox, Program, Requirement, Run, Selection
from perturbation.rules.registry import all_rules
from tests import local_servers
from tests.factories import CHILD_TEXT, make_perturbed, make_program, make_requirement

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> Any:
    """Run a command with --json and return the object in its last line."""
    output = io.StringIO()
    call_command(*arguments, "--json", stdout=output, stderr=io.StringIO())
    return json.loads(output.getvalue().splitlines()[-1])


def make_sample() -> None:
    """Two references that wait for verification, one of them wrong, and a requirement without a reference."""
    make_program(requirement=make_requirement(external_id="right", position=0), state="pending")
    make_program(requirement=make_requirement(external_id="wrong", position=1), state="pending", text=CHILD_TEXT)
    make_requirement(external_id="bare", position=2)


def test_verify_counts_what_it_decided_and_changes_nothing_the_second_time() -> None:
    make_sample()

    first = run("verify", "--benchmark", "sample", "--inline")
    second = run("verify", "--benchmark", "sample", "--inline")

    stands = {"accepted": 1, "refused": 1, "refused_by_reason": {"fails its tests": 1}, "failed": 0, "not_usable": 1}
    stands |= {"verified_requirements": 1, "not_runnable": 0, "missing": {}}
    assert first == {"created": 2, "unchanged": 0, **stands}
    assert second == {"created": 0, "unchanged": 2, **stands}


def test_verify_takes_a_benchmark_without_anything_to_verify_for_no_failure() -> None:
    make_requirement(external_id="bare")

    counts = run("verify", "--benchmark", "sample", "--inline")

    assert (counts["accepted"], counts["not_usable"]) == (0, 1)


def test_perturb_fills_the_cells_and_changes_nothing_the_second_time() -> None:
    make_program(requirement=make_requirement(external_id="right"))
    options = ("--benchmark", "sample", "--targets", "2,4", "--exemplars", "1", "--inline")

    first = run("perturb", *options)
    second = run("perturb", *options)

    assert first["accepted_by_target"] == {"2": 2, "4": 2, "5": 1}
    assert first["shortfall"] == {"2": 0, "4": 0, "5": 0}
    assert first["created"] == first["accepted"] + first["refused"] == Program.objects.exclude(kind="reference").count()
    assert second == {**first, "created": 0, "unchanged": first["created"]}
    assert list(Run.objects.values_list("state", flat=True)) == ["finished", "finished"]


def test_perturb_says_what_to_do_first() -> None:
    make_requirement()

    with pytest.raises(CommandError, match="sample has no reference that passed its tests: run verify"):
        run("perturb", "--benchmark", "sample", "--inline")


@pytest.mark.parametrize("command", ["verify", "perturb", "build_reports"])
def test_names_the_benchmarks_that_exist(command: str) -> None:
    make_requirement()

    with pytest.raises(CommandError, match=r"No benchmark is called 'smaple'\. There are: sample\."):
        run(command, "--benchmark", "smaple", "--inline")


@pytest.mark.parametrize("targets", ["5", "1;2", "-1", ""])
def test_perturb_refuses_targets_that_are_none(targets: str) -> None:
    with pytest.raises(CommandError, match="is no list of target scores"):
        run("perturb", "--benchmark", "sample", f"--targets={targets}")


def test_build_reports_counts_reports_and_changes_nothing_the_second_time() -> None:
    make_program()

    first = run("build_reports", "--benchmark", "sample", "--inline")
    second = run("build_reports", "--benchmark", "sample", "--inline")

    assert (first["created"], first["unchanged"]) == (3, 0)
    assert (second["created"], second["unchanged"]) == (0, 3)
    assert first["by_status"]["quality: not_configured"] == 1


def test_select_saves_its_picks_once() -> None:
    parent = make_program()
    for number in range(3):
        make_perturbed(parent=parent, text=CHILD_TEXT + f"# {number}\n", draw_number=number)

    options = ("--benchmark", "sample", "--per-score", "2", "--name", "ours")
    first = run("select", *options)
    second = run("select", *options)

    assert first["picked_by_target"] == {"0": 0, "1": 0, "2": 2, "3": 0, "4": 0, "5": 1}
    assert first["shortfall"] == {"0": 2, "1": 2, "2": 0, "3": 2, "4": 2, "5": 1}
    assert (first["created"], first["unchanged"]) == (3, 0)
    assert (second["created"], second["unchanged"]) == (0, 3)
    assert Selection.objects.get().picks.count() == 3


def test_select_prints_a_table_and_compares_with_chance_only_where_there_was_a_choice() -> None:
    parent = make_program()
    make_perturbed(parent=parent, target=4, text=CHILD_TEXT + "# a\n")
    for number in range(3):
        make_perturbed(parent=parent, text=CHILD_TEXT + f"# {number}\nx{number} = {number}\n", draw_number=number)
    output = io.StringIO()

    call_command("select", "--benchmark", "sample", "--per-score", "2", "--name", "ours", stdout=output)

    counts = run("select", "--benchmark", "sample", "--per-score", "2", "--name", "ours")
    rows = [line.split() for line in output.getvalue().splitlines()]
    cell = Selection.objects.get().statistics["2"]
    distances = [f"{cell[name]:.3f}" for name in ("min_distance", "mean_distance", "random_min", "random_mean")]
    assert ["2", "2", "3", "0", *distances] in rows
    assert ["4", "1", "1", "1", "-", "-"] in rows
    assert counts["random_min"] == {"2": cell["random_min"]}
    assert counts["mean_distance"] == {"2": cell["mean_distance"], "4": None, "5": None}


@pytest.mark.parametrize(
    ("seed", "told"),
    [
        ("x" * 101, "a seed has at most 100 characters, this one has 101"),
        ("a\nb", "use characters that can be printed"),
    ],
)
@pytest.mark.parametrize("command", ["perturb", "select"])
def test_refuses_a_seed_that_cannot_be_stored(command: str, seed: str, told: str) -> None:
    name = ("--name", "ours") if command == "select" else ()

    with pytest.raises(CommandError, match=told):
        call_command(command, "--benchmark", "sample", *name, "--seed", seed)


def test_a_chain_holds_the_longest_seed_of_a_draw() -> None:
    fields = [(Benchmark, "name"), (Requirement, "external_id")]
    parts = [LONGEST_SEED, *(model._meta.get_field(name).max_length for model, name in fields)]

    longest = "|".join("x" * part for part in parts) + "|4|99999"

    assert len(longest) <= Chain._meta.get_field("seed").max_length


def test_select_refuses_the_same_name_for_something_else() -> None:
    make_perturbed()
    run("select", "--benchmark", "sample", "--name", "ours")

    with pytest.raises(CommandError, match="'ours' exists already, of sample with --per-score 90 --seed 0"):
        run("select", "--benchmark", "sample", "--name", "ours", "--seed", "1")


def test_select_says_what_to_do_first() -> None:
    make_requirement()

    with pytest.raises(CommandError, match="sample has no accepted program"):
        run("select", "--benchmark", "sample", "--name", "ours")


def test_list_rules_gives_every_rule_with_its_languages() -> None:
    rules = run("list_rules")

    assert [rule["id"] for rule in rules] == [rule.id for rule in all_rules()]
    assert set(rules[0]) == {"id", "version", "title", "ceiling", "aspect", "effort", "languages", "mechanical"}


def test_list_rules_prints_a_table_for_people() -> None:
    output = io.StringIO()

    call_command("list_rules", stdout=output)

    assert all(rule.id in output.getvalue() for rule in all_rules())


def test_says_how_far_it_is_where_no_terminal_shows_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    moments = iter([0.0, 14.0, 15.0, 20.0, 31.0])
    show = progress_lines("perturb sample", total=24, clock=lambda: next(moments))

    for done in (1, 2, 3, 4):
        show(done, f"{24 - done} left")

    assert capsys.readouterr().err == "perturb sample: 2 of 24, 22 left\nperturb sample: 4 of 24, 20 left\n"


def test_works_here_where_neither_broker_nor_worker_is_there(settings: Any) -> None:
    settings.AXIOM_BROKER_URL = ""
    make_sample()
    errors = io.StringIO()

    call_command("verify", "--benchmark", "sample", stdout=io.StringIO(), stderr=errors)

    assert errors.getvalue().strip() == "No broker is configured and no worker is seen: working in this process."
    assert Program.objects.filter(state="accepted").count() == 1


def test_keeps_the_run_planned_when_the_broker_is_away(settings: Any) -> None:
    make_sample()
    settings.AXIOM_BROKER_URL = f"redis://127.0.0.1:{local_servers.free_port()}/0"
    before = current_app.conf.broker_url
    current_app.conf.update(broker_url=settings.AXIOM_BROKER_URL)

    with pytest.raises(CommandError, match=r"cannot be reached\. The run stays planned"):
        run("verify", "--benchmark", "sample")

    current_app.conf.update(broker_url=before)
    assert Run.objects.get().state == "active"
    assert Outbox.objects.filter(sent_at=None).count() == 2
    assert run("verify", "--benchmark", "sample", "--inline")["accepted"] == 1
    assert Run.objects.get().state == "finished"


def test_says_once_that_no_worker_was_seen_for_half_a_minute() -> None:
    said: list[str] = []
    watcher = driving._Watcher(said.append)
    long_ago = time.monotonic() - driving.WAIT_FOR_WORKER_SECONDS - 1

    watcher.swept_at = long_ago
    watcher.look()
    assert said == []

    for _ in range(2):
        watcher.swept_at = watcher.worker_seen_at = long_ago
        watcher.look()
    assert said == ["waiting, no worker seen: start one with `celery -A axiom_site worker`"]


def test_says_that_the_database_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "no.sqlite3").write_bytes(b"no database at all" * 100)
    environment = {
        **os.environ,
        "AXIOM_DATA_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'no.sqlite3'}",
    }
    command = [sys.executable, "manage.py", "verify", "--benchmark", "sample"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.strip() == (
        "CommandError: The database cannot be used (file is not a database): "
        "check DATABASE_URL and that it can be written to."
    )


def test_says_that_the_database_has_no_tables(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "AXIOM_DATA_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'new.sqlite3'}",
    }
    command = [sys.executable, "manage.py", "verify", "--benchmark", "sample"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr.strip() == "CommandError: The database has no tables yet: run `manage.py migrate` first."


@pytest.mark.parametrize(
    ("arguments", "environment", "line"),
    [
        (["perturb", "--benchmark", "b", "--targets", "7"], {}, "argument --targets: '7' is no list of target scores"),
        (["verify"], {}, "the following arguments are required: --benchmark"),
        (["list_rules"], {"AXIOM_OVERLAP": "x"}, "AXIOM_OVERLAP='x' is not a whole number."),
        (["list_rules"], {"DATABASE_URL": "foo://x"}, "DATABASE_URL is no address of a database"),
        (["list_rules"], {"AXIOM_PRODUCTION": "1"}, "AXIOM_SECRET_KEY is missing"),
    ],
    ids=["argument", "missing argument", "setting", "database", "secret"],
)
def test_refuses_bad_input_in_one_line(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], line: str
) -> None:
    manage = str(Path(__file__).resolve().parents[2] / "manage.py")

    done = subprocess.run(
        [sys.executable, manage, *arguments],
        env={**os.environ, "AXIOM_DATA_DIR": str(tmp_path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert line in done.stderr
