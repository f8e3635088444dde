"""Routes of the perturbation app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from perturbation.views import status

app_name = "perturbation"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", status.pipeline_show, name="pipeline-show"),
    path("activity/", status.activity_show, name="activity-show"),
]
