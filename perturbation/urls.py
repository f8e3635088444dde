"""Routes of the perturbation app."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from perturbation.views import lineage, runs, status

app_name = "perturbation"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", status.pipeline_show, name="pipeline-show"),
    path("activity/", status.activity_show, name="activity-show"),
    path("runs/", runs.run_list, name="run-list"),
    path("runs/<int:pk>/", runs.run_show, name="run-show"),
    path("runs/<int:pk>/progress/", runs.run_progress, name="run-progress"),
    path("runs/<int:pk>/results/", runs.run_results, name="run-results"),
    path("runs/<int:pk>/pause/", runs.run_pause, name="run-pause"),
    path("runs/<int:pk>/resume/", runs.run_resume, name="run-resume"),
    path("runs/<int:pk>/cancel/", runs.run_cancel, name="run-cancel"),
    path("runs/<int:pk>/retry/", runs.run_retry, name="run-retry"),
    path("programs/<int:pk>/", lineage.program_show, name="program-show"),
    path("programs/<int:pk>/steps/<int:number>/", lineage.step_show, name="step-show"),
    path("programs/<int:pk>/steps/<int:number>/verify/", lineage.step_verify, name="step-verify"),
]
