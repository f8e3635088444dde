"""The command that makes accounts."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from axiom_site.roles import roles_of

pytestmark = pytest.mark.django_db


def add(*arguments: str) -> dict[str, Any]:
    output = io.StringIO()
    call_command("add_person", *arguments, "--json", stdout=output)
    counts: dict[str, Any] = json.loads(output.getvalue())
    return counts


def test_makes_an_account_that_can_sign_in() -> None:
    counts = add("dora", "--role", "annotator")

    person = User.objects.get(username="dora")
    assert (counts["person"], counts["created"], counts["roles"]) == ("dora", 1, ["annotator"])
    assert person.check_password(counts["password"])
    assert (person.is_staff, person.is_superuser) == (False, False)


def test_adds_a_role_and_leaves_the_password_alone() -> None:
    password = add("dora", "--role", "annotator")["password"]

    counts = add("dora", "--role", "lead")

    person = User.objects.get(username="dora")
    assert counts == {"person": "dora", "created": 0, "roles": ["annotator", "lead"]}
    assert person.check_password(password)
    assert roles_of(person) == {"annotator", "lead"}


@pytest.mark.parametrize(
    ("name", "role", "message"),
    [("dora", "owner", "invalid choice: 'owner'"), ("do ra", "lead", "'do ra' is no user name")],
)
def test_refuses_what_is_no_role_or_no_name(name: str, role: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        add(name, "--role", role)

    assert not User.objects.filter(username=name).exists()
