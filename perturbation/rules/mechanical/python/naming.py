"""Rewrites that give locals other names: equally good, meaningless, misleading or in another convention."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping

from perturbation.rules.mechanical.python.scopes import fresh, rename, renameable_locals
from perturbation.rules.mechanical.python.tree import Site, Tree, rewrite
from perturbation.rules.source import Rewrite

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "result": ("outcome", "output"), "results": ("outcomes", "output"), "res": ("result", "outcome"),
    "ret": ("result", "outcome"), "ans": ("answer", "result"), "answer": ("result", "solution"),
    "out": ("output", "result"), "output": ("result", "outcome"), "total": ("running_total", "overall"),
    "count": ("occurrences", "tally"), "counts": ("tallies", "frequencies"), "cnt": ("count", "tally"),
    "counter": ("tally", "occurrences"), "num": ("number", "value"), "number": ("value", "num"),
    "i": ("index", "position"), "j": ("other_index", "inner"), "k": ("third_index", "offset"),
    "idx": ("index", "position"),
    "index": ("position", "idx"), "position": ("index", "location"), "x": ("item", "element"), "y": ("other", "second"),
    "e": ("element", "item"), "elem": ("element", "item"), "element": ("item", "entry"), "item": ("element", "entry"),
    "items": ("elements", "entries"), "c": ("char", "character"), "ch": ("char", "character"),
    "char": ("character", "letter"),
    "s": ("text", "string"), "string": ("text", "chars"), "text": ("content", "string"), "word": ("term", "token"),
    "words": ("terms", "tokens"), "line": ("row", "text_line"), "lines": ("rows", "text_lines"),
    "n": ("number", "size"),
    "m": ("other_number", "width"), "value": ("item", "entry"), "values": ("items", "entries"),
    "val": ("value", "item"),
    "key": ("label", "name"), "start": ("begin", "first"), "end": ("stop", "finish"), "left": ("low", "lower"),
    "right": ("high", "upper"), "low": ("lower", "left"), "high": ("upper", "right"), "maximum": ("largest", "highest"),
    "minimum": ("smallest", "lowest"), "current": ("active", "present"), "previous": ("last", "prior"),
    "stack": ("pending", "open_items"),
    "queue": ("waiting", "pending"), "seen": ("visited", "known"), "visited": ("seen", "reached"),
    "parts": ("pieces", "segments"),
    "part": ("piece", "segment"), "pieces": ("parts", "segments"), "row": ("record", "line"),
    "rows": ("records", "lines"),
    "balance": ("current_balance", "amount"), "length": ("size", "extent"), "size": ("length", "extent"),
    "lst": ("items", "values"),
    "arr": ("items", "values"), "d": ("mapping", "table"), "f": ("sequence", "series"), "p": ("candidate", "power"),
    "digit": ("figure", "numeral"), "digits": ("figures", "numerals"),
    "vowels": ("vowel_letters", "vowel_set"), "node": ("vertex", "point"),
    "mean": ("average", "centre"), "average": ("mean", "centre"), "distance": ("gap", "separation"),
    "groups": ("clusters", "bundles"),
    "group": ("cluster", "bundle"), "name": ("label", "title"), "best": ("top", "leading"),
    "remaining": ("rest", "left_over"),
    "primes": ("prime_numbers", "found_primes"), "pairs": ("couples", "matches"), "pair": ("couple", "match"),
}  # fmt: skip
MEANINGLESS = ("tmp", "var1", "aa", "foo", "x1", "data2", "obj", "zz", "val_", "stuff", "q", "v3", "thing", "xx", "t0")
MISLEADING = (
    "max_index", "error_count", "is_sorted", "input_file", "previous_total", "user_name", "cache_key", "row_width",
    "file_path", "reversed_items", "total_seconds", "parent_id", "is_empty", "last_error", "first_match", "retry_count",
)  # fmt: skip

NewName = Callable[[Tree, str, random.Random], str | None]


def _renames(new_name: NewName, *, longest_first: bool = False) -> Callable[[Tree, random.Random], Iterator[Site]]:
    def sites(tree: Tree, rng: random.Random) -> Iterator[Site]:
        found = [(function, name) for function in tree.functions() for name in renameable_locals(tree, function)]
        telling = [(function, name) for function, name in found if len(name) > 2]
        for function, name in telling if longest_first and telling else found:
            chosen = new_name(tree, name, rng)
            if chosen is not None:
                yield rename(tree, function, name, chosen)

    return sites


def _synonym(tree: Tree, name: str, rng: random.Random) -> str | None:
    wishes = [wish for wish in SYNONYMS.get(name, ()) if wish not in tree.identifiers]
    return rng.choice(wishes) if wishes else None


def _meaningless(tree: Tree, name: str, rng: random.Random) -> str | None:
    if name in MEANINGLESS:
        return None
    return fresh(tree, rng.sample(MEANINGLESS, len(MEANINGLESS)))


def _misleading(tree: Tree, name: str, rng: random.Random) -> str | None:
    words = set(name.split("_"))
    wishes = [wish for wish in rng.sample(MISLEADING, len(MISLEADING)) if not words & set(wish.split("_"))]
    return fresh(tree, wishes) if name not in MISLEADING else None


def _camel_case(tree: Tree, name: str, rng: random.Random) -> str | None:
    if name != name.lower() or name.startswith("_") or len(name) < 3:
        return None
    head, *rest = re.split("_+", name.strip("_"))
    wish = (
        head + "".join(word.capitalize() for word in rest)
        if rest
        else rng.choice((f"the{head.capitalize()}", f"{head}Val"))
    )
    return wish if wish not in tree.identifiers else None


REWRITES: Mapping[str, Rewrite] = {
    "rename-to-synonym": rewrite(_renames(_synonym)),
    "rename-to-meaningless": rewrite(_renames(_meaningless, longest_first=True)),
    "rename-to-misleading": rewrite(_renames(_misleading, longest_first=True)),
    "inconsistent-naming": rewrite(_renames(_camel_case)),
}
