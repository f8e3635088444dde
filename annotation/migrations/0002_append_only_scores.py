"""Install the triggers that make scores append-only."""

from __future__ import annotations

from typing import Any

from django.db import migrations

from annotation import triggers


def install(apps: Any, schema_editor: Any) -> None:
    statements = {"sqlite": triggers.SQLITE, "postgresql": triggers.POSTGRESQL}[schema_editor.connection.vendor]
    for statement in statements:
        schema_editor.execute(statement, params=None)


def remove(apps: Any, schema_editor: Any) -> None:
    statements = {"sqlite": triggers.SQLITE_REVERSE, "postgresql": triggers.POSTGRESQL_REVERSE}
    for statement in statements[schema_editor.connection.vendor]:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]
    operations = [migrations.RunPython(install, remove, elidable=False)]
