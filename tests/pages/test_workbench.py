"""The workbench's page: what it shows, what it costs, what it never shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from tests.pages.builders import make_work

ClientFor = Callable[[User], Client]


def work_url(assignment: object) -> str:
    return reverse("annotation:work-show", kwargs={"pk": assignment.pk})  # type: ignore[attr-defined]


@pytest.mark.parametrize("items", [10, 20])
def test_takes_the_same_few_queries_for_any_number_of_items(
    items: int, alice: User, client_for: ClientFor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    work = make_work(annotator=alice, items=items)
    client = client_for(alice)
    client.get(work_url(work[3]))

    with django_assert_num_queries(10):
        answer = client.get(work_url(work[3]))

    assert answer.status_code == 200
