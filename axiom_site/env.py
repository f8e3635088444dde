"""Readers for environment variables: a missing one gives the default, a bad one stops the start-up and says why.

Every reader also takes NAME_FILE, the path of a file that holds the value, as container secrets are handed over.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off", ""})


def text(name: str, default: str = "") -> str:
    """Return the variable `name`, else the contents of the file named by `name`_FILE, else `default`."""
    file_name = os.environ.get(f"{name}_FILE")
    if name not in os.environ and file_name:
        try:
            return Path(file_name).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names {file_name!r}, which cannot be read: {error}") from error
    return os.environ.get(name, default)


def flag(name: str, *, default: bool) -> bool:
    """Return a yes/no variable as a bool; refuse anything that is neither."""
    value = text(name, "1" if default else "0").strip().lower()
    if value in TRUE_WORDS:
        return True
    if value in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is neither yes nor no: use 1 or 0.")


def integer(name: str, default: int, *, minimum: int = 0, maximum: int | None = None) -> int:
    """Return a whole number from `minimum` to `maximum`; refuse anything else."""
    value = text(name, str(default))
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number.") from None
    if number < minimum:
        raise ImproperlyConfigured(f"{name}={number} is below {minimum}.")
    if maximum is not None and number > maximum:
        raise ImproperlyConfigured(f"{name}={number} is above {maximum}.")
    return number


def words(name: str, default: str = "") -> list[str]:
    """Return a comma-separated variable as a list without empty entries."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]
