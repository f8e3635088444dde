"""Rewrites that give locals other names: equally good, meaningless, misleading or in another convention."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.python.naming import MEANINGLESS, MISLEADING, SYNONYMS
from perturbation.rules.mechanical.syntax.edits import Site
from perturbation.rules.mechanical.syntax.rewriting import Sites
from perturbation.rules.mechanical.syntax.scopes import outermost_functions, rename, renameable
from perturbation.rules.mechanical.syntax.tree import Tree

SNAKE = frozenset({"cpp", "rust"})
NewName = Callable[[Tree, str, random.Random], str | None]


def words_of(name: str) -> list[str]:
    """The words of a name in either convention, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


def in_convention(tree: Tree, words: list[str]) -> str:
    """A name of these words as the language writes its locals."""
    if tree.dialect.id in SNAKE:
        return "_".join(words)
    return words[0] + "".join(word.capitalize() for word in words[1:])


def _renames(new_name: NewName, *, telling_first: bool = False) -> Sites:
    def sites(tree: Tree, rng: random.Random) -> Iterator[Site]:
        found = [(function, name) for function in outermost_functions(tree) for name in renameable(tree, function)]
        telling = [(function, name) for function, name in found if len(name) > 2]
        for function, name in telling if telling_first and telling else found:
            chosen = new_name(tree, name, rng)
            if chosen is not None:
                yield rename(tree, function, name, chosen)

    return sites


def _synonym(tree: Tree, name: str, rng: random.Random) -> str | None:
    """Another word for the whole name, or for one word of it."""
    words = words_of(name)
    wishes = [in_convention(tree, wish.split("_")) for wish in SYNONYMS.get(name, ())]
    for place, word in enumerate(words) if len(words) > 1 else ():
        others = [wish for wish in SYNONYMS.get(word, ()) if "_" not in wish and len(word) > 2]
        wishes += [in_convention(tree, [*words[:place], other, *words[place + 1 :]]) for other in others]
    return tree.fresh(rng.sample(wishes, len(wishes)))


def _meaningless(tree: Tree, name: str, rng: random.Random) -> str | None:
    return None if name in MEANINGLESS else tree.fresh(rng.sample(MEANINGLESS, len(MEANINGLESS)))


def _misleading(tree: Tree, name: str, rng: random.Random) -> str | None:
    taken = set(words_of(name))
    wishes = [wish for wish in rng.sample(MISLEADING, len(MISLEADING)) if not taken & set(wish.split("_"))]
    return tree.fresh([in_convention(tree, wish.split("_")) for wish in wishes])


def _other_convention(tree: Tree, name: str, rng: random.Random) -> str | None:
    words = words_of(name)
    if len(name) < 3 or not words or name.startswith("_") or not name[0].islower():
        return None
    if len(words) == 1:
        words = rng.choice((["the", *words], [*words, "val"]))
    is_snake = "_" in name or (name == name.lower() and tree.dialect.id in SNAKE)
    joined = words[0] + "".join(word.capitalize() for word in words[1:]) if is_snake else "_".join(words)
    return tree.fresh([joined])


REWRITES: Mapping[str, BraceRule] = {
    "rename-to-synonym": BraceRule(_renames(_synonym)),
    "rename-to-meaningless": BraceRule(_renames(_meaningless, telling_first=True)),
    "rename-to-misleading": BraceRule(_renames(_misleading, telling_first=True)),
    "inconsistent-naming": BraceRule(_renames(_other_convention)),
}
