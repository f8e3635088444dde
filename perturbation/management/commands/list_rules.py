"""`list_rules`: the catalogue."""

from __future__ import annotations

from typing import Any

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
        rows = []
        for rule in sorted(all_rules(), key=lambda rule: (-rule.ceiling, rule.id)):
            said = [
                "yes" if language in rule.mechanical else "model" if language in rule.languages else "-"
                for language in languages
            ]
            rows.append([str(rule.ceiling), rule.id, str(rule.version), rule.aspect, rule.effort, *said])
        self.print_table(words, rows)
