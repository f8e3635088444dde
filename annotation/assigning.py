"""Who scores which item: an exact overlap, balanced, drawn from a seed and from user names, never from keys.

The database has the last word: one person a slot, one slot a person and item, no slot at or above the overlap.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Count, Q

from annotation.models import Assignment, Batch, Item, Round
from axiom_site import roles


class AssigningRefused(Exception):
    """Base of every refusal here; the message can be shown as it is."""


class UnknownPeople(AssigningRefused):
    """Some names belong to nobody, or to somebody who is no annotator."""


class OverlapTooLarge(AssigningRefused):
    """More annotators an item are asked for than there are people."""


class OverlapBelowAssigned(AssigningRefused):
    """Items have more annotators already than the overlap allows."""


class BatchNotOpen(AssigningRefused):
    """A closed batch gets no assignments."""


class AssignedMeanwhile(AssigningRefused):
    """Another process filled the same slots at the same time."""


@dataclass(frozen=True)
class AssignReport:
    """What one call did. `unfilled`: slots that nobody is left for (all others skipped the item or hold it)."""

    created: int
    unchanged: int
    unfilled: int
    per_person: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """The next assignment of the person."""

    assignment: Assignment


@dataclass(frozen=True)
class NothingLeft:
    """The person has no open assignment; `skipped` ones can still be taken up again."""

    scored: int
    skipped: int


@dataclass(frozen=True)
class AllLocked:
    """Work is left, but others hold it until `free_at`. Only pools, which lease items by the clock, answer this."""

    locked: int
    free_at: datetime


def find_people(*, usernames: Sequence[str]) -> list[User]:
    """Return the annotators with these names, each once and in this order; raise UnknownPeople naming every other."""
    found = {person.username: person for person in User.objects.filter(username__in=usernames)}
    problems = [f"there is no user {name!r}" for name in dict.fromkeys(usernames) if name not in found]
    if problems:
        raise UnknownPeople(f"Nobody was assigned: {'; '.join(problems)}.")
    people = [found[name] for name in dict.fromkeys(usernames)]
    _check_annotators(people)
    return people


def assign(*, batch: Batch, people: Iterable[User], overlap: int, seed: str | int) -> AssignReport:
    """Give every item of the batch's newest round exactly `overlap` different annotators, in one transaction.

    Loads differ by at most one item when the batch is new. Called again, it only fills slots that are free: after a
    skip, after a higher overlap, or with more people. It never takes work away from anybody, never gives an item to
    somebody who had it in this round, and never goes beyond the overlap; so the same call again changes nothing.

    Raises BatchNotOpen, UnknownPeople, OverlapTooLarge, OverlapBelowAssigned or AssignedMeanwhile.
    """
    chosen = list({person.username: person for person in people}.values())
    _check_annotators(chosen)
    try:
        with transaction.atomic():
            return _assign(batch=batch, people=chosen, overlap=overlap, seed=str(seed))
    except IntegrityError as error:
        raise AssignedMeanwhile(f"Somebody else assigned {batch.name} at the same time: try again.") from error


def claim_next(*, person: User, now: datetime, after: Assignment | None = None) -> Found | NothingLeft | AllLocked:
    """Return the person's next open assignment in work order.

    With `after`, the next one behind it, and from the start when none is left there; `after` itself comes last. Work
    is assigned by name so far, so AllLocked does not occur and `now` is not looked at: both are for leased pools.
    """
    open_ones = Assignment.objects.of(person).open().in_work_order()
    open_ones = open_ones.select_related("item__batch", "item__program__requirement__benchmark", "round")
    found = open_ones.behind(after).first() if after else None
    found = found or (open_ones.exclude(pk=after.pk).first() if after else None) or open_ones.first()
    if found is not None:
        return Found(found)
    states = Assignment.State
    counts = Assignment.objects.of(person).aggregate(
        scored=Count("pk", filter=Q(state=states.SCORED)), skipped=Count("pk", filter=Q(state=states.SKIPPED))
    )
    return NothingLeft(scored=counts["scored"], skipped=counts["skipped"])


def _check_annotators(people: Sequence[User]) -> None:
    annotators = set(
        User.objects.filter(
            pk__in=[person.pk for person in people], is_active=True, groups__name=roles.ANNOTATOR
        ).values_list("pk", flat=True)
    )
    problems = [f"{person.username!r} is not an active annotator" for person in people if person.pk not in annotators]
    if problems:
        raise UnknownPeople(f"Nobody was assigned: {'; '.join(problems)}.")


def _assign(*, batch: Batch, people: list[User], overlap: int, seed: str) -> AssignReport:
    # Locks out a second call for the same batch on PostgreSQL; SQLite has one writer anyway.
    current_round = Round.objects.select_for_update().filter(batch=batch).order_by("-number")[:1].get()
    if Batch.objects.get(pk=batch.pk).state != Batch.State.OPEN:
        raise BatchNotOpen(f"The batch {batch.name} is closed: it gets no more assignments.")
    existing = list(current_round.assignments.select_related("annotator"))
    holding = [row for row in existing if row.state in (Assignment.State.OPEN, Assignment.State.SCORED)]
    _check_overlap(overlap, people=people, holding=holding)
    _set_overlap(current_round, overlap)
    items = list(Item.objects.filter(batch=batch).select_related("program__requirement__benchmark"))
    new = _fill(items=items, current_round=current_round, people=people, existing=existing, seed=seed)
    Assignment.objects.bulk_create(new, batch_size=500)
    loads = Counter(row.annotator.username for row in [*holding, *new])
    return AssignReport(
        created=len(new),
        unchanged=len(holding),
        unfilled=len(items) * overlap - len(holding) - len(new),
        per_person=dict(sorted(loads.items())),
    )


def _check_overlap(overlap: int, *, people: list[User], holding: list[Assignment]) -> None:
    names = {person.username for person in people} | {row.annotator.username for row in holding}
    if overlap < 1:
        raise OverlapTooLarge(f"An overlap of {overlap} gives no item to anybody: use 1 or more.")
    if overlap > len(names):
        raise OverlapTooLarge(
            f"An overlap of {overlap} needs {overlap} different annotators, and there are {len(names)}: "
            "name more people or lower the overlap."
        )
    most = max((row.slot + 1 for row in holding), default=0)
    if most > overlap:
        raise OverlapBelowAssigned(
            f"Items have up to {most} annotators already: an overlap of {overlap} would take work away from them."
        )


def _set_overlap(current_round: Round, overlap: int) -> None:
    if current_round.overlap == overlap:
        return
    current_round.overlap = overlap
    current_round.save(update_fields=["overlap"])
    # Rows that no longer hold a slot may stand at a slot beyond a lowered overlap.
    current_round.assignments.filter(slot__gte=overlap).update(slot=0, overlap=overlap)
    current_round.assignments.update(overlap=overlap)


def _fill(
    *, items: list[Item], current_round: Round, people: list[User], existing: list[Assignment], seed: str
) -> list[Assignment]:
    """Return the missing assignments: per item, the people with the least work so far, ties by a seeded draw."""
    overlap = current_round.overlap
    loads = Counter(row.annotator.username for row in existing if row.state != Assignment.State.WITHDRAWN)
    had: dict[int, set[str]] = {item.pk: set() for item in items}
    taken: dict[int, set[int]] = {item.pk: set() for item in items}
    for row in existing:
        had[row.item_id].add(row.annotator.username)
        if row.state in (Assignment.State.OPEN, Assignment.State.SCORED):
            taken[row.item_id].add(row.slot)
    new: list[Assignment] = []
    for item in sorted(items, key=lambda item: item.position):
        draw = random.Random(f"{seed}|assign|{item.program.content_key}")
        order = sorted(people, key=lambda person: person.username)
        draw.shuffle(order)
        order.sort(key=lambda person: loads[person.username])
        free = [slot for slot in range(overlap) if slot not in taken[item.pk]]
        fresh = [person for person in order if person.username not in had[item.pk]]
        for slot, person in zip(free, fresh, strict=False):
            loads[person.username] += 1
            new.append(Assignment(item=item, round=current_round, annotator=person, slot=slot, overlap=overlap))
    return new
