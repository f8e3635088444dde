"""Routes of the perturbation app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver

app_name = "perturbation"
urlpatterns: list[URLPattern | URLResolver] = []
