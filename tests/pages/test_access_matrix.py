"""Who may do what: every route with the answer that each kind of visitor gets. A route without an entry fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import Assignment, Score
from perturbation.models import Run
from tests.factories import make_benchmark
from tests.pages.builders import make_work

ClientFor = Callable[[User], Client]

VISITORS = ("anonymous", "alice", "bob", "mia", "lena", "otto")
# The work belongs to alice; bob is another annotator, mia an admin, lena a lead, otto has no role.
# 302 for anonymous is the way to the login; 404 hides from an annotator what exists.
EXPECTED: dict[tuple[str, str], tuple[int, int, int, int, int, int]] = {
    ("GET", "home"): (302, 302, 302, 302, 302, 200),
    ("GET", "login"): (200, 302, 302, 302, 302, 302),
    ("POST", "logout"): (302, 302, 302, 302, 302, 302),
    ("GET", "healthz"): (200, 200, 200, 200, 200, 200),
    ("GET", "annotation:rubric-show"): (302, 200, 200, 200, 200, 200),
    ("GET", "annotation:session-show"): (200, 200, 200, 200, 200, 200),
    ("GET", "annotation:queue-show"): (302, 200, 200, 403, 403, 403),
    ("POST", "annotation:work-next"): (302, 302, 302, 403, 403, 403),
    ("GET", "annotation:work-show"): (302, 200, 404, 403, 403, 403),
    ("POST", "annotation:work-score"): (302, 422, 404, 403, 403, 403),
    ("POST", "annotation:work-skip"): (302, 302, 404, 403, 403, 403),
    ("POST", "annotation:work-reopen"): (302, 302, 404, 403, 403, 403),
    ("GET", "annotation:batch-list"): (302, 403, 403, 200, 403, 403),
    ("GET", "annotation:batch-create"): (302, 403, 403, 200, 403, 403),
    ("POST", "annotation:batch-create"): (302, 403, 403, 422, 403, 403),
    ("GET", "annotation:batch-show"): (302, 403, 403, 200, 403, 403),
    ("GET", "annotation:batch-assign"): (302, 403, 403, 302, 403, 403),
    ("POST", "annotation:batch-assign"): (302, 403, 403, 422, 403, 403),
    ("POST", "annotation:batch-close"): (302, 403, 403, 302, 403, 403),
    ("POST", "annotation:batch-reopen"): (302, 403, 403, 302, 403, 403),
    ("GET", "annotation:agreement-list"): (302, 403, 403, 403, 200, 403),
    ("GET", "annotation:agreement-show"): (302, 403, 403, 403, 200, 403),
    ("GET", "annotation:agreement-poll"): (302, 403, 403, 403, 200, 403),
    ("GET", "perturbation:pipeline-show"): (302, 403, 403, 200, 200, 403),
    ("GET", "perturbation:activity-show"): (302, 403, 403, 200, 200, 403),
    ("GET", "perturbation:run-list"): (302, 403, 403, 200, 200, 403),
    ("GET", "perturbation:run-show"): (302, 403, 403, 200, 200, 403),
    ("GET", "perturbation:run-progress"): (302, 403, 403, 200, 200, 403),
    ("GET", "perturbation:run-results"): (302, 403, 403, 200, 200, 403),
    ("POST", "perturbation:run-pause"): (302, 403, 403, 302, 403, 403),
    ("POST", "perturbation:run-resume"): (302, 403, 403, 302, 403, 403),
    ("POST", "perturbation:run-cancel"): (302, 403, 403, 302, 403, 403),
    ("POST", "perturbation:run-retry"): (302, 403, 403, 302, 403, 403),
    ("GET", "perturbation:program-show"): (302, 403, 403, 200, 200, 403),
    ("GET", "perturbation:step-show"): (302, 403, 403, 200, 200, 403),
    ("POST", "perturbation:step-verify"): (302, 403, 403, 302, 403, 403),
}
WRONG_METHOD = {"GET": "POST", "POST": "GET"}
ONE_METHOD = [key for key in EXPECTED if (WRONG_METHOD[key[0]], key[1]) not in EXPECTED and key[1] != "login"]


def routes(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[str]:
    """Names of all routes of the site, with their namespaces."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}"
        else:
            yield from routes(pattern, f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix)


def address(name: str, work: Assignment) -> str:
    """The route's address for the work that belongs to alice."""
    if name.startswith("perturbation:run-"):
        keys = {} if name.endswith("-list") else {"pk": Run.objects.get().pk}
    elif name.startswith(("perturbation:program-", "perturbation:step-")):
        keys = {"pk": work.item.program_id, **({"number": 1} if "step" in name else {})}
    elif name.startswith(("annotation:batch-", "annotation:agreement-")):
        keys = {} if name.endswith(("-list", "-create")) else {"pk": work.item.batch_id}
    else:
        keys = {"pk": work.pk} if name.startswith("annotation:work-") and name != "annotation:work-next" else {}
    return reverse(name, kwargs=keys)


@pytest.fixture
def work(alice: User) -> Assignment:
    """One open assignment of alice, and a run."""
    Run.objects.create(kind="perturb", benchmark=make_benchmark(), parameters_hash="0")
    return make_work(annotator=alice, items=2)[0]


@pytest.fixture
def clients(alice: User, bob: User, mia: User, lena: User, otto: User, client_for: ClientFor) -> dict[str, Client]:
    """A client for each kind of visitor."""
    signed_in = {person.username: client_for(person) for person in (alice, bob, mia, lena, otto)}
    return {"anonymous": Client(), **signed_in}


def test_has_an_entry_for_every_route() -> None:
    named = {name for name in routes() if not name.startswith("admin:")}

    assert named == {name for _, name in EXPECTED}


@pytest.mark.parametrize(("method", "name"), EXPECTED)
def test_answers_each_visitor_as_declared(method: str, name: str, work: Assignment, clients: dict[str, Client]) -> None:
    where = address(name, work)

    answers = tuple(clients[visitor].generic(method, where).status_code for visitor in VISITORS)

    assert answers == EXPECTED[method, name]
    assert not Score.objects.exists()


@pytest.mark.parametrize(("method", "name"), EXPECTED)
def test_sends_anonymous_visitors_to_the_login(method: str, name: str, work: Assignment) -> None:
    answer = Client().generic(method, address(name, work))

    if answer.status_code == 302:
        assert answer.headers["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(
    ("method", "name"),
    [key for key in EXPECTED if (WRONG_METHOD[key[0]], key[1]) not in EXPECTED and key[1] != "login"],
)
def test_refuses_the_other_method(method: str, name: str, work: Assignment, mia: User, client_for: ClientFor) -> None:
    answer = client_for(mia).generic(WRONG_METHOD[method], address(name, work))

    assert answer.status_code == 405


@pytest.mark.parametrize("who", ["anonymous", "alice", "mia", "lena", "otto"])
def test_keeps_the_administration_to_staff(who: str, clients: dict[str, Client]) -> None:
    plain = [name for name in routes() if name.startswith("admin:") and name.endswith(("index", "changelist", "add"))]

    statuses = {clients[who].get(reverse(name)).status_code for name in plain}

    assert len(plain) > 5
    assert statuses == {302}


def test_opens_the_administration_to_a_superuser(db: None, client_for: ClientFor) -> None:
    root = User.objects.create_superuser("root", password="root")

    answer = client_for(root).get(reverse("admin:index"))

    assert answer.status_code == 200
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_needs_the_form_token_for_every_change(work: Assignment, alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)

    statuses = {client.post(address(name, work)).status_code for method, name in EXPECTED if method == "POST"}

    assert statuses == {403}
