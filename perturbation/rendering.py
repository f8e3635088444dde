"""The diff that annotators see, made once when a program is accepted and stored: no request computes one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perturbation.diff import markup
from perturbation.diff.extent import extent
from perturbation.diff.view import DIFF_VERSION, DiffView, build, build_plain
from perturbation.models import Program, RenderedDiff, content_hash
from perturbation.rules import registry as rules


@dataclass(frozen=True)
class Rendering:
    """What RenderedDiff stores."""

    input_hash: str
    summary: dict[str, Any]
    html: str


def store_diff(*, program: Program) -> RenderedDiff:
    """Store what a saved program is shown as, or return the one that fits already: the diff to its parent.

    A 0-point program stands beside the reference of the requirement it is shown against, without any diff; a
    reference has no parent and stands alone.
    """
    has_chain = program.kind in (Program.Kind.EXEMPLAR, Program.Kind.PERTURBED)
    steps = list(program.chain.steps.order_by("number")) if has_chain else []
    shown_left = _left_of(program)
    texts = [*([shown_left.text] if shown_left else []), *[step.text for step in steps]]
    stored = RenderedDiff.objects.filter(program=program).first()
    if stored is not None and stored.input_hash == _hash(program, texts):
        return stored
    if shown_left is None:
        made = render_alone(program=program)
    elif program.kind == Program.Kind.DISRUPTED:
        made = render_beside(program=program, reference=shown_left)
    else:
        made = render(program=program, texts=texts, rule_titles=[rules.get(step.rule_id).title for step in steps])
    return save(program=program, rendering=made)


def render(
    *, program: Program, texts: Sequence[str], rule_titles: Sequence[str], view: DiffView | None = None
) -> Rendering:
    """Render a program beside its parent. `texts` are p0..pn of its chain; `view` saves building it again."""
    view = view or build(parent=texts[0], child=texts[-1], language=program.language, chain=texts)
    html = markup.render(view, left_title="5-point parent", right_title="This program", steps=rule_titles)
    return Rendering(input_hash=_hash(program, texts), summary=_summary(view), html=html)


def render_beside(*, program: Program, reference: Program) -> Rendering:
    """Render a 0-point program and the reference it would replace as two plain panes."""
    left = build_plain(text=reference.text, language=reference.language)
    right = build_plain(text=program.text, language=program.language)
    html = (
        f'<div class="df-pair">{markup.render_plain(left, title="Reference of this requirement")}'
        f"{markup.render_plain(right, title='This program, written for another requirement')}</div>"
    )
    return Rendering(input_hash=_hash(program, [reference.text]), summary=_summary(right), html=html)


def render_alone(*, program: Program) -> Rendering:
    """Render a reference as one plain pane: there is nothing to compare it with."""
    view = build_plain(text=program.text, language=program.language)
    html = markup.render_plain(view, title="Reference, as it was imported")
    return Rendering(input_hash=_hash(program, []), summary=_summary(view), html=html)


def save(*, program: Program, rendering: Rendering) -> RenderedDiff:
    """Store a rendering with its saved program."""
    fields = {"input_hash": rendering.input_hash, "summary": rendering.summary, "html": rendering.html}
    return RenderedDiff.objects.update_or_create(program=program, defaults=fields)[0]


def _left_of(program: Program) -> Program | None:
    if program.kind == Program.Kind.REFERENCE:
        return None
    if program.kind == Program.Kind.DISRUPTED:
        references = program.requirement.programs.filter(kind=Program.Kind.REFERENCE).in_content_order()
        return references.accepted().first() or references[0]
    if program.parent is None:
        raise ValueError(f"{program.content_key} has no parent to be shown beside.")
    return program.parent


def _hash(program: Program, texts: Sequence[str]) -> str:
    return content_hash(str(DIFF_VERSION), program.kind, program.language, *texts, program.text)


def _summary(view: DiffView) -> dict[str, Any]:
    return {
        "version": view.version,
        "counts": view.counts,
        "steps": _rows_per_step(view),
        "notes": list(markup.notes(view)),
        "is_plain": view.is_plain,
        "hunks": [
            {"number": hunk.number, "rows": hunk.end - hunk.start, "steps": [list(made) for made in hunk.steps]}
            for hunk in view.hunks
        ],
        "outline": [_node(node) for node in view.outline],
    }


def _rows_per_step(view: DiffView) -> dict[str, int]:
    """How many rows of the net difference each step made, as the gate counts them; a row may count for two steps."""
    return {str(number): extent(view, number).rows for number in range(1, view.step_count + 1)}


def _node(node: Any) -> dict[str, Any]:
    return {name: getattr(node, name) for name in node.__slots__}
