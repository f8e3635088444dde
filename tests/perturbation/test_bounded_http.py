"""Answers of a server that never ends them."""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Iterator

import httpx2 as httpx
import pytest

from perturbation.bounded_http import BoundedClient

LATE_SECONDS = 0.3
HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Endless(socketserver.StreamRequestHandler):
    """Sends blanks: one now and then, or many at once; or begins late."""

    def handle(self) -> None:
        asked = self.request.recv(65536)
        is_slow = b"/slow" in asked
        time.sleep(LATE_SECONDS if b"/late" in asked else 0)
        self.wfile.write(HEAD)
        try:
            while True:
                self.wfile.write(b"1\r\n \r\n" if is_slow else b"10000\r\n" + b" " * 0x10000 + b"\r\n")
                time.sleep(0.02 if is_slow else 0)
        except OSError:
            return


@pytest.fixture
def address() -> Iterator[str]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Endless) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_gives_up_on_an_answer_that_comes_byte_by_byte(address: str) -> None:
    with (
        BoundedClient(seconds=0.3) as client,
        pytest.raises(httpx.ReadTimeout),
    ):
        client.get(f"{address}/slow")


def test_gives_up_on_an_answer_that_is_too_long(address: str) -> None:
    with (
        BoundedClient(seconds=60.0, most_bytes=1 << 20) as client,
        pytest.raises(httpx.ReadError),
    ):
        client.get(f"{address}/fast")


def test_leaves_an_answer_that_begins_late_only_what_is_left_of_the_time(address: str) -> None:
    with BoundedClient(seconds=1.0) as client:
        request = client.build_request("GET", f"{address}/late")
        client.send(request, stream=True).close()

    assert request.extensions["timeout"]["read"] <= 1.0 - LATE_SECONDS
