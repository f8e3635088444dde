"""What a language prepares once, in a folder named by everything that it depends on. Builds nothing itself."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path


def key_of(*parts: str | bytes) -> str:
    """A folder name that stands for everything that what is prepared depends on."""
    whole = sha256()
    for part in parts:
        whole.update(part.encode() if isinstance(part, str) else part)
        whole.update(b"\0")
    return whole.hexdigest()[:16]


def prepare_once(folder: Path, key: str, build: Callable[[Path], None]) -> bool:
    """Fill folder/key by `build` unless it is there; whether it had to be built. What other keys left is removed.

    Several processes may do it at once: a folder appears under its name only when it is complete.
    """
    if (folder / key).is_dir():
        return False
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    try:
        unfinished.chmod(0o755)
        build(unfinished)
        try:
            unfinished.rename(folder / key)
        except OSError:
            if not (folder / key).is_dir():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    for old in folder.iterdir():
        if old.name != key and not old.name.startswith(".new-"):
            shutil.rmtree(old, ignore_errors=True)
    return True
