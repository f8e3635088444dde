"""A real HTTP server that speaks the OpenAI protocol and answers from a script, faults included."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Scripted:
    """One answer: a status and, with status 200, what the model says, or a fault.

    text may be a function of the request. body is sent as it is in place of what the protocol wants. drops closes the
    connection without a word; delay waits that many seconds first.
    """

    text: str | Callable[[dict[str, Any]], str] = ""
    status: int = 200
    finish_reason: str = "stop"
    headers: dict[str, str] = field(default_factory=dict)
    error: str = "scripted"
    body: str | None = None
    content_type: str = "application/json"
    delay: float = 0.0
    drops: bool = False
    counts_tokens: bool = True
    vectors: Callable[[str], list[float]] = lambda text: [float(len(text)), 1.0]


@dataclass
class ModelServer:
    """Where the server listens and what it was asked."""

    base_url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


@contextmanager
def serve(*script: Scripted) -> Iterator[ModelServer]:
    """Answer requests with the script's entries in order; the last one repeats."""
    seen: list[dict[str, Any]] = []
    keys: list[str] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                answer = script[min(len(seen), len(script) - 1)]
                seen.append(body)
                keys.append(self.headers.get("Authorization", ""))
            threading.Event().wait(answer.delay)
            if answer.drops:
                self.close_connection = True
                return
            self._send(answer, _content(self.path, body, answer) if answer.body is None else answer.body)

        def _send(self, answer: Scripted, content: str) -> None:
            payload = content.encode()
            with suppress(BrokenPipeError, ConnectionResetError):  # who asked may have stopped waiting
                self.send_response(answer.status)
                for name, value in {"Content-Type": answer.content_type, **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

        def log_message(self, *_: object) -> None:
            """Keep the test output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield ModelServer(base_url=f"http://127.0.0.1:{server.server_address[1]}/v1", requests=seen, keys=keys)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _content(path: str, body: dict[str, Any], answer: Scripted) -> str:
    if answer.status != 200:
        return json.dumps({"error": {"message": answer.error, "type": "scripted"}})
    return json.dumps(_embeddings(body, answer) if path.endswith("/embeddings") else _completion(body, answer))


def _embeddings(body: dict[str, Any], answer: Scripted) -> dict[str, Any]:
    rows = [
        {"object": "embedding", "index": index, "embedding": answer.vectors(text)}
        for index, text in enumerate(body["input"])
    ]
    # In any order: the index tells.
    return {
        "object": "list",
        "model": body["model"],
        "data": rows[::-1],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }


def _completion(body: dict[str, Any], answer: Scripted) -> dict[str, Any]:
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": answer.finish_reason,
                "message": {
                    "role": "assistant",
                    "content": answer.text(body) if callable(answer.text) else answer.text,
                },
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18} if answer.counts_tokens else None,
    }
