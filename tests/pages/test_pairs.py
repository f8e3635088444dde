"""What the workbench says about a program that was written for another requirement."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_batch
from tests.pages.builders import assign_all, make_pair


def test_says_how_similar_the_two_requirements_are(alice: User, client_for: Callable[[User], Client]) -> None:
    pair = make_pair()
    pair.similarity = 0.034
    pair.save(update_fields=["similarity"])
    work = assign_all(batch=make_batch(name="Pairs", programs=[pair]), annotator=alice)[0]

    page = client_for(alice).get(f"/work/{work.pk}/")

    assert "Similarity of the two: 0.03." in page.content.decode()
