"""The page of a program's family: its steps, their diffs and tests, its siblings; hostile text stays text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from perturbation import step_checks, tasks, verification
from perturbation.models import ModelCall, Outbox, Program, Step, Verification
from tests.factories import CHILD_TEXT, PARENT_TEXT, make_perturbed, make_program, make_requirement
from tests.pages import html
from tests.pages.builders import make_pair

ClientFor = Callable[[User], Client]
HOSTILE = "</pre><script>alert(1)</script>"
MIDDLE = PARENT_TEXT.replace("result", "r")


@pytest.fixture
def program(db: None) -> Program:
    """A program of two steps: a renaming, then the wrong comparison that binds."""
    made = make_perturbed(parent=make_program(text=PARENT_TEXT), text=CHILD_TEXT.replace("result", "r"))
    Step.objects.update(number=2)
    Step.objects.create(
        chain=made.chain, number=1, rule_id="gone-rule", rule_version=3, ceiling=4, effort="tweak", text=MIDDLE
    )
    return made


def address(program: Program, rest: str = "") -> str:
    return f"/pipeline/programs/{program.pk}/{rest}"


def text_at(where: str, client: Client) -> str:
    return html.text_of(html.document(client.get(where)))


def test_shows_the_chain_without_any_diff(program: Program, lena: User, client_for: ClientFor) -> None:
    answer = client_for(lena).get(address(program))

    page = html.document(answer)
    steps = [html.text_of(step) for step in page.findall(".//ol/li")]
    assert len(steps) == 3
    assert "gone-rule v3" in steps[1]
    assert "ceiling 4 lowest so far 4" in steps[1]
    assert "binds" not in steps[1]
    assert "binds" in steps[2]
    assert "ceiling 2 lowest so far 2" in steps[2]
    assert b'class="df"' not in answer.content


@pytest.mark.parametrize(("number", "removed"), [(1, "result = 0"), (2, "price <= limit")])
def test_compares_each_step_with_the_one_before(
    number: int, removed: str, program: Program, mia: User, client_for: ClientFor
) -> None:
    where = address(program, f"steps/{number}/")

    part = html.fragment(client_for(mia).get(where, headers={"HX-Request": "true"}))
    page = html.document(client_for(mia).get(where))

    changed = [row for row in part.iterfind(".//tr") if row.get("class") in ("e", "a", "d")]
    assert removed in "".join(changed[0].itertext())
    assert len(page.findall(".//table")) == 1


@pytest.mark.parametrize("header", ["HX-Boosted", "HX-History-Restore-Request"])
def test_answers_a_followed_link_with_the_whole_page(
    header: str, program: Program, mia: User, client_for: ClientFor
) -> None:
    answer = client_for(mia).get(address(program, "steps/1/"), headers={"HX-Request": "true", header: "true"})

    assert html.document(answer).find(".//main") is not None


def test_knows_no_step_beyond_the_chain(program: Program, mia: User, client_for: ClientFor) -> None:
    assert client_for(mia).get(address(program, "steps/3/")).status_code == 404
    assert client_for(mia).get("/pipeline/programs/999999/").status_code == 404


def test_refuses_to_compare_what_is_too_long(program: Program, mia: User, client_for: ClientFor) -> None:
    Step.objects.filter(number=1).update(text="x = 1\n" * 40_000)

    part = html.fragment(client_for(mia).get(address(program, "steps/1/"), headers={"HX-Request": "true"}))

    assert html.text_of(part) == "These texts are too long to be compared here."


def test_queues_the_tests_of_a_step_and_shows_them(program: Program, mia: User, client_for: ClientFor) -> None:
    client = client_for(mia)
    client.post(address(program, "steps/1/verify/"))
    message = Outbox.objects.get()
    assert (message.task, message.arguments) == (step_checks.TASK, {"step_id": Step.objects.get(number=1).pk})

    for _ in range(2):
        tasks.verify_step.apply(kwargs=message.arguments, throw=True)

    assert Verification.objects.count() == 1
    steps = [html.text_of(step) for step in html.document(client.get(address(program))).findall(".//ol/li")]
    assert "tests 2 passed, 0 failed" in steps[1]
    assert "tests not run" in steps[2]
    program.refresh_from_db()
    assert program.state == "accepted"


def test_leaves_the_programs_own_verification_alone(program: Program) -> None:
    own = verification.record(program=program, run=verification.run_tests(program=program))

    step_checks.verify_step(step_id=Step.objects.get(number=1).pk)

    known = Verification.objects.filter(program=program, input_hash=verification.input_hash(program))
    assert [row.pk for row in known] == [own.pk]
    assert own.failed == 1


def test_shows_the_model_call_of_a_step(program: Program, mia: User, client_for: ClientFor) -> None:
    call = ModelCall.objects.create(
        purpose="rewrite",
        model="small-model",
        request_hash="0",
        request={"messages": [{"role": "user", "content": HOSTILE}]},
        answer="the answer",
        prompt_tokens=120,
        answer_tokens=40,
        seconds=1.25,
    )
    Step.objects.filter(number=2).update(model_call=call)

    text = text_at(address(program), client_for(mia))

    assert "small-model · 120 + 40 tokens · 1.3 s · 1 attempt" in text
    assert f"user {HOSTILE} answer the answer" in text


def test_shows_hostile_text_as_text(mia: User, client_for: ClientFor) -> None:
    requirement = make_requirement(title=HOSTILE, text=HOSTILE, tests=HOSTILE)
    parent = make_program(requirement=requirement)
    program = make_perturbed(parent=parent, text=HOSTILE, state="refused", refusal="x", refusal_detail=HOSTILE)

    for where in (address(program), address(program, "steps/1/")):
        page = html.document(client_for(mia).get(where))
        assert html.inline_code(page) == []
        assert all(script.get("src") for script in page.iter("script"))


def test_lists_the_family_with_reasons(program: Program, mia: User, client_for: ClientFor) -> None:
    parent = program.parent
    assert parent is not None
    make_perturbed(parent=parent, target=3, state="refused", refusal="fails its tests")

    page = html.document(client_for(mia).get(address(program)))

    family = next(part for part in page.iterfind(".//section") if part.get("aria-labelledby") == "family-title")
    rows = [html.text_of(row) for row in family.iterfind(".//tbody/tr")]
    assert rows == [
        "5 1 accepted of 1",
        "reference 0 parent accepted",
        "3 0 accepted of 1",
        "perturbed 0 fails its tests",
        "2 1 accepted of 1",
        "perturbed 0 this accepted",
    ]


def test_shows_the_foreign_requirement_of_a_pair(mia: User, client_for: ClientFor, db: None) -> None:
    pair = make_pair()
    Program.objects.filter(pk=pair.pk).update(similarity=-0.1234)
    assert pair.parent is not None

    text = text_at(address(pair), client_for(mia))

    assert "similarity -0.123" in text
    assert f"Written for another requirement: {pair.parent.requirement.title}" in text


def test_is_hidden_from_annotators(program: Program, alice: User, client_for: ClientFor) -> None:
    assert client_for(alice).get(address(program)).status_code == 403
    assert client_for(alice).get(address(program, "steps/1/")).status_code == 403


def test_is_linked_from_the_administration(program: Program, db: None, client_for: ClientFor) -> None:
    root = User.objects.create_superuser("root", password="root")

    answer = client_for(root).get(f"/admin/perturbation/program/{program.pk}/change/")

    assert address(program) in answer.content.decode()
