"""Files of a tree of folders as untrusted bytes: no links, no huge files, UTF-8 only. Knows no format."""

from __future__ import annotations

from pathlib import Path

from perturbation.importing import FieldRefused, SourceUnreadable
from perturbation.importing.lines import UTF8_MARK
from perturbation.importing.values import check_text

MAX_FILE_BYTES = 16 << 20


def visible_folders(path: Path) -> list[Path]:
    """Return the folders in `path` by name, hidden and cache ones left out. Raises SourceUnreadable."""
    try:
        entries = [entry for entry in path.iterdir() if entry.is_dir() and not entry.name.startswith((".", "__"))]
    except OSError as error:
        raise SourceUnreadable(f"{path} cannot be read: {error.strerror}.") from error
    return sorted(entries)


def text_of(path: Path, *, required: bool = False, name: str = "") -> str:
    """Return a file's text, "" where there is none; FieldRefused names it by `name` (its own name if empty)."""
    name = name or path.name
    data = bytes_of(path, required=required, name=name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FieldRefused(name, f"not UTF-8 at byte {error.start + 1}: save the file as UTF-8.") from error
    check_text(text, name)
    return text


def bytes_of(path: Path, *, required: bool = False, name: str = "") -> bytes:
    """Return a file's bytes without a byte order mark, b"" where there is none."""
    name = name or path.name
    if path.is_symlink():
        raise FieldRefused(name, "a symbolic link: put the file itself there.")
    if not path.is_file():
        if required:
            raise FieldRefused(name, "missing: every folder needs it.")
        return b""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise FieldRefused(name, f"larger than {MAX_FILE_BYTES >> 20} MB: shorten it.")
    return path.read_bytes().removeprefix(UTF8_MARK)
