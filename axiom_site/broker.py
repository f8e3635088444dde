"""Where the broker is: the address that is configured, else a Redis-speaking server that the demo starts.

The demo's server listens on a socket in the data folder; where that path is too long for a socket, the demo writes the
address that it took instead into a file beside it.
"""

from __future__ import annotations

from pathlib import Path

SOCKET_NAME = "broker.sock"
ADDRESS_NAME = "broker.url"

# Without these three, tasks of a killed worker come back only after an hour: the transport's defaults sweep every
# 100 s for messages older than 3,600 s. The visibility time-out must exceed the longest task (600 s).
TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 2,
    "socket_keepalive": True,
}


def url(configured: str, *, data_dir: Path) -> str:
    """Return `configured`, or the embedded broker's address when it is empty."""
    if configured:
        return configured
    address = data_dir / ADDRESS_NAME
    if address.is_file():
        return address.read_text(encoding="utf-8").strip()
    return f"redis+socket://{data_dir / SOCKET_NAME}"
