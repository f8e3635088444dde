"""What an import stores, and that it stores all of it or nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from perturbation.importing import Place, Refusal, Row, load
from perturbation.importing.load import BenchmarkRefused, ImportReport, import_requirements, sampled
from perturbation.languages.base import Language, Toolchain
from perturbation.models import Benchmark, Program, Requirement, content_hash
from perturbation.tokens import encode_tokens

pytestmark = pytest.mark.django_db


def make_row(number: int, **values: Any) -> Row:
    fields: dict[str, Any] = {
        "external_id": f"r{number}",
        "language": "python",
        "text": f"Return {number}.",
        "place": Place(line=number),
        "entry_point": "run",
        "reference": f"def run():\n    return {number}\n",
        "tests": f"assert run() == {number}\n",
        "title": f"Number {number}",
        "metadata": {"number": number},
    }
    return Row(**(fields | values))


def imported(*rows: Row | Refusal, lenient: bool = False, benchmark: str = "b") -> ImportReport:
    return import_requirements(rows=rows, benchmark=benchmark, source_format="axiom", lenient=lenient)


def test_stores_requirements_with_pending_references() -> None:
    report = imported(make_row(1), make_row(2))

    assert (report.created, report.unchanged, report.refused, report.not_usable) == (2, 0, (), 0)
    requirement = Requirement.objects.of("b").get(external_id="r2")
    assert (requirement.position, requirement.title, requirement.metadata) == (1, "Number 2", {"number": 2})
    assert (requirement.text, requirement.entry_point, requirement.problem) == ("Return 2.", "run", "")
    program = requirement.programs.get()
    assert (program.kind, program.state, program.target_score, program.draw_number) == ("reference", "pending", 5, 0)
    assert program.text == "def run():\n    return 2\n"
    assert program.tokens == encode_tokens(program.text, "python")
    assert program.text_hash == content_hash(program.text)


def test_a_second_import_of_500_rows_changes_nothing() -> None:
    rows = [make_row(number) for number in range(1, 501)]

    assert imported(*rows).created == 500
    before = list(Requirement.objects.order_by("pk").values())
    report = imported(*rows)

    assert (report.created, report.unchanged, report.refused) == (0, 500, ())
    assert list(Requirement.objects.order_by("pk").values()) == before
    assert Program.objects.count() == 500


@pytest.mark.parametrize("lenient", [False, True])
def test_refuses_a_row_that_changed_under_its_id_and_names_what_differs(*, lenient: bool) -> None:
    imported(make_row(1), make_row(2))

    report = imported(make_row(1), make_row(2, reference="other\n", title="Two"), make_row(3), lenient=lenient)

    (refusal,) = report.refused
    assert (refusal.line, refusal.field) == (2, "external_id")
    assert refusal.message == (
        "conflict: 'r2' is stored in benchmark 'b' with a different title, reference. Give the changed row a new "
        "external id, or use another benchmark."
    )
    assert Requirement.objects.count() == (3 if lenient else 2)
    assert Program.objects.filter(text="other\n").count() == 0
    assert (report.created, report.unchanged) == ((1, 1) if lenient else (0, 1))


def test_strict_stores_nothing_and_reports_every_refusal() -> None:
    bad = Refusal(Place(line=2), "tests", "wrong")

    report = imported(make_row(1), bad, make_row(3, unknown_keys=("score",)), make_row(1, place=Place(line=4)))

    assert [str(refusal) for refusal in report.refused] == [
        "line 2, tests: wrong",
        "line 3, score: unknown here (score): correct the name, move it into metadata, or use --lenient.",
        "line 4, external_id: 'r1' stands at line 1 already: give each row its own.",
    ]
    assert (report.created, report.stored) == (0, False)
    assert not Benchmark.objects.exists()


def test_lenient_stores_the_good_rows_and_names_unknown_keys() -> None:
    rows: list[Row | Refusal] = [make_row(number) for number in range(1, 101)]
    rows[56] = Refusal(Place(line=57), "language", "unknown")
    rows[79] = Refusal(Place(line=80), "requirement", "missing")
    rows[89] = make_row(90, metadata={"score": 3}, unknown_keys=("score",))

    report = imported(*rows, lenient=True)

    assert (report.created, [refusal.line for refusal in report.refused]) == (98, [57, 80])
    assert report.notices == ("line 90: unknown score, kept in metadata",)
    assert Requirement.objects.get(external_id="r90").metadata == {"score": 3}


def test_a_lenient_import_without_a_good_row_leaves_no_benchmark() -> None:
    report = imported(Refusal(Place(line=1), "", "broken"), lenient=True)

    assert not report.stored
    assert not Benchmark.objects.exists()


def test_marks_rows_that_cannot_be_used_yet() -> None:
    report = imported(
        make_row(1, reference=""),
        make_row(2, tests=""),
        make_row(3, reference="", tests=""),
        make_row(4, language="go"),
    )

    assert list(Requirement.objects.of("b").values_list("problem", flat=True)) == [
        "no reference program",
        "no tests",
        "no reference program; no tests",
        "",
    ]
    assert (report.created, report.refused, report.not_usable) == (4, (), 3)
    assert report.by_language == {"go": 1, "python": 3}
    assert Program.objects.count() == 2
    assert imported(make_row(1, reference="")).not_usable == 1


@pytest.mark.parametrize(
    ("values", "field", "message"),
    [
        ({"external_id": "x" * 201}, "external_id", "201 characters, at most 200"),
        ({"external_id": "r1 "}, "external_id", "white space"),
        ({"external_id": "r\n1"}, "external_id", "line break"),
        ({"title": "x" * 301}, "title", "at most 300"),
        ({"entry_point": "a\nb"}, "entry_point", "line break"),
        ({"text": "x" * 200_001}, "text", "200,001 characters"),
        (
            {"reference": "# ==== board ====\nx = 1\n", "tests": "# ==== board/test_it.py ====\nassert True\n"},
            "reference",
            "'board' is a file and also a folder of others",
        ),
    ],
)
def test_refuses_what_database_and_sandbox_cannot_hold(values: dict[str, str], field: str, message: str) -> None:
    (refusal,) = imported(make_row(1, **values)).refused

    assert refusal.field == field
    assert message in refusal.message


def test_a_broken_off_import_leaves_no_half_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "CHUNK", 10)

    def killed() -> Iterator[Row]:
        yield from (make_row(number) for number in range(35))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_requirements(rows=killed(), benchmark="b", source_format="axiom")
    assert not Benchmark.objects.exists()
    assert not Requirement.objects.exists()

    assert imported(*(make_row(number) for number in range(35))).created == 35


def test_refuses_another_format_for_a_benchmark_and_a_bad_name() -> None:
    imported(make_row(1))

    with pytest.raises(BenchmarkRefused, match="holds requirements of format axiom, not humaneval"):
        import_requirements(rows=[make_row(2)], benchmark="b", source_format="humaneval")
    for name in ("", " ", "b ", "x" * 101, "a\nb"):
        with pytest.raises(BenchmarkRefused, match="no benchmark name"):
            imported(make_row(2), benchmark=name)


def test_a_sample_depends_on_seed_and_ids_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "CHUNK", 5)
    rows = [make_row(number) for number in range(60)]
    bad = Refusal(Place(line=99), "", "broken")

    chosen = list(sampled(rows=[*rows, bad], size=7, seed="1"))
    backwards = list(sampled(rows=reversed(rows), size=7, seed="1"))

    assert chosen[0] == bad
    assert [row.line for row in chosen[1:]] == sorted(row.line or 0 for row in chosen[1:])
    assert sorted(row.line or 0 for row in backwards) == [row.line for row in chosen[1:]]
    assert len(backwards) == 7
    assert list(sampled(rows=rows, size=7, seed="2")) != chosen[1:]
    assert list(sampled(rows=rows, size=100, seed="1")) == rows


def run(path: Path, *options: str, source_format: str = "axiom") -> tuple[dict[str, Any], str]:
    out, err = io.StringIO(), io.StringIO()
    arguments = [str(path), "--format", source_format, "--benchmark", "b", "--json", *options]
    call_command("import_requirements", *arguments, stdout=out, stderr=err)
    return json.loads(out.getvalue().splitlines()[-1]), err.getvalue()


def write_rows(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def axiom_row(number: int, **values: Any) -> dict[str, Any]:
    row = {
        "external_id": f"r{number}",
        "language": "python",
        "requirement": "x",
        "reference": "x = 1",
        "tests": "assert x",
    }
    return row | values


def test_the_command_reports_its_counts(tmp_path: Path) -> None:
    path = write_rows(tmp_path, axiom_row(1), axiom_row(2, reference=None))

    counts, said = run(path)

    reasons = {"no reference program": 1}
    stands = {"refused": 0, "not_usable": 1, "not_usable_by_reason": reasons, "by_language": {"python": 2}}
    assert counts == {"created": 2, "unchanged": 0, **stands}
    assert said == ""
    assert run(path)[0] == counts | {"created": 0, "unchanged": 2}


def test_the_command_takes_a_part(tmp_path: Path) -> None:
    path = write_rows(tmp_path, *(axiom_row(number) for number in range(10)))

    assert run(path, "--limit", "3")[0]["created"] == 3
    assert list(Requirement.objects.of("b").values_list("external_id", flat=True)) == ["r0", "r1", "r2"]
    sample = run(path, "--sample", "4", "--seed", "5")[0]
    assert sample["created"] + sample["unchanged"] == 4


def test_the_command_refuses_with_a_list_and_exit_status(tmp_path: Path) -> None:
    path = write_rows(tmp_path, axiom_row(0), *(axiom_row(number, language="x") for number in range(1, 26)))
    out, err = io.StringIO(), io.StringIO()

    with pytest.raises(CommandError) as refused:
        call_command(
            "import_requirements", str(path), "--format=axiom", "--benchmark=b", "--json", stdout=out, stderr=err
        )

    assert str(refused.value) == (
        "Nothing was imported: 25 rows refused; correct them, or take the others in with --lenient."
    )
    listed = err.getvalue().splitlines()
    assert len(listed) == 21
    assert listed[0].startswith("line 2, language: unknown language 'x': use one of python,")
    assert listed[-1] == "... and 5 more refused rows"
    assert json.loads(out.getvalue())["refused"] == 25
    assert not Benchmark.objects.exists()


def test_the_command_is_lenient_when_asked(tmp_path: Path) -> None:
    path = write_rows(tmp_path, axiom_row(1), axiom_row(2, language="x"), axiom_row(3, level="easy"))

    counts, said = run(path, "--lenient")

    assert (counts["created"], counts["refused"]) == (2, 1)
    assert "line 3: unknown level, kept in metadata" in said
    assert "line 2, language: unknown language 'x'" in said


@pytest.mark.parametrize(
    ("name", "source_format", "message"),
    [
        ("missing.jsonl", "axiom", "does not exist"),
        ("rows.jsonl", "csv", "format csv is not available; available: axiom, humaneval, humaneval-x, mbpp, "),
        ("", "humaneval", "is a folder"),
    ],
)
def test_the_command_refuses_a_source_in_one_line(tmp_path: Path, name: str, source_format: str, message: str) -> None:
    write_rows(tmp_path, axiom_row(1))

    with pytest.raises(CommandError) as refused:
        run(tmp_path / name, source_format=source_format)

    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_command_refuses_references_for_rows_that_have_their_own(tmp_path: Path) -> None:
    path = write_rows(tmp_path, axiom_row(1))

    with pytest.raises(CommandError, match=r"^--references is not taken by format axiom, .* leave it out\.$"):
        run(path, "--references", str(path))
    assert not Benchmark.objects.exists()


def test_the_command_says_what_to_install_for_languages_without_tool_chain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = Toolchain(is_there=False, how_to="install golang-go")
    monkeypatch.setattr(Language, "toolchain", property(lambda language: lambda: nothing), raising=False)
    path = write_rows(tmp_path, axiom_row(1, language="go"), axiom_row(2, language="go"))

    counts, said = run(path)

    assert (counts["created"], counts["not_usable"], counts["by_language"]) == (2, 0, {"go": 2})
    assert said == "2 rows are in Go, which cannot be run here: install golang-go\n"


def test_stores_several_references_in_their_order_and_the_kind_of_tests() -> None:
    row = make_row(1, alternatives=("def run():\n    return 0 + 1\n",), test_kind="calls", tests="{}\n")

    imported(row)

    requirement = Requirement.objects.get(external_id="r1")
    references = requirement.programs.in_content_order()
    assert list(references.values_list("kind", "draw_number", "text")) == [
        ("reference", 0, row.reference),
        ("reference", 1, row.alternatives[0]),
    ]
    assert requirement.test_kind == "calls"
    assert imported(row).unchanged == 1


@pytest.mark.parametrize(
    ("changes", "named"),
    [({"alternatives": ("x = 1\n",)}, "reference"), ({"test_kind": "stdin"}, "test_kind")],
)
def test_another_reference_or_kind_of_tests_is_a_conflict(changes: dict[str, Any], named: str) -> None:
    imported(make_row(1))

    (refusal,) = imported(make_row(1, **changes)).refused

    assert f"with a different {named}." in refusal.message


def test_a_row_of_test_code_keeps_the_hash_that_is_stored() -> None:
    plain = make_row(1)
    parts = ("r1", "python", "Return 1.", "run", plain.reference, plain.tests, "Number 1", '{"number": 1}')

    assert load.source_hash(plain) == content_hash(*parts)
    assert load.source_hash(make_row(1, test_kind="calls")) == content_hash(*parts, "calls")


def test_sums_up_what_the_readers_note() -> None:
    report = imported(make_row(1, notes=(("left out", 3),)), make_row(2, notes=(("left out", 1000), ("cut", 1))))

    assert report.notices == ("cut: 1", "left out: 1,003")


def test_refuses_calls_without_a_function_and_an_overlong_alternative() -> None:
    report = imported(
        make_row(1, test_kind="calls", entry_point=""), make_row(2, alternatives=("x" * 1_000_001,)), lenient=True
    )

    assert [refusal.field for refusal in report.refused] == ["entry_point", "reference"]


def test_the_bundled_sample_is_an_axiom_tree() -> None:
    sample = Path(load.__file__).resolve().parent.parent / "sample"

    counts, _ = run(sample)

    assert counts["created"] >= 24
    assert (counts["refused"], counts["not_usable"]) == (0, 0)
    assert run(sample)[0]["created"] == 0


def test_the_command_refuses_a_format_in_which_no_row_is_of_any_use(tmp_path: Path) -> None:
    cpp = {
        "task_id": "CPP/0",
        "prompt": "int twice(int x){\n",
        "declaration": "int twice(int x){\n",
        "canonical_solution": "    return 2 * x;\n}\n",
        "test": "int main(){ assert(twice(1) == 2); }\n",
    }
    path = write_rows(tmp_path, cpp, cpp | {"task_id": "CPP/1"})

    with pytest.raises(CommandError) as refused:
        run(path, source_format="mbpp")

    assert str(refused.value) == (
        "None of 2 rows has a reference or tests when read as mbpp. This file is read well with --format humaneval-x."
    )
    assert not Benchmark.objects.exists()
    assert run(path, "--lenient", source_format="mbpp")[0]["not_usable"] == 2
    assert run(path, source_format="mbpp")[0]["unchanged"] == 2


def test_the_command_says_what_to_do_about_rows_that_no_format_makes_usable(tmp_path: Path) -> None:
    path = write_rows(tmp_path, axiom_row(1, reference=None, tests=None))

    with pytest.raises(CommandError, match=r"read as axiom\. Check --format; --lenient takes the rows as they are"):
        run(path)
