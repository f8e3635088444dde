"""What turns a program and a rule into a changed program: the protocol that mechanical and model rewriters share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from perturbation.rules.registry import Rule


class NotApplicable(Exception):
    """The rule cannot be carried out on this program; the reason is one short sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class AnswerRefused(NotApplicable):
    """A model was asked and its answer is no changed program; `reason` is a fixed phrase, which is counted."""


@dataclass(frozen=True)
class Rewritten:
    """The changed program and, where a model wrote it, the row of the stored call."""

    text: str
    model_call_id: int | None = None


class Rewriter(Protocol):
    """Carries out one rule on one program."""

    @property
    def name(self) -> str:
        """What is stored with a chain as its rewriter."""

    @property
    def rules_per_step(self) -> int | None:
        """How many rules may be tried for one step before it is given up; None where trying costs nothing."""

    def rewrite(self, *, text: str, rule: Rule, language: str, protected: frozenset[str], seed: str) -> Rewritten:
        """The changed program, different in tokens from text; raises NotApplicable.

        protected: names that tests or the entry point use and that must stay. seed: a content key, never a row id.
        """
