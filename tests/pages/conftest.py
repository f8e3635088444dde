"""Fixtures of the page tests."""

from __future__ import annotations

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _quick_site(settings: Settings) -> None:
    """Hash passwords cheaply, and have the folder for collected static files, whose absence is a warning."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
