"""Create one group per role."""

from __future__ import annotations

from typing import Any

from django.db import migrations

from axiom_site.roles import ROLES


def create_groups(apps: Any, schema_editor: Any) -> None:
    group = apps.get_model("auth", "Group")
    for role in ROLES:
        group.objects.get_or_create(name=role)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0002_append_only_scores"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [migrations.RunPython(create_groups, migrations.RunPython.noop)]
