"""The only place that talks to a model server, by the OpenAI protocol; it keeps nothing and decides nothing.

What may pass (a busy, failing or silent server) is tried again with back-off; a key never leaves in a message.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings

if TYPE_CHECKING:  # loading it takes a second, which what never asks a model need not wait for
    import openai

MAX_OUTPUT_TOKENS = 8192
LONGEST_WAIT_SECONDS = 60.0
# After this long no new attempt begins: with the attempt that is under way a unit stays below the tasks' time limit.
GIVE_UP_AFTER_SECONDS = 180.0
RETRIED_STATUSES = frozenset({408, 409, 429})
CHARACTERS_PER_TOKEN = 4
TEXT_SHOWN = 300

Answered = TypeVar("Answered")


class ModelError(RuntimeError):
    """There is no answer; the message says what happened and what to check. `attempts` and `seconds` it took."""

    def __init__(self, message: str, *, attempts: int = 1, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.attempts = attempts
        self.seconds = seconds


class ModelUnavailable(ModelError, ConnectionError):
    """The server gave no answer however often it was asked. As any lost connection it may be there later."""


class RequestRefused(ModelError):
    """The server does not take this request: asking again would not help."""


class PromptTooLong(RequestRefused):
    """The request does not fit into the model's context."""


class _Malformed(Exception):
    """The server answered with something else than the protocol says."""


@dataclass(frozen=True)
class Request:
    """One system and one user message to one model, and how the answer is drawn."""

    model: str
    system: str
    user: str
    temperature: float
    as_json: bool = False
    max_tokens: int = MAX_OUTPUT_TOKENS

    def as_dict(self) -> dict[str, Any]:
        """Return what is sent: without key and address."""
        messages = [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]
        sent: dict[str, Any] = {"model": self.model, "messages": messages}
        sent |= {"temperature": self.temperature, "max_tokens": self.max_tokens}
        return sent | ({"response_format": {"type": "json_object"}} if self.as_json else {})


@dataclass(frozen=True)
class Answer:
    """What a model said (perhaps nothing), whether it was cut at the limit, and what it cost.

    A server that counts no tokens has them counted here, as a quarter of the characters, rounded up.
    """

    text: str
    is_cut: bool
    prompt_tokens: int
    answer_tokens: int
    attempts: int
    seconds: float


@dataclass(frozen=True)
class _Server:
    """Where a server is, and under which name its settings go."""

    base_url: str
    key: str
    setting: str


def configured_models() -> tuple[str, ...]:
    """Return the names of the pool's models; empty when no model is configured."""
    return tuple(settings.AXIOM_LLM_MODELS) if settings.AXIOM_LLM_BASE_URL else ()


def server_address() -> str:
    """Return the base URL of the models' server without a user name or password in it."""
    return _without_user(settings.AXIOM_LLM_BASE_URL)


def ask(request: Request) -> Answer:
    """Send a request and return the answer, whatever it says.

    429, 408, 409, 5xx, time-outs, lost connections and malformed answers are tried again AXIOM_LLM_ATTEMPTS times in
    all. Raises ModelUnavailable when the last one fails too, RequestRefused for the other 4xx.
    """
    server = _Server(settings.AXIOM_LLM_BASE_URL, settings.AXIOM_LLM_API_KEY, "AXIOM_LLM")

    def once(client: openai.OpenAI) -> Any:
        return _checked(client.chat.completions.create(**request.as_dict()))

    completion, attempts, seconds = _persist(server, once)
    choice, usage = completion.choices[0], completion.usage
    text = _storable(_without_key(choice.message.content or "", server))
    return Answer(
        text=text,
        is_cut=choice.finish_reason == "length",
        prompt_tokens=(usage and usage.prompt_tokens) or _estimate(request.system + request.user),
        answer_tokens=(usage and usage.completion_tokens) or _estimate(text),
        attempts=attempts,
        seconds=seconds,
    )


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Return the vector of each text from the embeddings endpoint, as the endpoint gives them.

    Raises what `ask` raises, also when the vectors are not one for each text, of one length and finite.
    """
    server = _Server(settings.AXIOM_EMBEDDING_BASE_URL, settings.AXIOM_EMBEDDING_API_KEY, "AXIOM_EMBEDDING")
    model = settings.AXIOM_EMBEDDING_MODEL

    def once(client: openai.OpenAI) -> list[list[float]]:
        return _vectors(client.embeddings.create(model=model, input=list(texts), encoding_format="float"), len(texts))

    return _persist(server, once)[0]


def _persist(server: _Server, once: Callable[[openai.OpenAI], Answered]) -> tuple[Answered, int, float]:
    """Try until there is an answer or the attempts are used up; return it with the attempts and the seconds."""
    import openai  # noqa: PLC0415

    from perturbation.bounded_http import BoundedClient  # noqa: PLC0415  # loads httpx

    seconds_each = float(settings.AXIOM_LLM_TIMEOUT_SECONDS)
    began, attempt = time.monotonic(), 0
    with openai.OpenAI(
        base_url=server.base_url,
        api_key=server.key or "none",
        timeout=seconds_each,
        max_retries=0,
        http_client=BoundedClient(seconds=seconds_each),
    ) as client:
        while True:
            attempt += 1
            try:
                return once(client), attempt, time.monotonic() - began
            except (openai.OpenAIError, _Malformed, ValueError) as error:
                seconds = time.monotonic() - began
                told = _told(error, server)
                if isinstance(error, openai.APIStatusError) and not _is_passing(error.status_code):
                    raise _refusal(error)(told, attempts=attempt, seconds=seconds) from None
                wait = _wait(error, attempt)
                if attempt >= settings.AXIOM_LLM_ATTEMPTS or seconds + wait > GIVE_UP_AFTER_SECONDS:
                    tried = f"{told} Attempts: {attempt}, within {seconds:.0f} s."
                    raise ModelUnavailable(tried, attempts=attempt, seconds=seconds) from None
                time.sleep(wait)


def _is_passing(status: int) -> bool:
    return status in RETRIED_STATUSES or status >= 500


def _refusal(error: openai.APIStatusError) -> type[RequestRefused]:
    """Servers name an overlong prompt differently; all of them speak of the context."""
    said = str(error).lower()
    is_long = error.status_code == 413 or (error.status_code in (400, 422) and "context" in said)
    return PromptTooLong if is_long else RequestRefused


def _wait(error: Exception, attempt: int) -> float:
    """Seconds until the next attempt: what Retry-After asks for, else doubling from the base with some jitter."""
    base = float(settings.AXIOM_LLM_RETRY_SECONDS)
    asked = _retry_after(error)
    if asked is not None:
        return min(asked, LONGEST_WAIT_SECONDS)
    doubled: float = base * 2 ** (attempt - 1)
    return min(doubled, LONGEST_WAIT_SECONDS) * random.Random().uniform(0.75, 1.25)


def _retry_after(error: Exception) -> float | None:
    """The number of seconds in the header; a date, which few servers send, counts as not there."""
    response = getattr(error, "response", None)
    text = response.headers.get("retry-after", "") if response is not None else ""
    try:
        seconds = float(text)
    except ValueError:
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _checked(completion: Any) -> Any:
    """The completion, if it is one: the client hands on whatever a server sends with status 200."""
    choices = getattr(completion, "choices", None)
    message = getattr(choices[0], "message", None) if choices else None
    if message is None or not isinstance(message.content, str | None):
        raise _Malformed(f"it is no chat completion: {str(completion)[:TEXT_SHOWN]!r}")
    return completion


def _vectors(response: Any, count: int) -> list[list[float]]:
    rows = getattr(response, "data", None)
    if not isinstance(rows, list) or len(rows) != count:
        raise _Malformed(f"it holds no {count} embeddings: {str(response)[:TEXT_SHOWN]!r}")
    vectors = [row.embedding for row in sorted(rows, key=lambda row: int(row.index))]
    if len({len(vector) for vector in vectors}) > 1 or not all(math.isfinite(x) for vector in vectors for x in vector):
        raise _Malformed("its embeddings differ in length or hold a number that is not finite")
    return vectors


def _told(error: Exception, server: _Server) -> str:
    """One line: what happened, at which address, what to check."""
    import openai  # noqa: PLC0415

    where = f"The model server at {_without_user(server.base_url)}"
    address = f"Check {server.setting}_BASE_URL and that the server runs."
    match error:
        case openai.APITimeoutError():
            line = f"{where} did not answer within {settings.AXIOM_LLM_TIMEOUT_SECONDS} s. {address}"
        case openai.APIConnectionError():
            line = f"{where} did not answer: {error.__cause__ or error}. {address}"
        case openai.APIStatusError():
            said = " ".join(str(error).removeprefix(f"Error code: {error.status_code} - ").split())[:TEXT_SHOWN]
            line = f"{where} did not answer but sent status {error.status_code}: {said}. {_check(error, server)}"
        case _:
            said = " ".join(str(error).split())[: 2 * TEXT_SHOWN]
            line = f"{where} gave a malformed answer: {said}. {address}"
    return _without_key(line, server)


def _check(error: openai.APIStatusError, server: _Server) -> str:
    """What a person looks at for a status."""
    if error.status_code in (401, 403):
        return f"Check {server.setting}_API_KEY."
    if error.status_code == 404:
        return f"Check {server.setting}_BASE_URL and the model's name."
    return "See the server's log."


def _without_key(text: str, server: _Server) -> str:
    """Servers repeat what they were sent; a key that is a plain word, as local servers take any, is none."""
    return text.replace(server.key, "***") if len(server.key) >= 8 else text


def _storable(text: str) -> str:
    """Without what no database takes: zero characters and halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _without_user(base_url: str) -> str:
    parts = urlsplit(base_url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _estimate(text: str) -> int:
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)
