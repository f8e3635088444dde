"""Asking a model over real HTTP: every fault of a server, what is stored of it, and what a run may spend."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError

import axiom_site.settings
from perturbation import model_calls, model_client
from perturbation.leases import SLICE
from perturbation.model_client import Request
from perturbation.models import ModelCall, Run
from tests.factories import make_benchmark
from tests.model_server import ModelServer, Scripted, serve

pytestmark = pytest.mark.django_db

SECRET = "sk-a-key-that-nobody-may-read"
ASKED = Request(model="scripted", system="Answer.", user="What is two and two?", temperature=0.3)
GOOD = Scripted("Four.")


@pytest.fixture
def model(settings: Any) -> Iterator[Callable[..., ModelServer]]:
    """Start a server with a script and point the settings to it."""
    with ExitStack() as stack:

        def start(*script: Scripted) -> ModelServer:
            server = stack.enter_context(serve(*script))
            settings.AXIOM_LLM_BASE_URL = server.base_url.replace("127.0.0.1", "somebody:password@127.0.0.1")
            settings.AXIOM_LLM_API_KEY = SECRET
            settings.AXIOM_LLM_MODELS = ["scripted"]
            settings.AXIOM_LLM_TIMEOUT_SECONDS = 5
            settings.AXIOM_LLM_RETRY_SECONDS = 0.01
            settings.AXIOM_LLM_ATTEMPTS = 3
            return server

        yield start


def ask(request: Request = ASKED, **arguments: Any) -> ModelCall:
    return model_calls.ask(request=request, purpose=ModelCall.Purpose.REWRITE, **arguments)


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Scripted(status=429), id="busy"),
        pytest.param(Scripted(status=500), id="failing"),
        pytest.param(Scripted(status=503), id="away behind its proxy"),
        pytest.param(Scripted(drops=True), id="connection lost"),
        pytest.param(Scripted(body='{"choices": [{"mess'), id="JSON that breaks off"),
        pytest.param(Scripted(body="<html>Welcome</html>", content_type="text/html"), id="another content type"),
        pytest.param(Scripted(body='{"error": "overloaded"}'), id="an error with status 200"),
        pytest.param(Scripted(body='{"choices": [{"index": 0}]}'), id="no message"),
    ],
)
def test_asks_again_after_what_may_pass(model: Callable[..., ModelServer], fault: Scripted) -> None:
    server = model(fault, GOOD)

    call = ask()

    assert (call.answer, call.error, call.attempts) == ("Four.", "", 2)
    assert len(server.requests) == 2
    assert server.requests[0] == server.requests[1]


def test_asks_again_when_the_server_is_silent_too_long(model: Callable[..., ModelServer], settings: Any) -> None:
    server = model(Scripted("late", delay=0.6), GOOD)
    settings.AXIOM_LLM_TIMEOUT_SECONDS = 0.2

    assert ask().answer == "Four."
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("asked", "waited"),
    [("7", 7.0), ("0.5", 0.5), ("86400", 60.0), ("-3", 0.0), ("nan", None), ("Wed, 21 Oct 2026 07:28:00 GMT", None)],
)
def test_waits_as_long_as_the_server_asks_within_a_bound(
    model: Callable[..., ModelServer], monkeypatch: pytest.MonkeyPatch, asked: str, waited: float | None
) -> None:
    model(Scripted(status=429, headers={"Retry-After": asked}), GOOD)
    waits: list[float] = []
    monkeypatch.setattr(model_client.time, "sleep", waits.append)

    ask()

    # Else the base delay, with its jitter.
    assert waits == ([waited] if waited is not None else [pytest.approx(0.01, rel=0.26)])


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Scripted(status=500, error="out of memory"), "did not answer but sent status 500: .*out of memory"),
        (Scripted(body="<html>", content_type="text/html"), "malformed answer: it is no chat completion: '<html>'"),
        (Scripted(drops=True), "did not answer: .*Check AXIOM_LLM_BASE_URL and that the server runs"),
    ],
    ids=["failing", "a web page", "hanging up"],
)
def test_gives_up_on_a_server_that_stays_away_and_says_what_to_check(
    model: Callable[..., ModelServer], fault: Scripted, told: str
) -> None:
    server = model(fault)

    with pytest.raises(model_client.ModelUnavailable, match=told) as caught:
        ask()

    assert isinstance(caught.value, ConnectionError)  # what a run tries again
    assert len(server.requests) == 3
    stored = ModelCall.objects.get()
    assert (stored.error, stored.answer, stored.attempts) == (str(caught.value), "", 3)


def test_begins_no_attempt_that_would_outlast_a_unit(
    model: Callable[..., ModelServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = model(Scripted(status=429, headers={"Retry-After": "60"}))
    monkeypatch.setattr(model_client, "GIVE_UP_AFTER_SECONDS", 50.0)

    with pytest.raises(model_client.ModelUnavailable, match="Attempts: 1, within 0 s"):
        ask()

    assert len(server.requests) == 1


def test_no_time_for_an_answer_lets_a_unit_outlast_its_task(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXIOM_LLM_TIMEOUT_SECONDS", "151")
    longest = SLICE.total_seconds() + model_client.GIVE_UP_AFTER_SECONDS + 150

    assert longest < settings.CELERY_TASK_TIME_LIMIT
    with pytest.raises(ImproperlyConfigured, match="^AXIOM_LLM_TIMEOUT_SECONDS=151 is above 150.$"):
        runpy.run_path(axiom_site.settings.__file__)


@pytest.mark.parametrize(
    ("status", "error", "kind", "told"),
    [
        (401, f"Incorrect API key: {SECRET}", model_client.RequestRefused, "AXIOM_LLM_API_KEY"),
        (404, "no such model", model_client.RequestRefused, "the model's name"),
        (400, "maximum context length is 4096", model_client.PromptTooLong, "maximum context"),
        (400, "unknown field", model_client.RequestRefused, "unknown field"),
    ],
)
def test_does_not_ask_again_what_the_server_refuses(
    model: Callable[..., ModelServer], status: int, error: str, kind: type[Exception], told: str
) -> None:
    server = model(Scripted(status=status, error=error))

    with pytest.raises(model_client.RequestRefused, match=told) as caught:
        ask()

    assert type(caught.value) is kind
    assert not isinstance(caught.value, ConnectionError)
    assert len(server.requests) == 1
    assert SECRET not in str(caught.value) + ModelCall.objects.get().error


def test_asks_once_and_finds_the_answer_again(model: Callable[..., ModelServer]) -> None:
    server = model(GOOD)

    first = ask()
    again = ask()

    assert first == again
    assert len(server.requests) == 1
    assert server.requests[0] == ASKED.as_dict()
    assert (first.prompt_tokens, first.answer_tokens, first.attempts) == (11, 7, 1)
    assert first.seconds > 0


@pytest.mark.parametrize(
    "answer", [Scripted(""), Scripted(" \n"), Scripted("half a", finish_reason="length")], ids=["none", "blank", "cut"]
)
def test_does_not_pay_twice_for_an_answer_that_is_no_use(model: Callable[..., ModelServer], answer: Scripted) -> None:
    server = model(answer, GOOD)

    first, again = ask(), ask()

    assert first == again
    assert first.error in (model_calls.EMPTY, model_calls.CUT)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "change", [{"model": "other"}, {"user": "Three?"}, {"system": "Be brief."}, {"temperature": 0}]
)
def test_asks_anew_when_anything_of_the_request_differs(
    model: Callable[..., ModelServer], change: dict[str, Any]
) -> None:
    server = model(GOOD)
    ask()

    ask(Request(**{**vars(ASKED), **change}))

    assert len(server.requests) == 2


def test_stores_no_key_and_no_password(model: Callable[..., ModelServer]) -> None:
    server = model(Scripted(status=500, error=SECRET), Scripted(f"You sent me {SECRET}."))

    ask()

    stored = json.dumps(list(ModelCall.objects.values("request", "answer", "error", "request_hash")))
    assert len(server.requests) == 2
    assert SECRET not in stored
    assert "password" not in stored
    assert ModelCall.objects.get().answer == "You sent me ***."


def test_keeps_what_no_database_takes_out_of_an_answer(model: Callable[..., ModelServer]) -> None:
    model(Scripted("a\x00b\ud800c"))

    assert ask().answer == "ab?c"


def test_takes_the_answer_of_another_worker_that_was_first(
    model: Callable[..., ModelServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    model(GOOD)
    digest = model_calls.request_hash(ASKED)
    first = {"purpose": "rewrite", "model": "scripted", "request_hash": digest, "request": {}, "seconds": 1}
    run = Run.objects.create(kind="perturb", benchmark=make_benchmark(), parameters_hash="x")
    really_ask = model_client.ask

    def ask_while_another_saves(request: Request) -> model_client.Answer:
        answer = really_ask(request)
        ModelCall.objects.create(**first, answer="4")
        return answer

    monkeypatch.setattr(model_client, "ask", ask_while_another_saves)
    call = ask(payer=model_calls.Payer(run_id=run.pk))

    assert call.answer == "4"
    assert sorted(ModelCall.objects.values_list("answer", "error")) == [("4", ""), ("Four.", model_calls.CAME_SECOND)]
    assert model_calls.spent(run_id=run.pk) == 18
    with pytest.raises(IntegrityError):
        ModelCall.objects.create(**first, answer="5")


def test_stops_before_the_request_that_a_run_cannot_pay(model: Callable[..., ModelServer]) -> None:
    server = model(GOOD)
    run = Run.objects.create(kind="perturb", benchmark=make_benchmark(), parameters_hash="x")
    payer = model_calls.Payer(run_id=run.pk, budget=36)
    requests = [Request(model="scripted", system="s", user=str(number), temperature=0.3) for number in range(3)]
    ask(requests[0], payer=payer)
    ask(requests[1], payer=payer)

    with pytest.raises(model_calls.BudgetSpent, match="budget of 36 tokens is used up"):
        ask(requests[2], payer=payer)
    ask(requests[1], payer=payer)  # what is stored costs nothing

    assert len(server.requests) == 2
    assert model_calls.spent(run_id=run.pk) == 36


def test_counts_tokens_where_the_server_does_not(model: Callable[..., ModelServer]) -> None:
    model(Scripted("Four.", counts_tokens=False))

    call = ask()

    assert (call.prompt_tokens, call.answer_tokens) == (7, 2)
