"""The admin site shows rows and changes none."""

from __future__ import annotations

import uuid
from datetime import datetime

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation import models
from annotation.calibrating import content_version, submit_score
from tests.factories import make_assignment

pytestmark = pytest.mark.django_db

REGISTERED = sorted(
    model._meta.model_name or "" for model in admin.site._registry if model._meta.app_label == "annotation"
)


@pytest.fixture
def root_client(alice: User, now: datetime) -> Client:
    """A superuser's client, with a score in the database."""
    assignment = make_assignment(annotator=alice)
    submit_score(
        assignment=assignment,
        value=3,
        idempotency_key=uuid.uuid4(),
        content_version=content_version(program=assignment.item.program),
        expected_revision=0,
        now=now,
    )
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.mark.parametrize("name", REGISTERED)
def test_lists_and_never_adds(root_client: Client, name: str) -> None:
    listed = root_client.get(reverse(f"admin:annotation_{name}_changelist"))
    added = root_client.get(reverse(f"admin:annotation_{name}_add"))

    assert (listed.status_code, added.status_code) == (200, 403)


@pytest.mark.parametrize("action", ["change", "delete"])
def test_refuses_to_touch_a_score(root_client: Client, action: str) -> None:
    score = models.Score.objects.get()

    answer = root_client.post(reverse(f"admin:annotation_score_{action}", args=[score.pk]), {"value": 0, "post": "yes"})

    assert answer.status_code == 403
    assert models.Score.objects.get().value == 3


def test_shows_a_score_in_full(root_client: Client) -> None:
    score = models.Score.objects.get()

    answer = root_client.get(reverse("admin:annotation_score_change", args=[score.pk]))

    assert answer.status_code == 200
    assert b"alice" in answer.content
