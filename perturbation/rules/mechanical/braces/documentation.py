"""Rewrites of comments: documentation in another layout or lost, stale comments, old code left in comments."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import indent, insert_before, row_end, row_start, stands_alone
from perturbation.rules.mechanical.syntax.scopes import declarations, outermost_functions
from perturbation.rules.mechanical.syntax.tree import Node, Tree

# Sentences that could stand there and are wrong or outdated; {name} is a name that the row below uses.
STALE = {
    "loop": (
        "goes through {name} from the back",
        "the first one is skipped on purpose",
        "ends at the first match",
        "{name} is sorted at this point",
    ),
    "return": (
        "counts from one, not from zero",
        "an empty input never gets here",
        "the smallest one comes first",
        "{name} is rounded up by then",
    ),
    "condition": (
        "only for values below zero",
        "the empty case is dealt with below",
        "{name} was checked by the caller",
        "also holds when both are equal",
    ),
    "other": (
        "{name} starts at one",
        "{name} is never negative here",
        "as in the round before",
        "{name} is set again further down",
    ),
}


def _documents(tree: Tree) -> list[list[Node]]:
    """The comments that document a function, a type or the whole file: runs of comments right above each."""
    found: list[list[Node]] = []
    comments = tree.dialect.comments
    for node in tree.find(*comments):
        function = tree.function_of(node)
        if function is not None or not stands_alone(tree, node):
            continue
        gap = tree.text[found[-1][-1].end : node.start] if found else "x"
        if found and gap.count("\n") <= 1 and not gap.strip():
            found[-1].append(node)
        else:
            found.append([node])
    return [run for run in found if _next_is_code(tree, run[-1])]


def _next_is_code(tree: Tree, comment: Node) -> bool:
    rest = tree.text[comment.end :]
    return bool(rest.strip()) and not rest.lstrip(" \t").startswith("\n\n\n")


def _layout(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Summary beside the opening mark or on the row below it; rows with or without marks."""
    for run in _documents(tree):
        first, last = run[0], run[-1]
        margin = indent(tree, first)
        if first.text.startswith("/*") and len(run) == 1 and "\n" in first.text:
            yield (first.replaced(_other_opening(first.text, margin)),)
        elif all(node.text.startswith("//") for node in run) and not any("*/" in node.text for node in run):
            mark = "/**" if first.text.startswith("///") else "/*"
            words = [re.sub(r"^//[/!]?", "", node.text) for node in run]
            rows = "".join(f"\n{margin} *{row.rstrip()}" for row in words)
            yield (Edit(first.start, last.end, f"{mark}{rows}\n{margin} */"),)


def _other_opening(comment: str, margin: str) -> str:
    opening, rest = re.match(r"(/\*+!?)(.*)", comment, re.DOTALL).groups()  # type: ignore[union-attr]
    beside, below = rest.split("\n", 1)
    if beside.strip():
        star = " * " if below.lstrip().startswith("*") else "  "
        return f"{opening}\n{margin}{star}{beside.strip()}\n{below}"
    summary = re.sub(r"^[ \t]*[*]?[ \t]*", "", below)
    return f"{opening} {summary}"


def _lost(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for run in _documents(tree):
        yield (Edit(row_start(tree.text, run[0].start), row_end(tree.text, run[-1].end), ""),)


def _places(tree: Tree) -> Iterator[Node]:
    """Statements inside functions that have rows of their own, in source order."""
    for block in tree.blocks():
        if block.parent is not None and (tree.function_of(block) or block.parent.kind in tree.dialect.functions):
            yield from (item for item in tree.statements(block) if stands_alone(tree, item))


def _stale(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for statement in _places(tree):
        kind = tree.core(statement).kind
        role = "loop" if kind in tree.dialect.loops else "return" if kind == tree.dialect.returns else "other"
        role = "condition" if kind == tree.dialect.if_kind else role
        names = [node.text for node in statement.find("identifier") if len(node.text) > 1]
        wishes = STALE[role] if names else [wish for wish in STALE[role] if "{name}" not in wish]
        words = rng.choice(wishes).format(name=names[0] if names else "")
        yield (insert_before(tree, statement, [f"// {words}"]),)


def _commented_out(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A debugging output of a variable, or an earlier form of the statement below it."""
    for function in outermost_functions(tree):
        known = declarations(tree, function)
        for statement in _places(tree):
            names = list(dict.fromkeys(node.text for node in known if node.end <= statement.start))
            inside = function.start < statement.start < function.end
            if not inside or "\n" in statement.text or len(statement.text) > 80:
                continue
            old = rng.choice(
                (statement.text, tree.dialect.log.format(v=rng.choice(names)) if names else statement.text)
            )
            yield (insert_before(tree, statement, [f"// {old}"]),)


REWRITES: Mapping[str, BraceRule] = {
    "docstring-layout": BraceRule(_layout),
    "lost-docstring": BraceRule(_lost),
    "stale-comment": BraceRule(_stale),
    "commented-out-code": BraceRule(_commented_out),
}
