"""`add_person`: an account with a role; for a new one a password is made and printed once."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import transaction

from axiom_site import roles
from axiom_site.commands import Json, ReportingCommand

PASSWORD_BYTES = 12


class Command(ReportingCommand):
    """Make an account, or give one that is there another role."""

    help = "Make an account with a role (a password is made and printed once), or add a role to an account."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the name and the role."""
        super().add_arguments(parser)
        parser.add_argument("name", help="the user name to sign in with")
        parser.add_argument("--role", required=True, choices=roles.ROLES, help="what the person does")

    def perform(self, **options: Any) -> Json:
        """Make the account unless it is there, and add the role."""
        name, role = options["name"], options["role"]
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        with transaction.atomic():
            person = User.objects.filter(username=name).first()
            is_new = person is None
            if person is None:
                person = User(username=name)
                person.set_password(password)
                _check(person)
                person.save()
            person.groups.add(Group.objects.get(name=role))
        held = sorted(roles.roles_of(person))
        return {"person": name, "created": int(is_new), "roles": held} | ({"password": password} if is_new else {})


def _check(person: User) -> None:
    try:
        person.clean_fields()
    except ValidationError as error:
        raise CommandError(f"{person.username!r} is no user name: {' '.join(error.messages)}") from None
