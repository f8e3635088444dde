"""A local kept in a variable of the file or class that the function changes (ceiling 3)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.declared_types import types_in
from perturbation.rules.mechanical.braces.delegation import above_documentation
from perturbation.rules.mechanical.braces.expressions import initial
from perturbation.rules.mechanical.braces.naming import in_convention, words_of
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.writing import end
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import indent, stands_alone
from perturbation.rules.mechanical.syntax.scopes import declarations, declared, occurrences, outermost_functions
from perturbation.rules.mechanical.syntax.tree import Node, Tree
from perturbation.rules.rows import changed_rows

PREFIXES = ("global", "shared", "current", "last")
PLAIN = re.compile(
    r"-?\d[\d.]*|true|false|\"[^\"]*\"|'[^']*'|\[\]|\{\}|new \w+(<[\w<>, ]*>)?\(\)|make\([^()]*\)|\[\]\w+\{\}"
)


def _global(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for function in outermost_functions(tree):
        body, whole = tree.body(function), _whole(tree, function)
        recursive = re.search(rf"\b{re.escape(tree.name(function) or '-')}\(", body.text if body is not None else "")
        if body is None or whole is None or recursive or not tree.name(function):
            continue
        times = [node.text for node in declarations(tree, function)]
        for statement in tree.statements(body):
            name = next(iter(declared(tree, statement)), "")
            if times.count(name) == 1 and name not in tree.protected and stands_alone(tree, statement):
                yield from _moved_out(tree, function, whole, statement, name, rng)


def _moved_out(
    tree: Tree, function: Node, whole: Node, statement: Node, name: str, rng: random.Random
) -> Iterator[Site]:
    value, places = initial(tree, statement), occurrences(tree, function, name)
    wishes = [in_convention(tree, [prefix, *words_of(name)]) for prefix in rng.sample(PREFIXES, len(PREFIXES))]
    new = tree.fresh(wishes)
    kind = types_in(tree, function).get(name, "")
    if value is None or places is None or new is None or not PLAIN.fullmatch(value.text) or len(places) < 3:
        return
    outside = _declaration(tree, function, new, kind, value.text)
    if outside is None:
        return
    start, margin = above_documentation(tree, whole), indent(tree, whole)
    inside = statement.replaced(f"{new} = {value.text}{end(tree)}")
    rest = [node.replaced(new) for node in places if not statement.start <= node.start < statement.end]
    yield (Edit(start, start, f"{outside}\n\n{margin}"), inside, *rest)


def _declaration(tree: Tree, function: Node, name: str, kind: str, value: str) -> str | None:
    match tree.dialect.id:
        case "javascript":
            return f"let {name} = {value}{end(tree)}"
        case "go":
            return f"var {name} {kind}" if kind and kind not in ("text", "any[]") else None
        case "java":
            static = "static " if re.match(r"[\w ]*\bstatic\b", function.text) else ""
            return f"private {static}{kind} {name} = {value};" if kind and kind != "text" else None
        case _:
            # static: what stands in a header would otherwise be defined in every file that includes it.
            return f"static {kind} {name} = {value};" if kind and kind not in ("text", "any[]") else None


def _whole(tree: Tree, function: Node) -> Node | None:
    """The declaration around an outermost function, where a variable can be declared above it."""
    if function.kind not in tree.dialect.named or function.kind == "method_definition":
        return None
    if function.kind in ("arrow_function", "function_expression"):
        holder = function.parent.parent if function.parent is not None else None
        return holder if holder is not None and holder.kind.endswith("_declaration") else None
    return function


REWRITES: Mapping[str, BraceRule] = {
    "mutable-global-state": BraceRule(_global, without=frozenset({"rust"}), rows=changed_rows),
}
