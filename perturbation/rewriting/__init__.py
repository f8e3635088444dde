"""What turns a program and a rule into a changed program: the protocol that mechanical and model rewriters share."""

from __future__ import annotations

from typing import Protocol

from perturbation.rules.registry import Rule


class NotApplicable(Exception):
    """The rule cannot be carried out on this program; the reason is one short sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Rewriter(Protocol):
    """Carries out one rule on one program."""

    @property
    def name(self) -> str:
        """What is stored with a step as its rewriter."""

    def rewrite(self, *, text: str, rule: Rule, language: str, protected: frozenset[str], seed: str) -> str:
        """The changed program, different in tokens from text; raises NotApplicable.

        protected: names that tests or the entry point use and that must stay. seed: a content key, never a row id.
        """
