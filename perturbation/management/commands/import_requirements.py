"""`import_requirements`: read a source file or folder into a benchmark."""

from __future__ import annotations

import itertools
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from axiom_site.commands import Json, ReportingCommand, progress_bar, seed_text, whole
from perturbation.importing import Refusal, Row, SourceUnreadable, formats
from perturbation.importing.load import BenchmarkRefused, ImportReport, NothingToUse, import_requirements, sampled
from perturbation.languages import registry
from perturbation.languages.base import Language

SHOWN_REFUSALS = 20
SHOWN_NOTICES = 20


class Command(ReportingCommand):
    """Import requirements with their reference programs."""

    help = (
        "Read requirements, reference programs and tests into a benchmark. Strict: one refused row, and nothing is "
        "stored. A row without a reference or tests comes in, marked as not usable yet. A second import of the same "
        "source changes nothing. Counts: created, unchanged, refused, not_usable."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the source and how it is read."""
        super().add_arguments(parser)
        parser.add_argument("path", type=Path, metavar="PATH", help="the file, or the folder of a tree")
        parser.add_argument(
            "--format",
            required=True,
            dest="source_format",
            metavar="FORMAT",
            help=f"one of {', '.join(formats.READERS)}",
        )
        parser.add_argument("--benchmark", required=True, metavar="NAME")
        parser.add_argument(
            "--references",
            type=Path,
            metavar="FILE",
            help=f"JSON lines with question_id, language and code: references for {', '.join(formats.WITH_REFERENCES)}",
        )
        part = parser.add_mutually_exclusive_group()
        part.add_argument("--limit", type=whole(1), metavar="N", help="read the first N rows only")
        part.add_argument("--sample", type=whole(1), metavar="N", help="take N rows, drawn by --seed and external id")
        parser.add_argument("--seed", type=seed_text, default="0", help="of --sample (%(default)s)")
        parser.add_argument("--lenient", action="store_true", help="store the good rows and report the refused ones")

    def handle(self, *args: Any, **options: Any) -> None:
        """Remember whether JSON is asked for: a refusal prints its counts as well."""
        self.as_json: bool = options["as_json"]
        super().handle(*args, **options)

    def perform(self, **options: Any) -> Json:
        """Import, show what was refused, and refuse as a whole where strict reading asks for it."""
        try:
            report = self._import(options)
        except (SourceUnreadable, BenchmarkRefused) as error:
            raise CommandError(str(error)) from error
        except NothingToUse as error:
            raise CommandError(f"{error} when read as {options['source_format']}. {_advice(options)}") from error
        self._show(report)
        if not report.stored:
            if self.as_json:
                self.stdout.write(json.dumps(_counts(report)))
            way_out = "correct them" if options["lenient"] else "correct them, or take the others in with --lenient"
            raise CommandError(f"Nothing was imported: {_count(len(report.refused), 'row')} refused; {way_out}.")
        return _counts(report)

    def _import(self, options: dict[str, Any]) -> ImportReport:
        source_format = options["source_format"]
        rows = self._part(formats.rows(source_format, options["path"], references=options["references"]), options)
        with progress_bar("import", total=options["limit"] or 0) as show:
            return import_requirements(
                rows=rows,
                benchmark=options["benchmark"],
                source_format=source_format,
                lenient=options["lenient"],
                may_be_bare=options["lenient"] or source_format in formats.WITH_REFERENCES,
                on_progress=lambda done: show(done, f"{done:,} rows"),
            )

    def _part(self, rows: Iterator[Row | Refusal], options: dict[str, Any]) -> Iterator[Row | Refusal]:
        if options["sample"]:
            return sampled(rows=rows, size=options["sample"], seed=options["seed"])
        return itertools.islice(rows, options["limit"])

    def _show(self, report: ImportReport) -> None:
        for notice in report.notices[:SHOWN_NOTICES]:
            self.say(notice)
        if len(report.notices) > SHOWN_NOTICES:
            self.say(f"... and {len(report.notices) - SHOWN_NOTICES} more rows with unknown keys")
        for language, count in report.by_language.items():
            self._say_where_to_get(registry.get(language), count)
        for refusal in report.refused[:SHOWN_REFUSALS]:
            self.stderr.write(str(refusal))
        if len(report.refused) > SHOWN_REFUSALS:
            self.stderr.write(f"... and {_count(len(report.refused) - SHOWN_REFUSALS, 'more refused row')}")

    def _say_where_to_get(self, language: Language, count: int) -> None:
        """A missing tool chain is a fact about this machine: it is told here, and stored by nobody but verify."""
        if language.runnable:
            return
        rows = _count(count, "row") + (" is" if count == 1 else " are")
        self.say(f"{rows} in {language.label}, which cannot be run here: {language.toolchain().how_to}")


def _advice(options: dict[str, Any]) -> str:
    """What to do about rows without a reference or tests."""
    fitting = [name for name in formats.formats_that_fit(options["path"]) if name != options["source_format"]]
    if fitting:
        return f"This file is read well with --format {' or '.join(fitting)}."
    return "Check --format; --lenient takes the rows as they are, to be completed later."


def _counts(report: ImportReport) -> dict[str, Json]:
    return {
        "created": report.created,
        "unchanged": report.unchanged,
        "refused": len(report.refused),
        "not_usable": report.not_usable,
        "not_usable_by_reason": report.problems,
        "by_language": report.by_language,
    }


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
