"""A real HTTP server that speaks the OpenAI chat protocol and answers from a script, faults included."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Scripted:
    """One answer: a status and, with status 200, the text that the model says."""

    text: str = ""
    status: int = 200
    finish_reason: str = "stop"


@dataclass
class ModelServer:
    """Where the server listens and what it was asked."""

    base_url: str
    requests: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def serve(*script: Scripted) -> Iterator[ModelServer]:
    """Answer requests with the script's entries in order; the last one repeats."""
    seen: list[dict[str, Any]] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                answer = script[min(len(seen), len(script) - 1)]
                seen.append(body)
            self._send(answer.status, _completion(body, answer) if answer.status == 200 else {"error": "scripted"})

        def _send(self, status: int, content: dict[str, Any]) -> None:
            payload = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_: object) -> None:
            """Keep the test output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield ModelServer(base_url=f"http://127.0.0.1:{server.server_address[1]}/v1", requests=seen)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


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
                "message": {"role": "assistant", "content": answer.text},
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }
