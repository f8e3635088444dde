"""What a run's benchmark holds now: how full its cells are, which rules are refused and why, which units failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from perturbation.models import Benchmark, Program, Requirement, Run, RunUnit, Step
from perturbation.rules import registry as rules

FAILED_SHOWN = 50
# A rule that is refused more often than this needs mending; of fewer programs a share says nothing.
BAD_SHARE = 0.6
MIN_PROPOSED = 5
DEFAULT_SORT = "share"


@dataclass(frozen=True)
class FillCell:
    """One language and target: accepted programs, and how many of the cells have all that are wanted."""

    target: int
    accepted: int
    full: int
    cells: int

    @property
    def percent(self) -> float | None:
        """Share of full cells in percent; None where there is no cell."""
        return 100 * self.full / self.cells if self.cells else None


@dataclass(frozen=True)
class FillLine:
    """One language."""

    language: str
    requirements: int
    five_point: int
    cells: tuple[FillCell, ...]


@dataclass(frozen=True)
class Reason:
    """Why programs of one rule were refused, how many, and one of them to look at."""

    words: str
    count: int
    example: int


@dataclass(frozen=True)
class RuleLine:
    """What became of the programs whose score one rule sets, in one language."""

    rule: str
    title: str
    language: str
    target: int
    proposed: int
    reasons: tuple[Reason, ...]

    @property
    def refused(self) -> int:
        """Refused programs of all reasons."""
        return sum(reason.count for reason in self.reasons)

    @property
    def percent(self) -> float:
        """Refused programs in percent of the proposed ones."""
        return 100 * self.refused / self.proposed

    @property
    def is_bad(self) -> bool:
        """Whether the rule needs mending in this language."""
        return self.proposed >= MIN_PROPOSED and self.refused > BAD_SHARE * self.proposed


@dataclass(frozen=True)
class RulelessLine:
    """Draws that were refused before any binding rule was applied: nothing to take a share of."""

    kind: str
    language: str
    target: int
    reason: Reason


@dataclass(frozen=True)
class FailedUnit:
    """A unit that failed, with the first line of its error apart."""

    pk: int
    key: str
    first_line: str
    details: str


@dataclass(frozen=True)
class RunResults:
    """The part of a run's page that polls slowly."""

    run: Run
    per_target: int
    targets: tuple[int, ...]
    fill: tuple[FillLine, ...]
    rules: tuple[RuleLine, ...]
    ruleless: tuple[RulelessLine, ...]
    failed: tuple[FailedUnit, ...]
    failed_count: int
    sort: str
    columns: tuple[Column, ...]

    @property
    def bad_rules(self) -> int:
        """How many lines of rules need mending."""
        return sum(line.is_bad for line in self.rules)


@dataclass(frozen=True)
class Column:
    """A column that the table of rules can be sorted by; figures go from large to small."""

    key: str
    title: str
    is_figure: bool
    is_chosen: bool


def run_results(*, run: Run, sort: str = DEFAULT_SORT) -> RunResults:
    """Gather the results in seven queries, all aggregated in the database."""
    wanted = run.parameters.get("per_target", settings.AXIOM_PER_TARGET)
    targets = tuple(run.parameters.get("targets", (0, 1, 2, 3, 4)))
    failed = run.units.failed()
    columns = _columns(sort)
    return RunResults(
        run=run,
        per_target=wanted,
        targets=targets,
        fill=_fill(run.benchmark, targets, wanted),
        rules=_sorted(_rules(run.benchmark), sort),
        ruleless=_ruleless(run.benchmark),
        failed=tuple(_failed_unit(unit) for unit in failed[:FAILED_SHOWN]),
        failed_count=failed.count(),
        sort=next(column.key for column in columns if column.is_chosen),
        columns=columns,
    )


def _columns(sort: str) -> tuple[Column, ...]:
    titles = {
        "rule": (_("Rule"), False),
        "language": (_("Language"), False),
        "target": (_("Target"), False),
        "proposed": (_("Proposed"), True),
        "refused": (_("Refused"), True),
        "share": (_("Share"), True),
    }
    chosen = sort if sort in titles else DEFAULT_SORT
    return tuple(Column(key, title, is_figure, key == chosen) for key, (title, is_figure) in titles.items())


def _sorted(lines: Iterable[RuleLine], sort: str) -> tuple[RuleLine, ...]:
    """Worst first, then the column that was asked for in front of it."""
    keys: dict[str, Callable[[RuleLine], object]] = {
        "rule": lambda line: line.title,
        "language": lambda line: line.language,
        "target": lambda line: line.target,
        "proposed": lambda line: -line.proposed,
        "refused": lambda line: -line.refused,
    }
    worst = sorted(
        lines, key=lambda line: (line.proposed < MIN_PROPOSED, -line.percent, -line.refused, line.rule, line.language)
    )
    return tuple(sorted(worst, key=keys[sort])) if sort in keys else tuple(worst)  # type: ignore[arg-type]


def _fill(benchmark: Benchmark, targets: tuple[int, ...], wanted: int) -> tuple[FillLine, ...]:
    accepted: Counter[tuple[str, int]] = Counter()
    full: Counter[tuple[str, int]] = Counter()
    for language, target, _requirement, number in Program.objects.of(benchmark.name).accepted_by_cell():
        accepted[language, target] += number
        full[language, target] += number >= wanted
    return tuple(
        FillLine(
            language=language,
            requirements=requirements,
            five_point=accepted[language, 5],
            cells=tuple(
                FillCell(target, accepted[language, target], full[language, target], requirements) for target in targets
            ),
        )
        for language, requirements in Requirement.objects.of(benchmark.name).numbers_with_five_points()
    )


def _rules(benchmark: Benchmark) -> Iterable[RuleLine]:
    proposed: Counter[tuple[str, int, str]] = Counter()
    reasons: dict[tuple[str, int, str], list[Reason]] = {}
    for rule, ceiling, language, state, refusal, number, example in Step.objects.binding().verdicts_by_rule(benchmark):
        proposed[rule, ceiling, language] += number
        if state == Program.State.REFUSED:
            reasons.setdefault((rule, ceiling, language), []).append(Reason(refusal, number, example))
    titles = {rule.id: rule.title for rule in rules.all_rules()}
    for (rule, ceiling, language), number in proposed.items():
        found = sorted(reasons.get((rule, ceiling, language), []), key=lambda reason: (-reason.count, reason.words))
        yield RuleLine(rule, titles.get(rule, rule), language, ceiling, number, tuple(found))


def _ruleless(benchmark: Benchmark) -> tuple[RulelessLine, ...]:
    kinds = dict(Program.Kind.choices)
    rows = Program.objects.of(benchmark.name).refused_without_binding_step()
    lines = (
        RulelessLine(str(kinds[kind]), language, target, Reason(refusal, number, example))
        for kind, language, target, refusal, number, example in rows
    )
    return tuple(sorted(lines, key=lambda line: (-line.reason.count, line.language, line.target, line.reason.words)))


def _failed_unit(unit: RunUnit) -> FailedUnit:
    first, _newline, rest = unit.error.partition("\n")
    return FailedUnit(pk=unit.pk, key=unit.key, first_line=first or _("no word was left"), details=rest.strip())
