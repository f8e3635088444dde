"""Django's admin pages for programs: admins look things up, nobody changes a row by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from perturbation import models
from tests.factories import make_perturbed

OURS = [model for model in admin.site._registry if model.__module__ == models.__name__]


def staff(person: User) -> User:
    """Let the person into Django's admin pages."""
    person.is_staff = True
    person.save()
    return person


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_an_admin_reads_every_list(model: type, mia: User, client_for: Callable[[User], Client]) -> None:
    make_perturbed()
    client = client_for(staff(mia))
    name = model._meta.model_name

    assert client.get(reverse(f"admin:perturbation_{name}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:perturbation_{name}_add")).status_code == 403


def test_an_admin_reads_a_program_and_cannot_change_it(mia: User, client_for: Callable[[User], Client]) -> None:
    program = make_perturbed()
    client = client_for(staff(mia))
    address = reverse("admin:perturbation_program_change", args=[program.pk])

    assert client.get(address).status_code == 200
    assert client.post(address, {"text": "other"}).status_code == 403
    program.refresh_from_db()
    assert program.text != "other"


def test_staff_without_the_role_sees_nothing(alice: User, client_for: Callable[[User], Client]) -> None:
    make_perturbed()

    assert client_for(staff(alice)).get(reverse("admin:perturbation_program_changelist")).status_code == 403
