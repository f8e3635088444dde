"""What holds for every page: valid HTML, one main heading, no inline code, the policy header, few queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation import calibrating
from annotation.models import Assignment
from perturbation.models import Run, RunUnit, Selection, SelectionPick
from tests.factories import make_batch, make_benchmark, make_program
from tests.pages import html
from tests.pages.builders import assign_all, make_pair, make_work, new_score

ClientFor = Callable[[User], Client]


@dataclass(frozen=True)
class Site:
    """A site with something on every page."""

    people: dict[str, User]
    first: Assignment
    pair: Assignment
    skipped: Assignment

    def address(self, path: str) -> str:
        """Fill in the keys of a path."""
        return path.format(
            work=self.first.pk,
            pair=self.pair.pk,
            skipped=self.skipped.pk,
            batch=self.first.item.batch_id,
            run=Run.objects.get().pk,
            program=self.first.item.program_id,
            foreign=self.pair.item.program_id,
        )


@pytest.fixture
def site(alice: User, bob: User, mia: User, lena: User, otto: User, now: datetime) -> Site:
    """Nine items with two annotators, some scored, one skipped; a selection; a run; a refused program."""
    return build_site(people=[alice, bob, mia, lena, otto], items=8, now=now)


def build_site(*, people: list[User], items: int, now: datetime) -> Site:
    alice, bob = people[:2]
    work = make_work(annotator=alice, items=items, with_quality=True, name="Pilot", overlap=2)
    batch = work[0].item.batch
    theirs = assign_all(batch=batch, annotator=bob, slot=1)
    for number, assignment in enumerate(work[:3]):
        new_score(assignment=assignment, value=2, now=now)
        new_score(assignment=theirs[number], value=number, now=now, reason="The boundary is off by one.")
    calibrating.skip(assignment=work[-1], reason="It contradicts itself.", now=now)
    pair = make_pair()
    pair_work = assign_all(batch=make_batch(name="Pairs", programs=[pair]), annotator=alice)[0]
    selection = Selection.objects.create(name="sample", benchmark=make_benchmark(), per_score=90, seed="0")
    SelectionPick.objects.create(selection=selection, program=pair, target_score=0, rank=0)
    parent = pair.parent
    assert parent is not None
    make_program(
        requirement=parent.requirement,
        parent=parent,
        kind="perturbed",
        target_score=3,
        state="refused",
        refusal="same tokens",
    )
    run = Run.objects.create(kind="perturb", benchmark=make_benchmark(), parameters_hash=str(items))
    for number in range(items):
        RunUnit.objects.create(run=run, key=str(number), position=number)
    RunUnit.objects.filter(position__gte=items // 2).update(state="failed", error="ValueError: broken\nat line 3")
    return Site({person.username: person for person in people}, work[0], pair_work, work[-1])


PAGES = [
    ("alice", "/queue/"),
    ("alice", "/work/{work}/"),
    ("alice", "/work/{pair}/"),
    ("alice", "/work/{skipped}/"),
    ("alice", "/rubric/"),
    ("mia", "/batches/"),
    ("mia", "/batches/new/"),
    ("mia", "/batches/{batch}/"),
    ("mia", "/pipeline/"),
    ("mia", "/pipeline/runs/"),
    ("mia", "/pipeline/runs/{run}/"),
    ("lena", "/pipeline/programs/{program}/"),
    ("mia", "/pipeline/programs/{foreign}/"),
    ("mia", "/pipeline/programs/{program}/steps/1/"),
    ("lena", "/agreement/"),
    ("lena", "/agreement/{batch}/"),
    ("otto", "/"),
]
FRAGMENTS = [
    ("mia", "/pipeline/activity/"),
    ("mia", "/pipeline/runs/{run}/progress/"),
    ("lena", "/pipeline/runs/{run}/results/"),
    ("lena", "/agreement/{batch}/panel/"),
]
REFUSALS = [("otto", "/queue/", 403), ("bob", "/work/{work}/", 404), ("bob", "/nowhere/", 404)]
# The queries of each page, with those for session, person and roles, whatever the number of rows.
QUERIES = {
    "/queue/": 6,
    "/work/{work}/": 11,
    "/work/{pair}/": 9,
    "/work/{skipped}/": 11,
    "/rubric/": 3,
    "/batches/": 6,
    "/batches/new/": 5,
    "/batches/{batch}/": 9,
    "/pipeline/": 10,
    "/pipeline/runs/": 6,
    "/pipeline/runs/{run}/": 15,
    "/pipeline/programs/{program}/": 10,
    "/pipeline/programs/{foreign}/": 9,
    "/pipeline/programs/{program}/steps/1/": 5,
    "/agreement/": 5,
    "/agreement/{batch}/": 10,
    "/": 3,
}


@pytest.mark.parametrize(("who", "path"), PAGES)
def test_is_valid_html_without_inline_code(who: str, path: str, site: Site, client_for: ClientFor) -> None:
    answer = client_for(site.people[who]).get(site.address(path))

    page = html.document(answer)

    assert answer.status_code == 200
    assert len(page.findall(".//h1")) == 1
    assert len(page.findall(".//main")) == 1
    assert page.find(".//title").text
    assert html.inline_code(page) == []
    assert html.repeated_ids(page) == []


def test_is_valid_html_at_the_login(client: Client, db: None) -> None:
    page = html.document(client.get("/accounts/login/"))

    assert len(page.findall(".//h1")) == 1
    assert html.inline_code(page) == []


@pytest.mark.parametrize(("who", "path"), FRAGMENTS)
def test_is_valid_html_as_a_part_of_a_page(who: str, path: str, site: Site, client_for: ClientFor) -> None:
    answer = client_for(site.people[who]).get(site.address(path))

    part = html.fragment(answer)

    assert answer.status_code == 200
    assert html.inline_code(part) == []


@pytest.mark.parametrize(("who", "path", "status"), REFUSALS)
def test_refuses_with_a_page(who: str, path: str, status: int, site: Site, client_for: ClientFor) -> None:
    answer = client_for(site.people[who]).get(site.address(path))

    assert answer.status_code == status
    assert len(html.document(answer).findall(".//h1")) == 1


@pytest.mark.parametrize(("who", "path"), [*PAGES, *FRAGMENTS])
def test_sends_a_strict_policy(who: str, path: str, site: Site, client_for: ClientFor) -> None:
    policy = client_for(site.people[who]).get(site.address(path)).headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.fixture(params=[10, 20])
def sized_site(
    request: pytest.FixtureRequest, alice: User, bob: User, mia: User, lena: User, otto: User, now: datetime
) -> Site:
    """Sites of two sizes: query counts must be the same."""
    return build_site(people=[alice, bob, mia, lena, otto], items=request.param, now=now)


def test_takes_few_queries_at_any_size(sized_site: Site, client_for: ClientFor) -> None:
    taken: dict[str, int] = {}

    for who, path in PAGES:
        client = client_for(sized_site.people[who])
        address = sized_site.address(path)
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        taken[path] = len(queries)

    assert taken == QUERIES
