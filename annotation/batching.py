"""Making batches: which programs, in which order. Who scores them is assigned afterwards."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet, prefetch_related_objects

from annotation.models import Batch, Item, Round
from perturbation.models import Program, Selection

LONGEST_NAME = 300


class BatchRefused(Exception):
    """Base of every refusal here; the message can be shown as it is."""


class NameUnusable(BatchRefused):
    """The name is empty, too long, or holds characters that cannot be stored."""


class NameTaken(BatchRefused):
    """There is a batch with this name."""


class NothingToScore(BatchRefused):
    """There are no programs to make items from."""


class ProgramsNotAccepted(BatchRefused):
    """Programs that did not pass their gate are never shown to annotators."""


class PilotOutOfRange(BatchRefused):
    """A pilot is a share above 0 and up to 1."""


class BatchUnknown(LookupError):
    """No batch has this name."""


class OverlapOutOfRange(BatchRefused):
    """Every item needs at least one annotator."""


def create_batch(  # noqa: PLR0913
    *,
    name: str,
    programs: Iterable[Program],
    by: User | None,
    overlap: int | None = None,
    pilot: float | None = None,
    seed: str | int = 0,
    selection: Selection | None = None,
) -> Batch:
    """Make a batch with its first round and one item per program.

    `pilot` is a share (0.10: a tenth, rounded up, at least one program), drawn at random by content key; the batch is
    then marked as a pilot. `overlap` is the number of annotators per item, the setting's by default; `assign` may
    change it. Order and draw depend on `seed` and the programs' content keys alone.

    Raises a BatchRefused: NameUnusable, NameTaken, NothingToScore, ProgramsNotAccepted, PilotOutOfRange or
    OverlapOutOfRange.
    """
    overlap = settings.AXIOM_OVERLAP if overlap is None else overlap
    if overlap < 1:
        raise OverlapOutOfRange(f"An overlap of {overlap} leaves items without annotators: use 1 or more.")
    clean_name = _checked_name(name)
    chosen = _loaded(programs)
    _check_programs(chosen)
    if pilot is not None:
        chosen = draw_pilot(chosen, share=pilot, seed=str(seed))
    fields = {"is_pilot": pilot is not None, "seed": str(seed), "created_by": by}
    try:
        with transaction.atomic():
            batch = Batch.objects.create(name=clean_name, selection=selection, **fields)
            Round.objects.create(batch=batch, overlap=overlap)
            ordered = in_mixed_order(chosen, seed=str(seed))
            items = [Item(batch=batch, program=program, position=place) for place, program in enumerate(ordered)]
            Item.objects.bulk_create(items, batch_size=500)
    except IntegrityError:
        if Batch.objects.filter(name=clean_name).exists():
            raise NameTaken(f"There is a batch named {clean_name!r} already: choose another name.") from None
        raise
    return batch


def batch_named(name: str) -> Batch:
    """Return the batch with this name, or raise BatchUnknown, which lists the names there are."""
    batch = Batch.objects.filter(name=name).first()
    if batch is None:
        names = ", ".join(Batch.objects.order_by("name").values_list("name", flat=True))
        raise BatchUnknown(f"No batch is called {name!r}. There are: {names or 'none yet, run create_batch first'}.")
    return batch


def draw_pilot(programs: Sequence[Program], *, share: float, seed: str) -> list[Program]:
    """Return a random `share` of the programs (above 0, up to 1), rounded up, the same on every machine."""
    if not 0 < share <= 1:
        raise PilotOutOfRange(f"A pilot of {share} is not possible: give a share above 0 and up to 1, such as 0.10.")
    # The written number counts: the binary 0.1 is a little more than a tenth and would round 30 programs up to 4.
    size = max(1, math.ceil(Fraction(str(share)) * len(programs)))
    return random.Random(f"{seed}|pilot").sample(sorted(programs, key=lambda program: program.content_key), size)


def in_mixed_order(programs: Sequence[Program], *, seed: str) -> list[Program]:
    """Return the programs in a seeded order in which no two neighbours share a requirement, where that is possible.

    Neighbours share no target either as long as the programs that are left allow it. A requirement that makes up more
    than half of what is left goes next (or its programs would end up side by side), else the first fitting program.
    """
    left = sorted(programs, key=lambda program: program.content_key)
    random.Random(f"{seed}|order").shuffle(left)
    remaining = Counter(program.requirement_id for program in left)
    ordered: list[Program] = []
    while left:
        requirement, most = remaining.most_common(1)[0]
        pressing = requirement if most > len(left) // 2 else None
        program = left.pop(_next_place(left, previous=ordered[-1] if ordered else None, pressing=pressing))
        remaining[program.requirement_id] -= 1
        ordered.append(program)
    return ordered


def _next_place(left: Sequence[Program], *, previous: Program | None, pressing: int | None) -> int:
    """Return the place of the first program that fits behind `previous`, of another target if there is one."""
    requirement, target = (previous.requirement_id, previous.target_score) if previous else (None, None)
    wanted = None if pressing == requirement else pressing
    same_target = None
    for place, program in enumerate(left):
        if program.requirement_id == requirement or wanted not in (None, program.requirement_id):
            continue
        if program.target_score != target:
            return place
        same_target = place if same_target is None else same_target
    return same_target or 0


def _checked_name(name: str) -> str:
    clean = name.strip()
    if not clean or len(clean) > LONGEST_NAME:
        raise NameUnusable(f"A batch needs a name of 1 to {LONGEST_NAME} characters; this one has {len(clean)}.")
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in clean):
        raise NameUnusable("The batch's name holds characters that cannot be stored: half an emoji or a binary zero.")
    return clean


def _loaded(programs: Iterable[Program]) -> list[Program]:
    if isinstance(programs, QuerySet):
        programs = programs.select_related("requirement__benchmark").defer("text", "tokens", "requirement__text")
    chosen = list({program.pk: program for program in programs}.values())
    prefetch_related_objects(chosen, "requirement__benchmark")
    return chosen


def _check_programs(programs: Sequence[Program]) -> None:
    if not programs:
        raise NothingToScore("There are no programs to score: the selection is empty.")
    refused = sorted(program.content_key for program in programs if program.state != Program.State.ACCEPTED)
    if refused:
        named = ", ".join(refused[:3]) + (" ..." if len(refused) > 3 else "")
        raise ProgramsNotAccepted(
            f"{len(refused)} of {len(programs)} programs are not accepted and cannot be shown to annotators: {named}"
        )
