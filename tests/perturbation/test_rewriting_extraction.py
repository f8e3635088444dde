"""Which program is taken out of a model's answer, and for which reasons none is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbation.files import SourceFile, join
from perturbation.languages import registry
from perturbation.rewriting.extraction import Block, Reason, blocks, changed_program
from perturbation.tokens import token_equal
from tests.factories import CHILD_TEXT, PARENT_TEXT

NAMES = frozenset({"total", "prices", "limit"})
GO = 'package main\n\nimport "fmt"\n\nfunc total() {\n\tx := 1\n\tfmt.Println(x)\n}\n'
DOCUMENTED = PARENT_TEXT.replace('to the limit."""', 'to the limit.\n\n    ```\n    total([1], 2)\n    ```\n    """')
FENCED_CHILD = DOCUMENTED.replace("price <= limit", "price < limit")


def changed(answer: str, *, before: str = PARENT_TEXT, language: str = "python") -> str | Reason:
    return changed_program(answer, before=before, language=language, protected=NAMES)


def fenced(text: str, *, tag: str = "python", ticks: str = "```") -> str:
    ended = text if text.endswith("\n") or not text else text + "\n"
    return f"{ticks}{tag}\n{ended}{ticks}\n"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(fenced(CHILD_TEXT), id="a tagged block"),
        pytest.param(fenced(CHILD_TEXT, tag=""), id="a block without a tag"),
        pytest.param(fenced(CHILD_TEXT, tag="Python3 title=total.py"), id="a tag with more behind it"),
        pytest.param(fenced(CHILD_TEXT, ticks="~~~~"), id="tildes"),
        pytest.param(f"Sure! Here you are:\n\n{fenced(CHILD_TEXT)}\nThe limit is left out now.", id="prose around"),
        pytest.param(f"```python\n{CHILD_TEXT}", id="a block that is never closed"),
        pytest.param(CHILD_TEXT, id="no fence at all"),
        pytest.param(f"Before:\n{fenced(PARENT_TEXT)}\nAfter:\n{fenced(CHILD_TEXT)}", id="the old program first"),
        pytest.param(f"{fenced(CHILD_TEXT)}\nwas\n{fenced(PARENT_TEXT)}", id="the old program last"),
        pytest.param(f"{fenced(CHILD_TEXT)}\n{fenced('total([1], 2)')}", id="an example of use behind it"),
        pytest.param(f"{fenced('pip install nothing', tag='bash')}{fenced(CHILD_TEXT)}", id="a shell line before it"),
        pytest.param(f"{fenced(CHILD_TEXT + '(', tag='')}{fenced(CHILD_TEXT)}", id="a broken attempt before it"),
    ],
)
def test_takes_the_changed_program(answer: str) -> None:
    assert changed(answer) == CHILD_TEXT


def test_takes_the_last_of_several_whole_programs() -> None:
    better = CHILD_TEXT.replace("result", "summed")

    assert changed(f"{fenced(CHILD_TEXT)}\nOr rather:\n{fenced(better)}") == better


@pytest.mark.parametrize("ticks", ["````", "```"], ids=["a longer fence", "the same fence"])
@pytest.mark.parametrize("margin", ["    ", ""], ids=["indented", "at the margin"])
def test_takes_a_program_that_holds_fences_itself(ticks: str, margin: str) -> None:
    before, after = (text.replace("    ```", f"{margin}```") for text in (DOCUMENTED, FENCED_CHILD))

    assert changed(fenced(after, ticks=ticks), before=before) == after


def test_leaves_carriage_returns_and_tabs_as_they_come() -> None:
    text = CHILD_TEXT.replace("    ", "\t").replace("\n", "\r\n")

    assert changed(f"```python\r\n{text}```\r\n") == text


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        pytest.param("", Reason.EMPTY, id="nothing"),
        pytest.param(" \n\t", Reason.EMPTY, id="white space"),
        pytest.param(fenced(""), Reason.EMPTY, id="an empty block"),
        pytest.param("I cannot do that.", Reason.NO_PROGRAM, id="prose only"),
        pytest.param("Sure", Reason.NO_PROGRAM, id="a word that parses"),
        pytest.param(fenced(PARENT_TEXT), Reason.UNCHANGED, id="the program as it was"),
        pytest.param(fenced(PARENT_TEXT + "\n\n"), Reason.UNCHANGED, id="more blank lines"),
        pytest.param(fenced(CHILD_TEXT + "("), Reason.DOES_NOT_PARSE, id="broken syntax"),
        pytest.param(fenced(GO, tag="go"), Reason.OTHER_LANGUAGE, id="a tag of another language"),
        pytest.param(fenced(GO, tag=""), Reason.OTHER_LANGUAGE, id="another language without a tag"),
        pytest.param(fenced(CHILD_TEXT.replace("total", "sum_up")), Reason.NAMES_LOST, id="a lost entry point"),
        pytest.param(fenced("def total(prices, limit): ...\n"), Reason.OTHER_PROGRAM, id="hardly a token of it left"),
        pytest.param(fenced("# ==== total.py ====\n" + CHILD_TEXT), Reason.OTHER_FILES, id="a file with a path"),
    ],
)
def test_refuses_what_is_no_changed_program(answer: str, reason: Reason) -> None:
    assert changed(answer) == reason


def test_lets_a_program_be_as_broken_as_it_was() -> None:
    assert changed(fenced(CHILD_TEXT + "("), before=PARENT_TEXT + "(") == CHILD_TEXT + "(\n"


FILES = join([SourceFile("a.py", PARENT_TEXT), SourceFile("b.py", "import a\n\nprint(a.total)\n")], comment="#")
CHANGED_FILES = FILES.replace("price <= limit", "price < limit")


def test_takes_several_files_from_one_block_or_from_one_block_each() -> None:
    second = CHANGED_FILES.index("# ==== b.py")
    apart = f"{fenced(CHANGED_FILES[second:])}\nand\n{fenced(CHANGED_FILES[:second])}"

    assert changed(fenced(CHANGED_FILES), before=FILES) == CHANGED_FILES
    assert changed(apart, before=FILES) == CHANGED_FILES


@pytest.mark.parametrize(
    "answer",
    [
        CHANGED_FILES[: CHANGED_FILES.index("# ==== b.py")],
        CHANGED_FILES.replace("b.py", "c.py"),
        CHANGED_FILES + "# ==== d.py ====\nx = 1\n",
        CHILD_TEXT,
    ],
    ids=["one missing", "another path", "one more", "no paths"],
)
def test_refuses_other_files_than_before(answer: str) -> None:
    assert changed(fenced(answer), before=FILES) == Reason.OTHER_FILES


def test_reads_blocks_as_commonmark_does() -> None:
    answer = "1. first\n   ~~~ JS\n   let a\n     b\n   ~~~~\n````\n```\n````\n```` not` one\n"

    assert blocks(answer) == (Block("js", "let a\n  b\n"), Block("", "```\n"))


PIECES = st.sampled_from(
    ["```", "````python\n", "~~~\n", "\n", "\r\n", "# ==== a.py ====\n", PARENT_TEXT, CHILD_TEXT, "(", "é\x0c"]
)


@given(answer=st.lists(PIECES | st.text(max_size=9), max_size=9).map("".join))
def test_never_hands_on_a_program_that_is_unchanged_or_broken(answer: str) -> None:
    found = changed(answer)

    if not isinstance(found, Reason):
        assert not token_equal(found, PARENT_TEXT, "python")
        assert registry.get("python").parses(found)
        assert "def total" in found
