"""Measures the diff on seeded perturbations, beside pairing by position: python -m tests.bench.bench_diff [N]."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest

from perturbation.diff.align import Match, gaps, match_lines
from perturbation.diff.intraline import mark, tokenize
from perturbation.diff.likeness import likeness
from perturbation.diff.lines import split
from perturbation.diff.pair import pair_lines
from perturbation.diff.view import RowKind, build
from tests.bench.diff_cases import ALL_KINDS, MIXED, Case, Line, blocks, cases, programs

SEEDS = ("1", "2", "3")

Pairing = Callable[[Case], Iterable[Match]]


@dataclass
class Hits:
    """Counts behind recall and precision, both in percent."""

    found: int = 0
    true: int = 0
    shown: int = 0

    @property
    def recall(self) -> float:
        return 100 * self.found / self.true if self.true else 100.0

    @property
    def precision(self) -> float:
        return 100 * self.found / self.shown if self.shown else 100.0


def ours(case: Case) -> Iterable[Match]:
    """Pairing from the two ends alone."""
    return pair_lines(split(case.chain[0]), split(case.chain[-1])).pairs


def ours_with_chain(case: Case) -> Iterable[Match]:
    """Pairing as the page shows it, with the chain known."""
    view = build(parent=case.chain[0], child=case.chain[-1], language="", chain=case.chain)
    return [(row.left_no - 1, row.right_no - 1) for row in view.rows if row.left_no and row.right_no]


def by_position(case: Case) -> Iterable[Match]:
    """The k-th removed line beside the k-th added line, on the same line matches."""
    left, right = split(case.chain[0]), split(case.chain[-1])
    matches = match_lines(left.keys, right.keys)
    pairs = list(matches)
    for lefts, rights in gaps(matches, len(left.lines), len(right.lines)):
        pairs += zip(lefts, rights, strict=False)
    return pairs


def measure_pairing(kind: str, pairing: Pairing, *, count: int, seeds: Iterable[str] = SEEDS) -> Hits:
    """Edited lines shown beside their true origin. Blank lines are left out: nobody can tell one from another."""
    hits = Hits()
    for seed in seeds:
        for case in cases(kind, count=count, seed=seed):
            _count(case, {j: i for i, j in pairing(case)}, hits)
    return hits


def _count(case: Case, partner: dict[int, int], hits: Hits) -> None:
    parent = split(case.chain[0]).lines
    for index, line in enumerate(case.lines):
        shown = partner.get(index)
        is_edit = line.parent is not None and parent[line.parent - 1] != line.text and line.text.strip() != ""
        is_shown = shown is not None and parent[shown] != line.text and line.text.strip() != ""
        hits.true += is_edit
        hits.shown += is_shown
        hits.found += is_edit and is_shown and shown is not None and shown + 1 == line.parent


def measure_functions(*, count: int, seed: str = "1") -> tuple[int, int]:
    """Whole functions removed or added that show as one hunk with exactly their lines: (right, tried)."""
    right = tried = 0
    for program in programs(count, seed=seed):
        lines = [Line(text, None) for text in program.split("\n")[:-1]]
        for start, end in blocks(lines)[:4]:
            without = "".join(f"{line.text}\n" for line in [*lines[:start], *lines[end:]])
            for left, other in ((program, without), (without, program)):
                tried += 1
                right += _is_whole(left, other, [line.text for line in lines[start:end]])
    return right, tried


def _is_whole(left: str, right: str, function: list[str]) -> bool:
    """The unmatched lines read as the function, wherever equal blank lines around it put the edge."""
    ours, theirs = split(left), split(right)
    pairs = pair_lines(ours, theirs).pairs
    lost = [ours.lines[i] for i in range(len(ours.lines)) if i not in {i for i, _ in pairs}]
    born = [theirs.lines[j] for j in range(len(theirs.lines)) if j not in {j for _, j in pairs}]
    shown = [line for line in lost + born if line.strip()]
    wanted = [line for line in function if line.strip()]
    return shown == wanted and not (lost and born)


def measure_marks(*, count: int, seeds: Iterable[str] = SEEDS) -> tuple[int, int, int, int]:
    """(marks, marks that cut a token, replaced lines, of which marked on one side only) over one-line edits."""
    marks = cuts = lines = one_sided = 0
    for seed in seeds:
        for case in cases("run edited", count=count, seed=seed):
            parent = split(case.chain[0]).lines
            for line in case.lines:
                if line.parent is None or parent[line.parent - 1] == line.text:
                    continue
                before = parent[line.parent - 1]
                left, right = mark(before, line.text)
                edges = [(before, left), (line.text, right)]
                marks += len(left) + len(right)
                cuts += sum(not _is_whole_tokens(text, span) for text, spans in edges for span in spans)
                is_replaced = len(tokenize(before)) == len(tokenize(line.text))
                lines += is_replaced
                one_sided += is_replaced and not (left and right)
    return marks, cuts, lines, one_sided


def _is_whole_tokens(text: str, span: tuple[int, int]) -> bool:
    edges, at = {0}, 0
    for token in tokenize(text):
        at += len(token)
        edges.add(at)
    return set(span) <= edges


@dataclass
class Steps:
    """Attribution counts over chains: changed rows with a step, child lines and lost parent lines with the true set."""

    changed: int = 0
    named: int = 0
    lines: int = 0
    exact: int = 0
    lost: int = 0
    lost_exact: int = 0


def measure_steps(*, count: int, seeds: Iterable[str] = SEEDS) -> Steps:
    """Steps of five-step chains against the generator's own record."""
    found = Steps()
    for seed in seeds:
        for case in cases(MIXED, count=count, seed=seed):
            view = build(parent=case.chain[0], child=case.chain[-1], language="", chain=case.chain)
            for row in view.rows:
                if row.kind is RowKind.SAME:
                    continue
                found.changed += 1
                found.named += bool(row.steps)
                if row.right_no is not None and row.right_text.strip():
                    found.lines += 1
                    found.exact += row.steps == case.lines[row.right_no - 1].steps
                elif row.right_no is None and row.left_no in case.removed and row.left_text.strip():
                    found.lost += 1
                    found.lost_exact += row.steps == (case.removed[row.left_no],)
    return found


def measure_likeness(*, count: int) -> tuple[float, float]:
    """(least likeness of a real chain's ends, greatest likeness of two foreign programs)."""
    chained = [likeness(c.chain[0], c.chain[-1]) for c in cases(MIXED, count=count, seed="1")]
    texts = sorted(set(programs(count, seed="1")))
    foreign = [likeness(a, b) for a, b in zip(texts, texts[1:], strict=False)]
    return min(chained), max(foreign)


def measure_time(*, count: int = 20) -> list[float]:
    """Milliseconds to build one 250-line view with a chain of five steps, colours included, sorted."""
    taken = []
    for case in cases(MIXED, count=count, seed="time"):
        start = time.perf_counter()
        build(parent=case.chain[0], child=case.chain[-1], language="python", chain=case.chain)
        taken.append(1000 * (time.perf_counter() - start))
    return sorted(taken)


def _sum(parts: Iterable[Hits]) -> Hits:
    total = Hits()
    for part in parts:
        total.found, total.true, total.shown = (
            total.found + part.found, total.true + part.true, total.shown + part.shown
        )  # fmt: skip
    return total


def main(count: int = 60) -> None:
    methods: dict[str, Pairing] = {"position": by_position, "ours": ours, "ours with chain": ours_with_chain}
    print(
        f"Pairing of edited lines: {count} programs x {len(ALL_KINDS)} kinds x {len(SEEDS)} seeds, recall / precision %"
    )
    print(f"{'kind':22}" + "".join(f"{name:>20}" for name in methods))
    totals: dict[str, list[Hits]] = {name: [] for name in methods}
    for kind in ALL_KINDS:
        cells = []
        for name, pairing in methods.items():
            hits = measure_pairing(kind, pairing, count=count)
            totals[name].append(hits)
            cells.append(f"{hits.recall:6.1f} / {hits.precision:5.1f}")
        print(f"{kind:22}" + "".join(f"{cell:>20}" for cell in cells))
    overall = [_sum(parts) for parts in totals.values()]
    print(f"{'all':22}" + "".join(f"{hits.recall:12.2f} / {hits.precision:5.2f}" for hits in overall))
    right, tried = measure_functions(count=count)
    print(f"Whole functions shown as one hunk: {right} of {tried} ({100 * right / tried:.2f} %)")
    marks, cuts, lines, one_sided = measure_marks(count=count)
    print(f"Marks: {marks}, cutting a token: {cuts}; replaced lines: {lines}, marked on one side only: {one_sided}")
    steps = measure_steps(count=count)
    print(f"Changed rows that name a step: {steps.named} of {steps.changed}")
    print(f"Exact set of steps: {steps.exact} of {steps.lines} ({100 * steps.exact / max(1, steps.lines):.2f} %)")
    print(f"Removed lines with the true step: {steps.lost_exact} of {steps.lost}")
    least, greatest = measure_likeness(count=count)
    print(f"Likeness: least of a chain's ends {least:.2f}, greatest of foreign programs {greatest:.2f}")
    taken = measure_time()
    middle, late = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
    print(f"Build, 250 lines, chain of 5, colours: median {middle:.0f} ms, p95 {late:.0f} ms")


@pytest.mark.bench
def test_prints_the_figures_of_the_diff() -> None:
    main(30)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
