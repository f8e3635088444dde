"""The page of one program's family: its requirement, how it was made step by step, what was measured, its siblings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from perturbation import verification
from perturbation.diff import markup
from perturbation.diff.view import build
from perturbation.models import Chain, ModelCall, Program, RenderedDiff, Report, Requirement, Step, Verification
from perturbation.rules import registry as rules

SIBLINGS_SHOWN = 300
# A longer pair of texts is not compared in a request: it would hold the web server up for seconds.
MAX_DIFF_CHARACTERS = 200_000


@dataclass(frozen=True)
class Tests:
    """What a stored run of the tests said."""

    __test__ = False  # for pytest: the name starts like a test's

    status: str
    passed: int
    failed: int
    seconds: float
    sandbox: str
    message: str
    troubled: tuple[tuple[str, str, str], ...]

    @property
    def word(self) -> str:
        """The status in words."""
        return _("does not compile") if self.status == "build" else self.status

    @property
    def is_good(self) -> bool:
        """Whether all passed."""
        return self.status == "passed"


@dataclass(frozen=True)
class CallLine:
    """The request that a model answered for a step."""

    model: str
    prompt_tokens: int
    answer_tokens: int
    seconds: float
    attempts: int
    prompt: tuple[tuple[str, str], ...]
    answer: str


@dataclass(frozen=True)
class StepLine:
    """One step of the chain; `lowest` is the smallest ceiling so far."""

    number: int
    rule: str
    title: str
    version: int
    ceiling: int
    lowest: int
    effort: str
    is_binding: bool
    tests: Tests | None
    call: CallLine | None


@dataclass(frozen=True)
class ReportLine:
    """One source of the diagnosis and how it stands."""

    kind: str
    status: str
    status_word: str
    tool: str


@dataclass(frozen=True)
class Member:
    """A program of the same requirement."""

    pk: int
    kind: str
    draw: int
    state: str
    state_word: str
    refusal: str
    refusal_detail: str
    similarity: float | None
    is_shown: bool
    is_parent: bool
    is_child: bool


@dataclass(frozen=True)
class Generation:
    """All programs of the family with one target score."""

    target: int
    accepted: int
    members: tuple[Member, ...]


@dataclass(frozen=True)
class LineagePage:
    """All of the page but for the diffs, which are fetched one at a time."""

    program: Program
    requirement: Requirement
    parent: Program | None
    foreign: Requirement | None
    chain: Chain | None
    steps: tuple[StepLine, ...]
    tests: Tests | None
    reports: tuple[ReportLine, ...]
    family: tuple[Generation, ...]
    is_family_cut: bool


@dataclass(frozen=True)
class StepDiff:
    """The difference that one step made, or a word why it is not shown; number 0 is the whole chain's."""

    program: Program
    number: int
    title: str
    html: str
    problem: str = ""


def lineage_page(*, program: Program) -> LineagePage:
    """Gather the page in eight queries, whatever the size of the family."""
    chain = Chain.objects.filter(program=program).first()
    steps = list(chain.steps.select_related("model_call").order_by("number")) if chain else []
    texts = [program.text, *[step.text for step in steps]]
    own, *by_step = _tests_of(program, texts)
    parent = program.parent
    is_pair = program.kind == Program.Kind.DISRUPTED
    members = list(Program.objects.family_of(program.requirement)[: SIBLINGS_SHOWN + 1])
    return LineagePage(
        program=program,
        requirement=program.requirement,
        parent=parent,
        foreign=parent.requirement if parent and is_pair else None,
        chain=chain,
        steps=_steps(steps, by_step, program),
        tests=own,
        reports=_reports(program),
        family=_generations(members[:SIBLINGS_SHOWN], program),
        is_family_cut=len(members) > SIBLINGS_SHOWN,
    )


def step_diff(*, program: Program, number: int) -> StepDiff | None:
    """Compare the texts before and after a step; 0 stands for the stored diff to the parent. None: no such step."""
    if number == 0:
        stored = RenderedDiff.objects.filter(program=program).first()
        problem = "" if stored else _("It is stored when a program is accepted; this one has none.")
        return StepDiff(program, 0, _("Whole chain"), markup.Html(stored.html) if stored else "", problem)
    steps = list(Step.objects.filter(chain__program=program, number__lte=number).order_by("number"))
    if not steps or steps[-1].number != number or program.parent is None:
        return None
    before = steps[-2].text if len(steps) > 1 else program.parent.text
    after = steps[-1].text
    title = _("Step %(number)d: %(rule)s") % {"number": number, "rule": _title(steps[-1].rule_id)}
    if len(before) + len(after) > MAX_DIFF_CHARACTERS:
        return StepDiff(program, number, title, "", _("These texts are too long to be compared here."))
    return StepDiff(program, number, title, _rendered(before, after, program.language, number))


@lru_cache(maxsize=64)
def _rendered(before: str, after: str, language: str, number: int) -> markup.Html:
    view = build(parent=before, child=after, language=language)
    left = _("Before this step") if number > 1 else _("5-point parent")
    return markup.render(
        view, left_title=left, right_title=_("After this step"), steps=None, id_prefix=f"step-{number}-"
    )


def _tests_of(program: Program, texts: Sequence[str]) -> list[Tests | None]:
    """The newest stored run of the requirement's tests on each text, whichever program of the family it was."""
    candidates = [Program(requirement=program.requirement, language=program.language, text=text) for text in texts]
    hashes = [verification.input_hash(candidate) for candidate in candidates]
    stored = Verification.objects.filter(program__requirement=program.requirement, input_hash__in=hashes)
    newest = {row.input_hash: row for row in stored.order_by("pk")}
    return [_tests(newest[key]) if key in newest else None for key in hashes]


def _tests(row: Verification) -> Tests:
    troubled = [case for case in row.cases if case["outcome"] != "passed"]
    return Tests(
        status=row.status,
        passed=row.passed,
        failed=row.failed,
        seconds=row.seconds,
        sandbox=row.sandbox,
        message=row.why_it_ended,
        troubled=tuple((case["name"], case["outcome"], case.get("message", "")) for case in troubled),
    )


def _steps(steps: Sequence[Step], tests: Sequence[Tests | None], program: Program) -> tuple[StepLine, ...]:
    """A step binds when its ceiling is the target and, as far as a stored diff tells, something of it is left."""
    summary = RenderedDiff.objects.filter(program=program).values_list("summary", flat=True).first() or {}
    left: dict[str, int] = summary.get("steps", {})
    return tuple(
        StepLine(
            number=step.number,
            rule=step.rule_id,
            title=_title(step.rule_id),
            version=step.rule_version,
            ceiling=step.ceiling,
            lowest=min(earlier.ceiling for earlier in steps[: index + 1]),
            effort=step.effort,
            is_binding=step.ceiling == program.target_score and left.get(str(step.number)) != 0,
            tests=tests[index],
            call=_call(step.model_call) if step.model_call else None,
        )
        for index, step in enumerate(steps)
    )


def _title(rule_id: str) -> str:
    """The rule's title; a rule that left the catalogue keeps its id."""
    try:
        return rules.get(rule_id).title
    except rules.UnknownRule:
        return rule_id


def _call(call: ModelCall) -> CallLine:
    messages: list[Any] = call.request.get("messages", [])
    return CallLine(
        model=call.model,
        prompt_tokens=call.prompt_tokens,
        answer_tokens=call.answer_tokens,
        seconds=call.seconds,
        attempts=call.attempts,
        prompt=tuple((str(message.get("role", "")), str(message.get("content", ""))) for message in messages),
        answer=call.answer,
    )


def _reports(program: Program) -> tuple[ReportLine, ...]:
    current = {report.kind: report for report in Report.objects.filter(program=program, is_current=True)}
    return tuple(
        ReportLine(
            kind=str(kind.label),
            status=current[kind].status if kind in current else "none",
            status_word=current[kind].get_status_display() if kind in current else _("not built"),
            tool=current[kind].tool_version if kind in current else "",
        )
        for kind in Report.Kind
    )


def _generations(members: Sequence[Program], shown: Program) -> tuple[Generation, ...]:
    def one(target: int, programs: Sequence[Program]) -> Generation:
        accepted = sum(program.state == Program.State.ACCEPTED for program in programs)
        return Generation(target, accepted, tuple(_member(program, shown) for program in programs))

    by_target = groupby(members, key=lambda program: program.target_score)
    return tuple(one(target, list(programs)) for target, programs in by_target)


def _member(program: Program, shown: Program) -> Member:
    return Member(
        pk=program.pk,
        kind=program.get_kind_display(),
        draw=program.draw_number,
        state=program.state,
        state_word=program.get_state_display(),
        refusal=program.refusal,
        refusal_detail=program.refusal_detail,
        similarity=program.similarity,
        is_shown=program.pk == shown.pk,
        is_parent=program.pk == shown.parent_id,
        is_child=program.parent_id == shown.pk,
    )
