"""Fixtures of the page tests."""

from __future__ import annotations

import pytest
from django.conf import settings


@pytest.fixture(autouse=True, scope="session")
def _static_root() -> None:
    """Make the folder for collected static files: whitenoise warns where it is missing, and warnings are errors."""
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
