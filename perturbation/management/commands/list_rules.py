"""`list_rules`: the catalogue."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Column, Table

from axiom_site.commands import Json, ReportingCommand
from perturbation.languages.registry import all_languages
from perturbation.rules.registry import all_rules


class Command(ReportingCommand):
    """Show the rules."""

    help = (
        "Show the catalogue of rules: ceiling, aspect, effort, and for each language whether "
        "there is a mechanical rewrite (yes), only a model can be told it (model), or it makes no sense there (-)."
    )

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
        languages = [language.id for language in all_languages()]
        words = ("ceiling", "rule", "version", "aspect", "effort", *languages)
        # "yes": there is a mechanical rewrite; "model": a model can be told the rule; "-": it makes no sense there.
        table = Table(*(Column(word, no_wrap=True) for word in words), box=box.SIMPLE_HEAD, pad_edge=False)
        for rule in sorted(all_rules(), key=lambda rule: (-rule.ceiling, rule.id)):
            said = [
                "yes" if language in rule.mechanical else "model" if language in rule.languages else "-"
                for language in languages
            ]
            table.add_row(str(rule.ceiling), rule.id, str(rule.version), rule.aspect, rule.effort, *said)
        console = Console(width=None if self.stdout.isatty() else 140)
        with console.capture() as capture:
            console.print(table)
        self.stdout.write(capture.get())
