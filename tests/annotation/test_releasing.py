"""Releases: what is in the files, and that they are whole, safe and the same each time."""

from __future__ import annotations

import csv
import hashlib
import json
import uuid
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries

from annotation.calibrating import content_version, submit_score
from annotation.exporting import records
from annotation.exporting.files import DirectoryUnusable, FileSet, safe_name
from annotation.exporting.records import Line
from annotation.models import Adjudication, Assignment, Batch, Item, Release
from annotation.releasing import FormatUnavailable, NothingToRelease, release
from annotation.settling import Final, Provenance, final_of
from axiom_site import roles
from perturbation.models import Program, Report
from tests.conftest import make_person
from tests.factories import make_assignment, make_batch, make_benchmark, make_perturbed, make_program, make_requirement

pytestmark = pytest.mark.django_db

AWKWARD = 'a,"b"\r\n;x\ty\u2028z \U0001f600'


def score(assignment: Assignment, value: int, now: datetime, *, reason: str = "", revision: int = 0) -> None:
    submit_score(
        assignment=assignment,
        value=value,
        reason=reason,
        idempotency_key=uuid.uuid4(),
        content_version=content_version(program=assignment.item.program),
        expected_revision=revision,
        now=now,
    )


def make_programs(count: int, *, benchmark: str = "sample") -> list[Program]:
    """Programs with the same content keys in every call."""
    made = []
    for place in range(count):
        requirement = make_requirement(
            benchmark=make_benchmark(name=benchmark), external_id=f"{benchmark}-{place}", position=place
        )
        made.append(make_perturbed(parent=make_program(requirement=requirement)))
    return made


def vote(item: Item, person: User, value: int, now: datetime, *, slot: int = 0, reason: str = "") -> Assignment:
    assignment = make_assignment(annotator=person, item=item, slot=slot)
    score(assignment, value, now, reason=reason)
    return assignment


@pytest.fixture
def mixed(alice: User, bob: User, lena: User, now: datetime) -> Batch:
    """Five items: one vote, two equal, two different, two different and adjudicated, none."""
    batch = make_batch(name="main", programs=make_programs(5), overlap=2)
    items = list(batch.items.order_by("position"))
    vote(items[0], alice, 2, now)
    for place, values in ((1, (3, 3)), (2, (1, 4)), (3, (0, 2))):
        vote(items[place], alice, values[0], now, reason=f"alice on {place}")
        vote(items[place], bob, values[1], now, slot=1, reason=AWKWARD)
    Adjudication.objects.create(item=items[3], value=1, reason="in between", decided_by=lena, created_at=now)
    return batch


def json_lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_bytes().decode().splitlines()]


@pytest.mark.parametrize(
    ("votes", "adjudicated", "final"),
    [
        ([], None, Final(None, Provenance.UNSCORED)),
        ([0], None, Final(0, Provenance.SINGLE)),
        ([0, 0, 0], None, Final(0, Provenance.UNANIMOUS)),
        ([3, 3, 2], None, Final(None, Provenance.UNRESOLVED)),
        ([3, 3, 2], 0, Final(0, Provenance.ADJUDICATED)),
        ([], 4, Final(4, Provenance.ADJUDICATED)),
    ],
)
def test_settles_the_final_score(votes: list[int], adjudicated: int | None, final: Final) -> None:
    assert final_of(votes, adjudicated=adjudicated) == final


def test_writes_final_scores_in_the_published_shape(mixed: Batch, now: datetime, tmp_path: Path) -> None:
    row = release(batches=[mixed], format="axiombench", directory=tmp_path / "new" / "out", now=now)

    (file,) = row.files
    assert Path(file["path"]) == (tmp_path / "new" / "out" / "sample.jsonl").resolve()
    rows = json_lines(file["path"])
    assert [list(each) for each in rows] == [["inst", "code", "lang", "score"]] * 3
    programs = [item.program for item in mixed.items.order_by("position")]
    assert rows[0] == {
        "inst": programs[0].requirement.text,
        "code": programs[0].text,
        "lang": "python",
        "score": 2,
    }
    assert [each["score"] for each in rows] == [2, 3, 1]
    assert file["rows"] == 3
    assert row.counts["left_out"] == {
        programs[2].content_key: "unresolved",
        programs[4].content_key: "unscored",
    }


def test_counts_what_is_in_and_out(mixed: Batch, now: datetime, tmp_path: Path) -> None:
    row = release(batches=[mixed], format="jsonl", directory=tmp_path, now=now)

    unresolved = mixed.items.get(position=2).program.content_key
    assert row.counts == {
        "items": 5,
        "by_status": {"single": 1, "unanimous": 1, "adjudicated": 1, "unresolved": 1, "unscored": 1},
        "by_score": {"1": 1, "2": 1, "3": 1},
        "missing_scores": 3,
        "open_batches": ["main"],
        "unresolved": [unresolved],
        "left_out": {},
        "left_out_count": 0,
        "escaped": [],
    }
    assert list(row.batches.all()) == [mixed]


def test_writes_everything_about_every_item(mixed: Batch, alice: User, now: datetime, tmp_path: Path) -> None:
    item = mixed.items.get(position=2)
    Report.objects.create(
        program=item.program, kind="execution", status="done", tool_version="runner 2", input_hash="h"
    )
    score(Assignment.objects.get(item=item, annotator=alice), 2, now, reason="changed", revision=1)

    row = release(batches=[mixed], format="jsonl", directory=tmp_path, now=now)

    lines = json_lines(row.files[0]["path"])
    program, parent = item.program, item.program.parent
    assert parent is not None
    found = lines[2]
    names = {each["annotator"] for each in found["votes"]}
    assert names == {"annotator-1", "annotator-2"}
    votes = sorted((each["value"], each["reason"], each["revisions"], each["round"]) for each in found.pop("votes"))
    assert votes == [(2, "changed", 2, 1), (4, AWKWARD, 1, 1)]
    assert found == {
        "id": program.content_key,
        "batch": "main",
        "position": 2,
        "benchmark": "sample",
        "external_id": "sample-2",
        "requirement": program.requirement.text,
        "language": "python",
        "kind": "perturbed",
        "program": program.text,
        "program_hash": program.text_hash,
        "parent": {"id": parent.content_key, "hash": parent.text_hash},
        "chain": {
            "seed": "0",
            "rewriter": "mechanical",
            "steps": [{"rule": "wrong-comparison", "version": 1, "ceiling": 2, "effort": "tweak"}],
        },
        "similarity": None,
        "target": 2,
        "final": {"score": None, "status": "unresolved", "reason": ""},
        "reports": [{"kind": "execution", "status": "done", "version": "runner 2"}],
    }
    assert [(each["final"]["score"], each["final"]["status"], each["target"]) for each in lines] == [
        (2, "single", 2),
        (3, "unanimous", 2),
        (None, "unresolved", 2),
        (1, "adjudicated", 2),
        (None, "unscored", 2),
    ]


def test_writes_csv_that_a_strict_reader_gives_back(mixed: Batch, now: datetime, tmp_path: Path) -> None:
    row = release(batches=[mixed], format="csv", directory=tmp_path, now=now)

    with Path(row.files[0]["path"]).open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, strict=True))
    assert len(rows) == 5 == row.files[0]["rows"]
    assert list(rows[0])[-8:] == [
        f"vote_{number}_{name}" for number in (1, 2) for name in ("annotator", "value", "reason", "revisions")
    ]
    assert {rows[3]["vote_1_reason"], rows[3]["vote_2_reason"]} == {"alice on 3", AWKWARD}
    assert rows[1]["program"] == mixed.items.get(position=1).program.text
    assert [each["target"] for each in rows] == ["2"] * 5
    assert [each["chain"] for each in rows] == ["wrong-comparison@1 (2)"] * 5
    assert all(each["parent_hash"] for each in rows)
    assert [each["final_score"] for each in rows] == ["2", "3", "", "1", ""]
    assert rows[4]["vote_1_annotator"] == ""


@pytest.mark.parametrize("format_name", ["axiombench", "jsonl", "csv"])
def test_writes_the_same_bytes_again(mixed: Batch, now: datetime, tmp_path: Path, format_name: str) -> None:
    first = release(batches=[mixed], format=format_name, directory=tmp_path / "one", now=now)

    again = release(batches=[mixed], format=format_name, directory=tmp_path / "two", now=now)

    assert [file["sha256"] for file in first.files] == [file["sha256"] for file in again.files]
    content = Path(again.files[0]["path"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == again.files[0]["sha256"]
    assert [path.name for path in (tmp_path / "two").iterdir()] == [Path(again.files[0]["path"]).name]


def test_names_no_annotator(mixed: Batch, now: datetime, tmp_path: Path) -> None:
    row = release(batches=[mixed], format="csv", directory=tmp_path, now=now)

    header, *rows = Path(row.files[0]["path"]).read_text(encoding="utf-8").split("\n", 1)
    assert "bob" not in header + "".join(rows)


def test_tells_annotators_apart_by_numbers_that_need_the_secret_key(now: datetime, settings: Any) -> None:
    batch = make_batch(name="main", programs=make_programs(1), overlap=6)
    people = [make_person(f"annotator{letter}", roles.ANNOTATOR) for letter in "abcdef"]
    for slot, person in enumerate(people):
        vote(batch.items.get(), person, 3, now, slot=slot)

    named = []
    for key in (
        "one secret key of this installation",
        "another secret key of another one",
        "one secret key of this installation",
    ):
        settings.SECRET_KEY = key
        named.append([records.pseudonyms_of([batch])[person.pk] for person in people])

    assert sorted(named[0]) == sorted(named[1]) == [f"annotator-{number}" for number in range(1, 7)]
    assert named[0] == named[2]
    assert named[0] != named[1]


def test_writes_one_file_per_benchmark(alice: User, now: datetime, tmp_path: Path) -> None:
    programs = [*make_programs(2, benchmark="zeta"), *make_programs(1, benchmark="alpha")]
    batch = make_batch(name="main", programs=programs)
    for item in batch.items.filter(program__requirement__benchmark__name="zeta"):
        vote(item, alice, 3, now)

    row = release(batches=[batch], format="axiombench", directory=tmp_path, now=now)

    assert [(Path(file["path"]).name, file["rows"]) for file in row.files] == [("alpha.jsonl", 0), ("zeta.jsonl", 2)]


def test_writes_a_program_of_two_batches_once(alice: User, bob: User, now: datetime, tmp_path: Path) -> None:
    programs = make_programs(2)
    pilot, main = make_batch(name="pilot", programs=programs), make_batch(name="main", programs=programs)
    for place, (first, second) in enumerate([(3, 3), (1, 2)]):
        vote(pilot.items.get(position=place), alice, first, now)
        vote(main.items.get(position=place), bob, second, now)

    row = release(batches=[pilot, main, pilot], format="axiombench", directory=tmp_path, now=now)

    assert [each["score"] for each in json_lines(row.files[0]["path"])] == [3]
    assert row.counts["left_out"] == {programs[1].content_key: "the batches differ"}


def test_writes_batches_with_awkward_names(alice: User, now: datetime, tmp_path: Path) -> None:
    names = ["A/B", "A B", "a-b", "A-B", "../..", "\U0001f600" * 300, "CON."]
    batches = [make_batch(name=name, programs=make_programs(1, benchmark=f"b{n}")) for n, name in enumerate(names)]

    row = release(batches=batches, format="jsonl", directory=tmp_path / "out", now=now)

    paths = [Path(file["path"]) for file in row.files]
    assert {path.parent for path in paths} == {(tmp_path / "out").resolve()}
    assert len({path.name.casefold() for path in paths}) == len(names)
    assert sorted(json_lines(str(path))[0]["batch"] for path in paths) == sorted(names)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_keeps_plain_names_and_marks_changed_ones() -> None:
    assert safe_name("humaneval", suffix=".jsonl", taken=set()) == "humaneval.jsonl"
    assert safe_name("HumanEval", suffix=".jsonl", taken={"humaneval.jsonl"}).startswith("HumanEval-")
    assert safe_name("a/b", suffix=".csv", taken=set()) != safe_name("a b", suffix=".csv", taken=set())


@pytest.mark.parametrize(
    ("format_name", "message"),
    [("parquet", "pyarrow.* Use one of: axiombench, jsonl, csv"), ("xml", "Use one of: axiombench, jsonl, csv")],
)
def test_refuses_a_format_that_is_not_there(
    mixed: Batch, now: datetime, tmp_path: Path, format_name: str, message: str
) -> None:
    with pytest.raises(FormatUnavailable, match=message):
        release(batches=[mixed], format=format_name, directory=tmp_path, now=now)

    assert (Release.objects.count(), list(tmp_path.iterdir())) == (0, [])


def test_refuses_to_release_nothing(now: datetime, tmp_path: Path) -> None:
    with pytest.raises(NothingToRelease):
        release(batches=[], format="jsonl", directory=tmp_path, now=now)


def test_refuses_a_directory_that_is_a_file(mixed: Batch, now: datetime, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")

    with pytest.raises(DirectoryUnusable, match="taken: .* Name another directory"):
        release(batches=[mixed], format="jsonl", directory=tmp_path / "taken", now=now)

    assert (Release.objects.count(), (tmp_path / "taken").read_text()) == (0, "mine")


def test_leaves_the_old_file_when_it_fails_halfway(
    mixed: Batch, now: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = release(batches=[mixed], format="jsonl", directory=tmp_path, now=now)
    before = Path(row.files[0]["path"]).read_bytes()
    read = records._record

    def fails_at_the_fourth(item: Item, pseudonyms: dict[int, str]) -> records.Record:
        if item.position == 3:
            raise OSError("no space left on device")
        return read(item, pseudonyms)

    monkeypatch.setattr(records, "_record", fails_at_the_fourth)

    with pytest.raises(OSError, match="no space left"):
        release(batches=[mixed], format="jsonl", directory=tmp_path, now=now)

    assert Path(row.files[0]["path"]).read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_escapes_half_an_emoji_and_names_the_row(tmp_path: Path) -> None:
    with FileSet(tmp_path, suffix=".jsonl") as files:
        files.write(Line("main", json.dumps({"reason": "ok \ud83d"}, ensure_ascii=False) + "\n", "b/r/perturbed/2/0"))
        files.write(Line("main", "{}\n", "other"))
        (written,) = files.publish()

    assert files.escaped == ["b/r/perturbed/2/0"]
    assert json_lines(str(written.path)) == [{"reason": "ok \ud83d"}, {}]


def test_exports_a_row_that_holds_half_an_emoji(
    mixed: Batch, now: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = mixed.items.get(position=0)
    read = records._record

    def with_broken_text(loaded: Item, pseudonyms: dict[int, str]) -> records.Record:
        if loaded.pk == item.pk:
            loaded.program.requirement.text = "half \ud83d"
        return read(loaded, pseudonyms)

    monkeypatch.setattr(records, "_record", with_broken_text)

    row = release(batches=[mixed], format="axiombench", directory=tmp_path, now=now)

    assert row.counts["escaped"] == [item.program.content_key]
    assert json_lines(row.files[0]["path"])[0]["inst"] == "half \ud83d"
    assert row.files[0]["rows"] == 3


def test_reads_in_pieces_with_as_many_queries_for_10_items_as_for_20(
    alice: User, now: datetime, django_assert_num_queries: DjangoAssertNumQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    ten = make_batch(programs=make_programs(10, benchmark="ten"))
    twenty = make_batch(programs=make_programs(20, benchmark="twenty"))
    for item in Item.objects.all():
        vote(item, alice, 2, now)

    for batch, piece in ((ten, 10), (twenty, 20), (twenty, 10)):
        monkeypatch.setattr(records, "PIECE", piece)
        pieces = batch.items.count() // piece
        with django_assert_num_queries(2 + 4 * pieces):
            found = list(records.read_records(batches=[batch], order=records.CONTENT_ORDER))
        assert [record.item.position for record in found] == list(range(batch.items.count()))


def test_is_written_by_the_command(mixed: Batch, tmp_path: Path) -> None:
    out, err = StringIO(), StringIO()

    call_command(
        "export_release",
        "--batch",
        "main",
        "--format",
        "axiombench",
        "--out",
        str(tmp_path),
        "--json",
        stdout=out,
        stderr=err,
    )

    printed = json.loads(out.getvalue().splitlines()[-1])
    assert (printed["rows"], printed["items"], printed["missing_scores"]) == (3, 5, 3)
    assert [Path(file["path"]).name for file in printed["files"]] == ["sample.jsonl"]
    assert "3 scores are missing, 1 items are unresolved" in err.getvalue()


@pytest.mark.parametrize(
    ("batch", "format_name", "message"),
    [("other", "csv", "No batch is called 'other'"), ("main", "parquet", "pyarrow")],
)
def test_refuses_by_the_command_in_one_line(
    mixed: Batch, tmp_path: Path, batch: str, format_name: str, message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("export_release", "--batch", batch, "--format", format_name, "--out", str(tmp_path))

    assert list(tmp_path.iterdir()) == []
