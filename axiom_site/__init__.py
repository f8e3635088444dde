"""The project package: wiring only. Importing it makes the Celery application the current one."""

from __future__ import annotations

from axiom_site.celery import app as celery_app

__all__ = ["celery_app"]
