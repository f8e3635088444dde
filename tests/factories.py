"""Functions that make rows for tests: sensible values, keyword overrides, real domain functions where cheap."""

from __future__ import annotations

import itertools
from typing import Any

from django.contrib.auth.models import User

from annotation.models import Assignment, Batch, Item, Round
from perturbation.models import Benchmark, Chain, Program, Requirement, Step, content_hash

_numbers = itertools.count(1)

PARENT_TEXT = '''def total(prices: list[int], limit: int) -> int:
    """Return the sum of the prices up to the limit."""
    result = 0
    for price in prices:
        if price <= limit:
            result += price
    return result
'''
CHILD_TEXT = PARENT_TEXT.replace("price <= limit", "price < limit")
TESTS = """def test_counts_the_limit() -> None:
    assert total([1, 2, 3], 2) == 3


def test_empty() -> None:
    assert total([], 2) == 0
"""


def make_benchmark(*, name: str = "sample") -> Benchmark:
    """Return the benchmark with this name, made if needed."""
    return Benchmark.objects.get_or_create(name=name, defaults={"source_format": "axiom"})[0]


def make_requirement(*, benchmark: Benchmark | None = None, external_id: str = "", **values: Any) -> Requirement:
    """A usable Python requirement."""
    benchmark = benchmark or make_benchmark()
    number = next(_numbers)
    fields: dict[str, Any] = {
        "position": number,
        "title": f"Total of prices {number}",
        "language": "python",
        "text": "Write `total(prices, limit)`: the sum of all prices that are at most the limit.",
        "entry_point": "total",
        "tests": TESTS,
        "source_hash": content_hash(str(number)),
    }
    return Requirement.objects.create(
        benchmark=benchmark, external_id=external_id or f"req-{number}", **(fields | values)
    )


def make_program(*, requirement: Requirement | None = None, text: str = PARENT_TEXT, **values: Any) -> Program:
    """An accepted reference, unless the values say otherwise."""
    requirement = requirement or make_requirement()
    fields: dict[str, Any] = {
        "kind": Program.Kind.REFERENCE,
        "state": Program.State.ACCEPTED,
        "language": requirement.language,
        "text_hash": content_hash(text),
        "target_score": 5,
    }
    return Program.objects.create(requirement=requirement, text=text, **(fields | values))


def make_perturbed(*, parent: Program | None = None, target: int = 2, text: str = CHILD_TEXT, **values: Any) -> Program:
    """An accepted program with a chain of one step from its parent."""
    parent = parent or make_program()
    program = make_program(
        requirement=parent.requirement,
        text=text,
        kind=Program.Kind.PERTURBED,
        parent=parent,
        target_score=target,
        **values,
    )
    chain = Chain.objects.create(program=program, target_score=target, seed="0", rewriter="mechanical")
    Step.objects.create(
        chain=chain,
        number=1,
        rule_id="wrong-comparison",
        rule_version=1,
        ceiling=target,
        effort="tweak",
        text=text,
    )
    return program


def make_batch(*, name: str = "", programs: list[Program] | None = None, overlap: int = 1, **values: Any) -> Batch:
    """A batch with one round and one item per program (three perturbed ones by default)."""
    batch = Batch.objects.create(name=name or f"batch {next(_numbers)}", **values)
    Round.objects.create(batch=batch, overlap=overlap)
    for position, program in enumerate(programs if programs is not None else [make_perturbed() for _ in range(3)]):
        Item.objects.create(batch=batch, program=program, position=position)
    return batch


def make_assignment(*, annotator: User, item: Item | None = None, slot: int = 0, **values: Any) -> Assignment:
    """An open assignment of an item in its batch's first round."""
    item = item or make_batch(programs=[make_perturbed()]).items.get()
    first_round = item.batch.rounds.get(number=1)
    return Assignment.objects.create(
        item=item, round=first_round, annotator=annotator, slot=slot, overlap=first_round.overlap, **values
    )
