"""Stage one on real benchmarks: what is verified, made and refused, by language, target and rule.

`python -m tests.bench.bench_stage_one BENCHMARK.jsonl:FORMAT ...` (slow: minutes a benchmark; no part of `make bench`).
Each source gets a database of its own in a temporary folder; AXIOM_BENCH_DIR keeps it.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SEED = "7"
WORKERS = 2
TARGETS = (0, 1, 2, 3, 4)


def main(arguments: list[str]) -> None:
    """Run every source and print its tables."""
    kept = os.environ.get("AXIOM_BENCH_DIR")
    with tempfile.TemporaryDirectory(prefix="axiom-bench-") as folder:
        for source in arguments:
            path, _, form = source.rpartition(":")
            measure(Path(path), form, Path(kept or folder))


def measure(path: Path, form: str, folder: Path) -> None:
    """Import, verify and perturb one source, then print what came out."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / f"{path.stem}.sqlite3"
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{database}",
        "AXIOM_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "axiom_site.settings",
    }
    manage(environment, "migrate", "--verbosity", "0")
    imported = manage(environment, "import_requirements", str(path), "--format", form, "--benchmark", "bench")
    began = time.monotonic()
    verified = manage(environment, "verify", "--benchmark", "bench", "--inline")
    verifying = time.monotonic() - began
    began = time.monotonic()
    made = together(environment, "perturb", "--benchmark", "bench", "--inline", "--seed", SEED, "--exemplars", "1")
    perturbing = time.monotonic() - began
    print(f"\n## {path.name}")
    print(f"imported {imported.get('created')}, verified {verified.get('accepted')} in {verifying:.1f} s")
    print(f"not runnable {verified.get('not_runnable')}, missing {verified.get('missing')}")
    print(f"accepted by target {made['accepted_by_target']}, shortfall {made['shortfall']}")
    print(f"refused by reason {made['refused_by_reason']}")
    accepted = sum(made["accepted_by_target"].values())
    print(f"{accepted} accepted programs in {perturbing:.0f} s: {accepted / perturbing * 60:.0f} a minute on two cores")
    sys.stdout.flush()
    subprocess.run(
        [sys.executable, "-m", "tests.bench.bench_stage_one", "--rules"], cwd=ROOT, env=environment, check=True
    )


def manage(environment: dict[str, str], *words: str) -> dict[str, Any]:
    """Run one command and return the JSON of its last line."""
    flags = [] if words[0] == "migrate" else ["--json"]
    done = subprocess.run(
        [sys.executable, "manage.py", *words, *flags], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{words}: {done.stdout}{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1]) if flags else {}
    return result


def together(environment: dict[str, str], *words: str) -> dict[str, Any]:
    """Run one command in several processes that share its run; return the JSON of the one that ended last."""
    command = [sys.executable, "manage.py", *words, "--json"]
    running = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(WORKERS)
    ]
    told = [process.communicate()[0] for process in running]
    result: dict[str, Any] = json.loads(told[-1].splitlines()[-1])
    return result


def rules() -> None:
    """Print, per rule: how often it was the binding step, how often that was refused, and how far its edit reached."""
    import django

    django.setup()
    from perturbation.diff.extent import extent
    from perturbation.diff.view import build
    from perturbation.models import Program

    proposed: Counter[str] = Counter()
    refused: defaultdict[str, Counter[str]] = defaultdict(Counter)
    reach: defaultdict[str, list[int]] = defaultdict(list)
    programs = Program.objects.filter(kind="perturbed").select_related("parent").prefetch_related("chain__steps")
    for program in programs.in_content_order():
        steps = list(program.chain.steps.all())
        for step in steps:
            if step.ceiling != program.target_score:
                continue
            name = f"{step.ceiling} {step.effort:<8} {step.rule_id}"
            proposed[name] += 1
            if program.refusal:
                refused[name][program.refusal] += 1
            else:
                texts = [program.parent.text, *(one.text for one in steps)]
                view = build(parent=texts[0], child=texts[-1], language=program.language, chain=texts)
                reach[name].append(extent(view, step.number).rewritten)
    for name in sorted(proposed):
        share = refused[name].total() / proposed[name]
        print(
            f"{name:<45} proposed {proposed[name]:4}  refused {share:4.0%} {'!' if share > 0.6 else ' '} "
            f"rows {middle(reach[name])}  {dict(refused[name].most_common(3))}"
        )


def middle(rows: Iterable[int]) -> str:
    """The quartiles of the extents, as text."""
    ordered = sorted(rows)
    if len(ordered) < 2:
        return str(ordered)
    return "/".join(f"{value:.0f}" for value in statistics.quantiles(ordered, n=4))


if __name__ == "__main__":
    rules() if sys.argv[1:] == ["--rules"] else main(sys.argv[1:])
