"""`list_rules`: the catalogue."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from axiom_site.commands import Json, ReportingCommand
from perturbation.rules.registry import all_rules


class Command(ReportingCommand):
    """Show the rules."""

    help = "Show the catalogue of rules: ceiling, aspect, effort, and the languages with a mechanical rewrite."

    def perform(self, **_options: Any) -> Json:
        """Return one entry a rule."""
        return [
            {
                "id": rule.id,
                "version": rule.version,
                "title": rule.title,
                "ceiling": rule.ceiling,
                "aspect": rule.aspect,
                "effort": rule.effort,
                "languages": list(rule.languages),
                "mechanical": list(rule.mechanical),
            }
            for rule in all_rules()
        ]

    def print_result(self, result: Json) -> None:
        """Print a table, highest ceiling first."""
        del result
        table = Table("ceiling", "rule", "version", "aspect", "effort", "mechanical in")
        for rule in sorted(all_rules(), key=lambda rule: (-rule.ceiling, rule.id)):
            mechanical = ", ".join(rule.mechanical) or "-"
            table.add_row(str(rule.ceiling), rule.id, str(rule.version), rule.aspect, rule.effort, mechanical)
        console = Console(width=None if self.stdout.isatty() else 120)
        with console.capture() as capture:
            console.print(table)
        self.stdout.write(capture.get())
