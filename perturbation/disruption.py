"""Context disruption: 0-point programs, each the reference of an unrelated requirement shown against this one.

Which requirement is unrelated is a pure choice on cosines of embeddings; the save checks that the program really
fails the tests of the requirement it is shown against.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from django.db import transaction

from perturbation import verification
from perturbation.embedding import embed_with_model, model_name
from perturbation.languages import registry
from perturbation.languages.base import TestRun, TestRunStatus
from perturbation.minilm import Vectors
from perturbation.models import Program, Requirement, content_hash

PASSES_TESTS = "passes the foreign requirement's tests"
MOST_DISSIMILAR = 0.1
# Cosines are compared at this many decimals: the last bits differ between machines, the choice must not.
DECIMALS = 4


class NoForeignProgram(Exception):
    """The benchmark holds no further program that could stand against this requirement."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A chosen foreign requirement by its content key, and the cosine of the two embeddings, -1 to 1."""

    key: str
    similarity: float


@dataclass(frozen=True, slots=True)
class _Reference:
    """A program that may be shown against another requirement, without its text."""

    pk: int
    text_hash: str


@dataclass(frozen=True, slots=True)
class _Space:
    """Unit vectors of requirements, the row of each by external id, and a hash of what they were made from."""

    stamp: str
    rows: Mapping[str, int]
    vectors: Vectors


_spaces: dict[tuple[int, str], _Space] = {}


def choose_foreign(
    *, similarities: Mapping[str, float], seed: str, used: Collection[str] = (), share: float = MOST_DISSIMILAR
) -> Foreign:
    """Draw one foreign requirement from the most dissimilar share, without those that were drawn before.

    `similarities` maps the content key of every candidate to its cosine with this requirement, which itself is not
    among them. The share is rounded up, and reaches one candidate further than `used` does where it is used up: in a
    small benchmark the next most dissimilar follows. Depends on keys, cosines and seed alone, not on the order.
    Raises NoForeignProgram when all candidates are used.
    """
    ranked = sorted(similarities, key=lambda key: (round(similarities[key], DECIMALS), key))
    left = [key for key in ranked[: max(1, math.ceil(len(ranked) * share))] if key not in used]
    if not left:
        left = [key for key in ranked if key not in used][:1]
    if not left:
        raise NoForeignProgram(
            f"all {len(ranked)} programs of other requirements in this language have been paired already"
            if ranked
            else "no other requirement in this language has an accepted reference: import and verify more"
        )
    key = random.Random(f"{seed}|foreign").choice(sorted(left))
    return Foreign(key, round(similarities[key], DECIMALS))


def pair_with_foreign(
    *, requirement: Requirement, seed: str, draw_number: int, between: Callable[[], None] = lambda: None
) -> Program:
    """Save the 0-point program of this draw: accepted when it fails the requirement's tests, else refused.

    A draw that is already there is returned as it is. Earlier draws of the requirement are not drawn again, so every
    accepted pair is another program. Languages that cannot be run here are accepted on similarity alone. `between` is
    called from time to time while texts are embedded, and may raise to stop there.
    Raises NoForeignProgram, verification.RunnerUnavailable, and model_client.ModelError of an embeddings endpoint.
    """
    drawn = {
        program.draw_number: program
        for program in requirement.programs.filter(kind=Program.Kind.DISRUPTED).select_related("parent__requirement")
    }
    if draw_number in drawn:
        return drawn[draw_number]
    references = _foreign_references(requirement)
    texts = {program.text_hash for program in drawn.values()}
    foreign = choose_foreign(
        similarities=_similarities(requirement, references, between),
        seed=seed,
        used={key for key, reference in references.items() if reference.text_hash in texts},
    )
    reference = Program.objects.select_related("requirement").get(pk=references[foreign.key].pk)
    return _decided(_unsaved(requirement, reference, foreign, draw_number))


def _foreign_references(requirement: Requirement) -> dict[str, _Reference]:
    """The first accepted reference of each other requirement of the benchmark, same language, by external id.

    References only: exemplars appear while other requirements are worked on, and the choice must not depend on when.
    """
    references = Program.objects.accepted().filter(
        kind=Program.Kind.REFERENCE, requirement__benchmark=requirement.benchmark, language=requirement.language
    )
    own = requirement.programs.filter(kind=Program.Kind.REFERENCE).values("text_hash")
    others = references.exclude(requirement=requirement).exclude(text_hash__in=own).order_by("-draw_number", "-pk")
    # From the last to the first: where there are several right programs, the first one stays. No texts: there may be
    # ten thousand, and one is shown.
    rows = others.values_list("requirement__external_id", "pk", "text_hash")
    return {external_id: _Reference(pk, text_hash) for external_id, pk, text_hash in rows}


def _similarities(
    requirement: Requirement, references: Collection[str], between: Callable[[], None]
) -> dict[str, float]:
    """Return the cosine of this requirement and each of those in `references`."""
    space = _space(requirement, between)
    cosines = (space.vectors @ space.vectors[space.rows[requirement.external_id]]).tolist()
    return {external_id: cosines[space.rows[external_id]] for external_id in references}


def _space(requirement: Requirement, between: Callable[[], None]) -> _Space:
    """The vectors of the benchmark's requirements in the language, read again only when one of them has changed.

    All of the benchmark, whatever has been accepted so far: the stand-in for the model weighs words over all texts.
    """
    known = Requirement.objects.filter(benchmark=requirement.benchmark, language=requirement.language)
    hashes = known.order_by("external_id").values_list("external_id", "source_hash")
    stamp = content_hash(model_name(), *(part for row in hashes for part in row))
    place = (requirement.benchmark_id, requirement.language)
    space = _spaces.get(place)
    if space is None or space.stamp != stamp:
        texts = dict(known.order_by("external_id").values_list("external_id", "text"))
        vectors = embed_with_model(list(texts.values()), between=between).vectors
        space = _Space(stamp, {external_id: row for row, external_id in enumerate(texts)}, vectors)
        _spaces.clear()  # a worker is at one benchmark at a time; 10,000 vectors are 15 MB
        _spaces[place] = space
    return space


def _unsaved(requirement: Requirement, reference: Program, foreign: Foreign, draw_number: int) -> Program:
    return Program(
        requirement=requirement,
        kind=Program.Kind.DISRUPTED,
        state=Program.State.ACCEPTED,
        language=reference.language,
        text=reference.text,
        text_hash=reference.text_hash,
        tokens=reference.tokens,
        target_score=0,
        draw_number=draw_number,
        parent=reference,
        similarity=foreign.similarity,
    )


def _decided(program: Program) -> Program:
    """Run the tests of the requirement where they can be run, and save the program with what they decide."""
    run: TestRun | None = None
    if registry.get(program.language).runnable and program.requirement.tests:
        run = verification.run_tests(program=program)
        if run.status is TestRunStatus.PASSED:
            _refuse(program, PASSES_TESTS, f"the reference of {_title_of(program)} does what this requirement asks for")
        elif run.inconclusive:
            _refuse(program, verification.Refusal.INCONCLUSIVE, verification.detail_of(run))
    with transaction.atomic():
        program.save()
        if run is not None:
            verification.record(program=program, run=run)
    return program


def _refuse(program: Program, reason: str, detail: str) -> None:
    program.state = Program.State.REFUSED
    program.refusal = reason
    program.refusal_detail = detail


def _title_of(program: Program) -> str:
    return program.parent.requirement.external_id if program.parent else ""
