"""Makes one program: a seeded chain of rewrites from a 5-point parent, then the acceptance gate. Saves every attempt.

The gate goes from cheap to dear: tokens, syntax, likeness to what was accepted, the binding step's traces, the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db import transaction
from pygments.lexers import get_lexer_by_name
from pygments.token import Name, is_token_subtype

from perturbation import rendering, verification
from perturbation.chains import EXEMPLAR, plan_chain
from perturbation.diff.extent import Extent, extent
from perturbation.diff.view import DiffView, build
from perturbation.files import split
from perturbation.languages import registry
from perturbation.languages.base import TestRun, TestRunStatus
from perturbation.models import Chain, Program, Requirement, Step, TestKind, content_hash
from perturbation.rewriting import AnswerRefused, NotApplicable, Rewriter, Rewritten
from perturbation.rewriting.mechanical import MechanicalRewriter
from perturbation.rules.registry import Rule, all_rules
from perturbation.tokens import code_rows, encode_tokens
from perturbation.verification import Refusal

# The measured extent contradicts an effort only when it is clearly on the other side of it. A tweak is small and local:
# a rename touches a name's every line, so a share of the program is allowed besides a number of rows. A refactoring
# rewrites a block: one or two changed rows are none.
TWEAK_MAX_ROWS = 14
TWEAK_MAX_SHARE = 0.5
REFACTOR_MIN_ROWS = 3
# Wrong programs of which more of the parent's code than this is gone need writing anew.
GONE_MAX_SHARE = 0.6
LARGEST_TEST_FILE = 200_000


@dataclass(frozen=True)
class Taken:
    """One step that was made: the rule, the text after it and where that comes from."""

    rule: Rule
    rewritten: Rewritten

    @property
    def text(self) -> str:
        """The program after this step."""
        return self.rewritten.text


@dataclass(frozen=True)
class Verdict:
    """What the gate said, with what it found out on the way. `refusal` is None for an accepted program, else a
    Refusal or the phrase for which a model's answers were refused.
    """

    refusal: str | None = None
    detail: str = ""
    view: DiffView | None = None
    run: TestRun | None = None


def build_chain(
    *, parent: Program, target: int, seed: str, rewriter: Rewriter, draw_number: int, max_steps: int = 5
) -> Program:
    """Draw a chain from `parent` to `target` (1-5; 5 makes an exemplar), judge it and save it, accepted or refused.

    `seed` decides the draw; the same seed, parent, rules and rewriter give the same bytes. Raises
    verification.RunnerUnavailable when tests cannot be run here, IntegrityError when this draw is there already.
    """
    steps, verdict = _walk(parent, target, seed, rewriter, max_steps)
    verdict = verdict or _judge(parent, target, steps)
    program = _unsaved(parent, target, draw_number, steps, verdict)
    rendered = None
    if verdict.refusal is None:
        texts = [parent.text, *(step.text for step in steps)]
        titles = [step.rule.title for step in steps]
        rendered = rendering.render(program=program, texts=texts, rule_titles=titles, view=verdict.view)
    with transaction.atomic():
        program.save()
        chain = Chain.objects.create(program=program, target_score=target, seed=seed[:300], rewriter=rewriter.name)
        Step.objects.bulk_create(_step_rows(chain, steps))
        if verdict.run is not None:
            verification.record(program=program, run=verdict.run)
        if rendered is not None:
            rendering.save(program=program, rendering=rendered)
    return program


@lru_cache(maxsize=64)
def names_in(tests: str, language: str) -> frozenset[str]:
    """Return the identifiers in test code: what the tests name must keep its name."""
    lexer = get_lexer_by_name(registry.get(language).pygments_alias)
    # A framework that comes with its tests, such as Catch's one header, names nothing of the program's.
    files = [file.text for file in split(tests) if len(file.text) <= LARGEST_TEST_FILE] or [tests]
    tokens = (token for text in files for token in lexer.get_tokens(text))
    return frozenset(value for kind, value in tokens if is_token_subtype(kind, Name))


def _protected(requirement: Requirement, language: str) -> frozenset[str]:
    """Names that a rewrite must keep. Cases of standard input and calls are values, not code."""
    named = names_in(requirement.tests, language) if requirement.test_kind == TestKind.CODE else frozenset()
    return named | {requirement.entry_point}


def _walk(
    parent: Program, target: int, seed: str, rewriter: Rewriter, max_steps: int
) -> tuple[tuple[Taken, ...], Verdict | None]:
    """Carry the plan out step by step; the verdict is there when a step was refused."""
    language = parent.language
    requirement = parent.requirement
    rules = {rule.id: rule for rule in all_rules() if language in _languages_of(rule, rewriter)}
    plan = plan_chain(target=target, seed=seed, rules=tuple(rules.values()), max_steps=max_steps)
    protected = _protected(requirement, language)
    taken: list[Taken] = []
    for number, position in enumerate(plan.positions, start=1):
        before = taken[-1].text if taken else parent.text
        used = {step.rule.id for step in taken}
        candidates = [rules[rule_id] for rule_id in position.candidates if rule_id not in used]
        step = _first_that_fits(candidates, before, language, protected, rewriter, f"{seed}|{number}")
        if isinstance(step, NotApplicable):
            if position.is_binding and target < EXEMPLAR or not (taken or plan.positions[number:]):
                return tuple(taken), _none_fits(number, step)
            continue
        taken.append(step)
        refused = _check_step(number, before, step.text, language)
        if refused is not None:
            return tuple(taken), refused
    return tuple(taken), None


def _languages_of(rule: Rule, rewriter: Rewriter) -> tuple[str, ...]:
    """A model can be told any rule in the languages it makes sense in; the mechanical rewriter has its own list."""
    return rule.mechanical if rewriter.name == MechanicalRewriter.name else rule.languages


def _first_that_fits(
    candidates: Sequence[Rule], before: str, language: str, protected: frozenset[str], rewriter: Rewriter, seed: str
) -> Taken | NotApplicable:
    """The first rule that can be carried out, else why the last one that was tried cannot."""
    last = NotApplicable("no rule is left for this step")
    for rule in candidates[: rewriter.rules_per_step]:
        try:
            rewritten = rewriter.rewrite(
                text=before, rule=rule, language=language, protected=protected, seed=f"{seed}|{rule.id}"
            )
        except NotApplicable as error:
            last = error
            continue
        return Taken(rule=rule, rewritten=rewritten)
    return last


def _none_fits(number: int, last: NotApplicable) -> Verdict:
    """A model's refused answers are told by their own phrase."""
    if isinstance(last, AnswerRefused):
        return Verdict(last.reason, f"step {number}")
    return Verdict(Refusal.NO_RULE_APPLIES, f"step {number}: no rule finds a site")


def _check_step(number: int, before: str, after: str, language: str) -> Verdict | None:
    if encode_tokens(before, language) == encode_tokens(after, language):
        return Verdict(Refusal.STEP_CHANGES_NOTHING, f"step {number}")
    spoken = registry.get(language)
    if not spoken.parses(after) and spoken.parses(before):
        return Verdict(Refusal.DOES_NOT_PARSE, f"step {number}")
    return None


def _judge(parent: Program, target: int, steps: Sequence[Taken]) -> Verdict:
    """The gate for a whole chain, cheap checks first."""
    text = steps[-1].text
    likeness = _check_likeness(parent, target, encode_tokens(text, parent.language))
    if likeness is not None:
        return likeness
    texts = [parent.text, *(step.text for step in steps)]
    view = build(parent=parent.text, child=text, language=parent.language, chain=texts)
    against = _check_what_is_left(view, parent, text, target) or _check_binding_step(
        view, target, steps, rows=parent.text.count("\n")
    )
    if against is not None:
        return against
    requirement = parent.requirement
    candidate = Program(requirement=requirement, language=parent.language, text=text)
    run = verification.run_tests(program=candidate)
    refusal = _refusal_by_tests(target, run, may_break_build=any(step.rule.may_break_build for step in steps))
    detail = verification.detail_of(run) if refusal else ""
    if refusal is None and target == EXEMPLAR:
        refusal, detail = _check_quality(parent, text)
    return Verdict(refusal=refusal, detail=detail, view=view, run=run)


def _check_quality(parent: Program, text: str) -> tuple[Refusal | None, str]:
    """An exemplar is as good as its parent: no analyser finds more in it."""
    # The reports' model client takes a second to load, which the other targets need not wait for.
    from perturbation.reports import static_analysis  # noqa: PLC0415

    try:
        problems = static_analysis.new_problems(text=text, parent=parent.text, language=parent.language)
    except static_analysis.AnalyserFailed as error:
        return Refusal.NOT_ANALYSED, str(error)[:500]
    return (Refusal.NEW_PROBLEMS, ", ".join(problems)) if problems else (None, "")


def _check_likeness(parent: Program, target: int, tokens: str) -> Verdict | None:
    """Accepted programs of a cell differ in tokens from each other and from their parent."""
    if tokens == encode_tokens(parent.text, parent.language):
        return Verdict(Refusal.SAME_AS_PARENT)
    cell = Program.objects.accepted().filter(requirement=parent.requirement, target_score=target)
    if cell.filter(tokens=tokens).exists():
        return Verdict(Refusal.DUPLICATE)
    return None


def _check_what_is_left(view: DiffView, parent: Program, child: str, target: int) -> Verdict | None:
    """A program that has to be written anew deserves 0 points, not 1 or 2."""
    before, after = code_rows(parent.text, parent.language), code_rows(child, parent.language)
    net: Counter[int] = Counter()
    for row in view.rows:
        # What stands in the place of lost rows, if only longer or worse, is something to repair.
        net[row.hunk] += (row.right_no is None and row.left_no in before) - (
            row.left_no is None and row.right_no in after
        )
    gone = sum(count for count in net.values() if count > 0)
    if target > 2 or gone <= GONE_MAX_SHARE * len(before):
        return None
    return Verdict(Refusal.LITTLE_LEFT, f"{gone} of {len(before)} rows of code are gone")


def _check_binding_step(view: DiffView, target: int, steps: Sequence[Taken], *, rows: int) -> Verdict | None:
    """A step whose ceiling is the target survives in the net diff, and reaches as far as its rule's effort says."""
    binding = [(number, step.rule) for number, step in enumerate(steps, start=1) if step.rule.ceiling == target]
    reaches = [(rule, extent(view, number)) for number, rule in binding]
    surviving = [(rule, reach) for rule, reach in reaches if reach.survives]
    if not surviving:
        return Verdict(Refusal.BINDING_STEP_GONE, ", ".join(rule.id for _, rule in binding))
    if any(_fits(rule, reach, rows) for rule, reach in surviving):
        return None
    rule, reach = surviving[0]
    return Verdict(Refusal.EXTENT, f"{rule.id} is a {rule.effort}, but {_rows_that_count(rule, reach)} rows changed")


def _fits(rule: Rule, reach: Extent, rows: int) -> bool:
    match rule.effort:
        case "tweak":
            return reach.rows <= max(TWEAK_MAX_ROWS, TWEAK_MAX_SHARE * rows)
        case "refactor":
            return _rows_that_count(rule, reach) >= REFACTOR_MIN_ROWS or len(reach.functions) > 1
        case _:
            return True


def _rows_that_count(rule: Rule, reach: Extent) -> int:
    """Repairing functionality takes rewritten rows; for quality, where a block stands is a matter of its own."""
    is_repair = rule.aspect == "functionality" and rule.effort == "refactor"
    return reach.rewritten if is_repair else reach.rows


def _refusal_by_tests(target: int, run: TestRun, *, may_break_build: bool) -> Refusal | None:
    """3 and more means functionally right; below it at least one test fails. The wall clock decides nothing."""
    if run.status is TestRunStatus.BUILD and not (may_break_build and target < 3):
        return Refusal.DOES_NOT_BUILD
    if target >= 3:
        return verification.refusal_of_five_points(run)
    if run.status is TestRunStatus.PASSED:
        return Refusal.PASSES_TESTS
    return Refusal.INCONCLUSIVE if run.inconclusive else None


def _unsaved(parent: Program, target: int, draw_number: int, steps: Sequence[Taken], verdict: Verdict) -> Program:
    text = steps[-1].text if steps else parent.text
    return Program(
        requirement=parent.requirement,
        kind=Program.Kind.EXEMPLAR if target == EXEMPLAR else Program.Kind.PERTURBED,
        state=Program.State.REFUSED if verdict.refusal else Program.State.ACCEPTED,
        refusal=verdict.refusal or "",
        refusal_detail=verdict.detail,
        language=parent.language,
        text=text,
        text_hash=content_hash(text),
        tokens=encode_tokens(text, parent.language),
        target_score=target,
        draw_number=draw_number,
        parent=parent,
    )


def _step_rows(chain: Chain, steps: Iterable[Taken]) -> list[Step]:
    return [
        Step(
            chain=chain,
            number=number,
            rule_id=step.rule.id,
            rule_version=step.rule.version,
            ceiling=step.rule.ceiling,
            effort=step.rule.effort,
            model_call_id=step.rewritten.model_call_id,
            text=step.text,
        )
        for number, step in enumerate(steps, start=1)
    ]
