"""Every request to a language model, stored with its answer: what was answered once is not asked again.

Owns the cache, the records and a run's budget of tokens. Never stores a key; talks to no server itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Sum

from perturbation import model_client, steering
from perturbation.model_client import Answer, ModelError, Request
from perturbation.models import ModelCall, content_hash

EMPTY = "The model's answer was empty."
CUT = f"The model's answer was cut at {model_client.MAX_OUTPUT_TOKENS} tokens."
CAME_SECOND = "Another worker's answer to the same request came first and counts."


class BudgetSpent(steering.MustPause):
    """The run has used up its tokens: it stops here, and what it saved stays."""


@dataclass(frozen=True)
class Payer:
    """Who a request is made for: the run that its tokens are counted to, and how many the run may spend."""

    run_id: int | None = None
    budget: int | None = None

    def check(self) -> None:
        """Raise BudgetSpent when the run's requests have cost as many tokens as it may spend."""
        if self.run_id is not None and self.budget is not None and spent(run_id=self.run_id) >= self.budget:
            raise BudgetSpent(f"budget of {self.budget} tokens is used up")


def ask(*, request: Request, purpose: ModelCall.Purpose, payer: Payer | None = None) -> ModelCall:
    """Return the stored answer to a request, after asking for it if there is none; it may be EMPTY or CUT.

    `error` of the call is empty, EMPTY or CUT. Raises BudgetSpent before a request that the run cannot pay, and the
    errors of model_client.ask, which are stored as well.
    """
    payer = payer or Payer()
    digest = request_hash(request)
    known = _answered(digest)
    if known is not None:
        return known
    payer.check()
    call = ModelCall(
        purpose=purpose,
        model=request.model,
        request_hash=digest,
        request=request.as_dict() | {"server": model_client.server_address()},
        run_id=payer.run_id,
    )
    try:
        answer = model_client.ask(request)
    except ModelError as error:
        call.error, call.attempts, call.seconds = str(error), error.attempts, error.seconds
        call.save()
        raise
    return _stored(call, answer)


def discard(call: ModelCall, why: str) -> None:
    """Keep an answer that is no use for its purpose, so that it is asked for again next time."""
    ModelCall.objects.filter(pk=call.pk).update(error=why)


def request_hash(request: Request) -> str:
    """Hash of server, model, messages and sampling settings: equal ones may share an answer."""
    return content_hash(model_client.server_address(), json.dumps(request.as_dict(), sort_keys=True))


def spent(*, run_id: int) -> int:
    """Return the tokens of prompts and answers that a run's requests have cost, those that failed later included."""
    sums = ModelCall.objects.filter(run_id=run_id).aggregate(asked=Sum("prompt_tokens"), said=Sum("answer_tokens"))
    return (sums["asked"] or 0) + (sums["said"] or 0)


def _answered(digest: str) -> ModelCall | None:
    """The oldest completed answer: an empty or cut one would only cost the same again."""
    return ModelCall.objects.filter(request_hash=digest, error__in=["", EMPTY, CUT]).order_by("pk").first()


def _stored(call: ModelCall, answer: Answer) -> ModelCall:
    """The saved call, or the one of another worker that asked the same at the same time and was first."""
    call.answer, call.seconds, call.attempts = answer.text, answer.seconds, answer.attempts
    call.prompt_tokens, call.answer_tokens = answer.prompt_tokens, answer.answer_tokens
    call.error = CUT if answer.is_cut else "" if answer.text.strip() else EMPTY
    try:
        with transaction.atomic():
            call.save()
    except IntegrityError:
        first = _answered(call.request_hash)
        if first is None:
            raise
        call.pk, call.error = None, CAME_SECOND
        call.save()  # its tokens were spent all the same
        return first
    return call
