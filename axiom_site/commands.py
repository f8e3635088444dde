"""The base of all management commands: `--json` as the last line, progress bars on a terminal, one line on refusal."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, OperationalError
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column, Table

from perturbation.models import Benchmark

# What SQLite and PostgreSQL say when a table is missing.
NO_TABLE = ("no such table", "does not exist")
NO_DATABASE = "file is not a database"

LONGEST_SEED = 100
WIDTH = 140
SECONDS_BETWEEN_LINES = 15.0

Json = int | float | str | bool | None | Sequence["Json"] | Mapping[str, "Json"]


class ReportingCommand(BaseCommand):
    """A command that tells what it did: subclasses write `perform` and return their counts.

    `perform` raises CommandError with one clear line when it refuses; the exit status is then 1.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add `--json`; subclasses call this first."""
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print one JSON object with the counts as the last line"
        )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Refuse bad arguments as everything else: one line, exit status 1."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        is_shell = bool(parser.called_from_command_line)
        parser.error = partial(self._refuse_arguments, is_shell=is_shell)  # type: ignore[method-assign]
        return parser

    def _refuse_arguments(self, message: str, *, is_shell: bool) -> NoReturn:
        if not is_shell:
            raise CommandError(f"Error: {message}")
        self.stderr.write(f"CommandError: {message}. --help lists the arguments.")
        sys.exit(1)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run `perform` and print its counts, as lines or as JSON."""
        as_json = options.pop("as_json")
        try:
            result = self.perform(**options)
        except KeyboardInterrupt:
            self.stderr.write("Stopped. Start the same command again: it goes on where it stopped.")
            sys.exit(130)
        except DatabaseError as error:
            refusal = _refusal(error)
            if refusal is None:
                raise
            raise refusal from error
        if as_json:
            self.stdout.write(json.dumps(result, ensure_ascii=False))
        else:
            self.print_result(result)

    def perform(self, **options: Any) -> Json:
        """Do the work and return the counts."""
        raise NotImplementedError

    def print_result(self, result: Json) -> None:
        """Print the counts for a person: one line each, groups in one line."""
        if not isinstance(result, Mapping):
            self.stdout.write(str(result))
            return
        for name, value in result.items():
            label = name.replace("_", " ")
            if isinstance(value, Mapping):
                shown = ", ".join(f"{key}: {count}" for key, count in value.items())
                self.stdout.write(f"{label}: {shown or 'none'}")
            elif isinstance(value, Sequence) and not isinstance(value, str):
                self.stdout.write(f"{label}: {len(value)}")
                for entry in value:
                    self.stdout.write(f"  {entry}")
            else:
                self.stdout.write(f"{label}: {value}")

    def print_table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Print rows under the names of their columns."""
        table = Table(*(Column(name, no_wrap=True) for name in columns), box=box.SIMPLE_HEAD, pad_edge=False)
        for row in rows:
            table.add_row(*map(escape, row))
        console = Console(width=None if self.stdout.isatty() else WIDTH)
        with console.capture() as capture:
            console.print(table)
        self.stdout.write(capture.get())

    def say(self, line: str) -> None:
        """Tell the person at the terminal something that is no result (standard error, so that --json stays clean)."""
        self.stderr.write(line, self.style.NOTICE)


def figure(value: float | None) -> str:
    """Return a number for people, to three decimals; a dash for one that is not defined."""
    return "-" if value is None else f"{value:.3f}"


def benchmark_named(name: str) -> Benchmark:
    """Return the benchmark, or refuse with the names that exist."""
    benchmark = Benchmark.objects.filter(name=name).first()
    if benchmark is None:
        names = ", ".join(Benchmark.objects.order_by("name").values_list("name", flat=True))
        raise CommandError(f"No benchmark is called {name!r}. There are: {names or 'none yet, import one first'}.")
    return benchmark


def whole(minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    """Return an argument type: whole numbers from `minimum` to `maximum`."""

    def read(text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() else -1
        if number < minimum or (maximum is not None and number > maximum):
            raise ArgumentTypeError(f"{text!r} is no whole number from {minimum}{f' to {maximum}' if maximum else ''}")
        return number

    return read


def seed_text(text: str) -> str:
    """Read a seed, an argument type: any short line of text, as it is stored with what is drawn from it."""
    if len(text) > LONGEST_SEED:
        raise ArgumentTypeError(f"a seed has at most {LONGEST_SEED} characters, this one has {len(text)}")
    if not text.isprintable():
        raise ArgumentTypeError(f"{text!r} is no seed: use characters that can be printed, on one line")
    return text


@contextmanager
def progress_bar(title: str, *, total: int) -> Iterator[Callable[[int, str], None]]:
    """Show a bar on standard error, or a line now and then where that is no terminal.

    The yielded function takes (done so far, a short note).
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield progress_lines(title, total=total)
        return
    columns = (
        TextColumn("{task.description:<14}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(title, total=total, note="")

        def show(done: int, note: str = "") -> None:
            bar.update(task, completed=done, note=note)

        yield show


def progress_lines(
    title: str, *, total: int, clock: Callable[[], float] = time.monotonic
) -> Callable[[int, str], None]:
    """Say how far it is every 15 seconds: a log tells who reads it that the work goes on."""
    told_at = clock()

    def show(done: int, note: str = "") -> None:
        nonlocal told_at
        now = clock()
        if now - told_at >= SECONDS_BETWEEN_LINES:
            told_at = now
            of_all = f"{done} of {total}" if total else str(done)
            sys.stderr.write(f"{title}: {of_all}{f', {note}' if note else ''}\n")
            sys.stderr.flush()

    return show


def _refusal(error: DatabaseError) -> CommandError | None:
    """What is to be done about a database that cannot be used; None where the fault is ours."""
    if any(sign in str(error) for sign in NO_TABLE):
        return CommandError("The database has no tables yet: run `manage.py migrate` first.")
    if isinstance(error, OperationalError) or NO_DATABASE in str(error):
        words = " ".join(str(error).split())
        return CommandError(f"The database cannot be used ({words}): check DATABASE_URL and that it can be written to.")
    return None
