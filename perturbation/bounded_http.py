"""HTTP whose answers end: bounds the whole time and the bytes of an answer, where httpx bounds each read only.

Knows no protocol above HTTP.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx

MAX_ANSWER_BYTES = 32 << 20
CONNECT_SECONDS = 10.0
LEAST_SECONDS = 0.05


class BoundedClient(httpx.Client):
    """Ends an answer with ReadTimeout after `seconds` in all, or with ReadError beyond `most_bytes`."""

    def __init__(self, *, seconds: float, most_bytes: int = MAX_ANSWER_BYTES) -> None:
        super().__init__(timeout=seconds, follow_redirects=True)
        self._seconds, self._most_bytes = seconds, most_bytes

    def send(self, request: httpx.Request, *, stream: bool = False, **options: Any) -> httpx.Response:
        deadline = time.monotonic() + self._seconds
        # Read by the transport when it needs them: one dictionary that stays with the request.
        timeouts = request.extensions.setdefault("timeout", {})
        timeouts["connect"] = min(self._seconds, CONNECT_SECONDS)
        # A packed answer could be any size when unpacked.
        request.headers["Accept-Encoding"] = "identity"
        response = super().send(request, stream=True, **options)
        # An answer that stalls after a late start has what is left, not the whole time once more.
        timeouts["read"] = max(deadline - time.monotonic(), LEAST_SECONDS)
        response.headers.pop("Content-Encoding", None)
        if isinstance(response.stream, httpx.SyncByteStream):
            response.stream = _Bounded(response.stream, deadline=deadline, most_bytes=self._most_bytes)
        if not stream:
            try:
                response.read()
            finally:
                response.close()
        return response


class _Bounded(httpx.SyncByteStream):
    """The bytes of one answer."""

    def __init__(self, stream: httpx.SyncByteStream, *, deadline: float, most_bytes: int) -> None:
        self._stream, self._deadline, self._left = stream, deadline, most_bytes

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            self._left -= len(part)
            if self._left < 0:
                raise httpx.ReadError("the answer is too long")
            if time.monotonic() > self._deadline:
                raise httpx.ReadTimeout("the answer does not end")
            yield part

    def close(self) -> None:
        self._stream.close()
