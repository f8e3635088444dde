"""The only place that talks to a language model, by the OpenAI protocol; it keeps nothing and decides nothing."""

from __future__ import annotations

from dataclasses import dataclass

import openai
from django.conf import settings

MAX_OUTPUT_TOKENS = 8192


class ModelUnavailable(RuntimeError):
    """The model server gave no usable answer; the message says what happened."""


@dataclass(frozen=True)
class Answer:
    """What a model said, and what it cost in tokens."""

    text: str
    model: str
    prompt_tokens: int
    answer_tokens: int


def configured_models() -> tuple[str, ...]:
    """Return the names of the pool's models; empty when no model is configured."""
    return tuple(settings.AXIOM_LLM_MODELS) if settings.AXIOM_LLM_BASE_URL else ()


def ask(*, model: str, system: str, user: str, temperature: float, as_json: bool = False) -> Answer:
    """Send one system and one user message and return the answer.

    The client retries 408, 409, 429, 5xx and lost connections twice with back-off; what fails then, and an empty or
    cut answer, raises ModelUnavailable.
    """
    client = openai.OpenAI(
        base_url=settings.AXIOM_LLM_BASE_URL,
        api_key=settings.AXIOM_LLM_API_KEY,
        timeout=settings.AXIOM_LLM_TIMEOUT_SECONDS,
        max_retries=2,
    )
    try:
        completion = client.chat.completions.create(
            model=model,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
            temperature=temperature,
            max_tokens=MAX_OUTPUT_TOKENS,
            response_format={"type": "json_object"} if as_json else openai.omit,
        )
    except openai.OpenAIError as error:
        raise ModelUnavailable(f"The model server did not answer: {error}") from error
    finally:
        client.close()
    choice = completion.choices[0] if completion.choices else None
    if choice is None or not choice.message.content:
        raise ModelUnavailable("The model's answer was empty.")
    if choice.finish_reason == "length":
        raise ModelUnavailable(f"The model's answer was cut at {MAX_OUTPUT_TOKENS} tokens.")
    usage = completion.usage
    return Answer(
        text=choice.message.content,
        model=model,
        prompt_tokens=usage.prompt_tokens if usage else 0,
        answer_tokens=usage.completion_tokens if usage else 0,
    )
