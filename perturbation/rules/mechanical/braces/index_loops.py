"""Loops with an index that is kept by hand, over a copy of the values (ceiling 3)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from perturbation.rules.mechanical.braces.declared_types import TEXT, element_of, types_in
from perturbation.rules.mechanical.braces.naming import in_convention
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.writing import end, inner
from perturbation.rules.mechanical.syntax.edits import Site
from perturbation.rules.mechanical.syntax.layout import indent, moved, replace_statements, stands_alone
from perturbation.rules.mechanical.syntax.scopes import assigned
from perturbation.rules.mechanical.syntax.tree import Node, Tree
from perturbation.rules.rows import changed_rows

COPIES = ("copied", "all_values", "snapshot", "values_copy")
PLACES = ("position", "cursor", "current_index", "place")
COUNTED = re.compile(
    r"for ?\(? ?(?P<kind>int|size_t|long|let|) ?(?P<name>\w+) ?:?= ?(?P<start>\d+) ?; ?(?P=name) ?< ?"
    r"(?:(?P<over>\w+)\.(?:size\(\)|length\(\)|length)|len\((?P<go>\w+)\)) ?; ?"
    r"(?:(?P=name)\+\+|\+\+(?P=name)|(?P=name) ?\+= ?1) ?\)?"
)
COUNTED_IN_RUST = re.compile(r"for (?P<name>\w+) in (?P<start>\d+)\.\.(?P<over>\w+)\.len\(\) ?")
COPYABLE = re.compile(r"\.(iter|chars|enumerate|bytes|rev)\(\)$|^\(?\w+\.\.|^&\w+$")


@dataclass(frozen=True)
class Walk:
    """A loop over values: how they are copied, how many they are, and what each turn declares first."""

    copying: str
    size: str
    taking: str
    start: str = "0"


def _manual_index(tree: Tree, rng: random.Random) -> Iterator[Site]:
    copied = tree.fresh([in_convention(tree, word.split("_")) for word in rng.sample(COPIES, len(COPIES))])
    place = tree.fresh([in_convention(tree, word.split("_")) for word in rng.sample(PLACES, len(PLACES))])
    if copied is None or place is None:
        return
    for block in tree.blocks():
        for statement in tree.statements(block):
            loop, function = tree.core(statement), tree.function_of(statement)
            if loop.kind not in tree.dialect.loops or function is None or not stands_alone(tree, statement):
                continue
            known = types_in(tree, function)
            walk = _counted(tree, loop, known, copied, place) or _each(tree, loop, known, copied, place)
            if walk is not None:
                yield _written(tree, statement, loop, walk, place)


def _written(tree: Tree, statement: Node, loop: Node, walk: Walk, place: str) -> Site:
    margin = indent(tree, statement)
    deeper = inner(tree, margin)
    counter = "int {n} = {v};" if tree.dialect.id in ("cpp", "java") else tree.dialect.variable
    rows = [walk.copying + end(tree), counter.format(n=place, v=walk.start).rstrip(";") + end(tree)]
    rows.append(tree.dialect.while_head.format(c=f"{place} < {walk.size}"))
    body = [f"{deeper}{walk.taking}{end(tree)}", f"{deeper}{place} += 1{end(tree)}"]
    body.append(moved(tree, tree.statements(loop.field("body")), deeper))
    return (replace_statements(tree, [statement], [*(f"{margin}{row}" for row in rows), *body, f"{margin}}}"]),)


def _counted(tree: Tree, loop: Node, known: Mapping[str, str], copied: str, place: str) -> Walk | None:
    """for (int i = 0; i < values.size(); i++), where the loop changes neither i nor the values' number."""
    body = loop.field("body")
    match = _counted_head(tree, loop, body) if body is not None and tree.statements(body) else None
    if body is None or match is None:
        return None
    over = match["go"] if tree.dialect.id == "go" else match["over"]
    grows = re.search(rf"\b{over}\s*(?:=[^=]|\+=|\.(?!size|length|get|at|charAt|substr|len\b|slice|iter))", body.text)
    if {match["name"], over} & assigned(tree, body) or grows:
        return None
    copying = _copying(tree, over, known, copied)
    if copying is None:
        return None
    taking = tree.dialect.variable.format(n=match["name"], v=place).rstrip(";").replace("let mut", "let")
    if tree.dialect.id in ("cpp", "java"):
        taking = f"int {match['name']} = {place}"
    return Walk(copying, _size(tree, copied, known.get(over, "")), taking, match["start"])


def _counted_head(tree: Tree, loop: Node, body: Node) -> re.Match[str] | None:
    """What stands between `for` and the body, where it counts from a number up to the number of some values."""
    pattern = COUNTED_IN_RUST if tree.dialect.id == "rust" else COUNTED
    match = pattern.fullmatch(tree.text[loop.start : body.start].strip())
    if match is None or tree.dialect.id == "rust":
        return match
    fits = match["go"] is not None if tree.dialect.id == "go" else match["go"] is None and match["kind"] != ""
    return match if fits else None


def _copying(tree: Tree, over: str, known: Mapping[str, str], copied: str) -> str | None:
    kind = known.get(over, "")
    if tree.dialect.id == "go":
        listed = f"{copied} := append({kind}{{}}, {over}...)" if kind.startswith("[]") else None
        return f"{copied} := {over}" if TEXT.fullmatch(kind) else listed
    if tree.dialect.id == "java":
        listed = f"List<{element_of(kind)}> {copied} = new ArrayList<>({over})" if element_of(kind) else None
        listed = f"{kind} {copied} = {over}.clone()" if kind.endswith("[]") else listed
        return f"String {copied} = {over}" if kind == "String" else listed
    written = {"cpp": "auto {} = {}", "rust": "let {} = {}.clone()", "javascript": "const {} = [...{}]"}
    return written[tree.dialect.id].format(copied, over)


def _size(tree: Tree, copied: str, kind: str) -> str:
    match tree.dialect.id:
        case "go":
            return f"len({copied})"
        case "rust":
            return f"{copied}.len()"
        case "cpp":
            return f"{copied}.size()"
        case "javascript":
            return f"{copied}.length"
        case _:
            return f"{copied}.length()" if kind == "String" else f"{copied}.{'length' if '[]' in kind else 'size()'}"


def _each(tree: Tree, loop: Node, known: Mapping[str, str], copied: str, place: str) -> Walk | None:
    """A loop over the values themselves, of a type whose values can be counted off."""
    body = loop.field("body")
    if body is None or not tree.statements(body) or "\n" in tree.text[loop.start : body.start].strip():
        return None
    taker = {"cpp": _each_cpp, "go": _each_go, "java": _each_java, "javascript": _each_javascript, "rust": _each_rust}
    return taker[tree.dialect.id](tree, loop, known, copied, place)


def _each_cpp(tree: Tree, loop: Node, known: Mapping[str, str], copied: str, place: str) -> Walk | None:
    kind, name, over = loop.field("type"), loop.field("declarator"), loop.field("right")
    if kind is None or name is None or over is None or loop.kind != "for_range_loop":
        return None
    written = known.get(over.text, "")
    is_list = bool(element_of(written)) or TEXT.fullmatch(written) is not None
    if (
        not is_list
        or "[" in name.text
        or (name.text.startswith("&") and "const" not in tree.text[loop.start : name.start])
    ):
        return None
    return Walk(
        f"auto {copied} = {over.text}", f"{copied}.size()", f"{kind.text} {name.text.lstrip('& ')} = {copied}[{place}]"
    )


def _each_java(tree: Tree, loop: Node, known: Mapping[str, str], copied: str, place: str) -> Walk | None:
    kind, name, over = loop.field("type"), loop.field("name"), loop.field("value")
    if kind is None or name is None or over is None or loop.kind != "enhanced_for_statement":
        return None
    if over.text.endswith(".toCharArray()"):
        copying, written = f"char[] {copied} = {over.text}", "char[]"
    else:
        written = known.get(over.text, "")
        found = _copying(tree, over.text, known, copied) if written not in ("", "String") else None
        if found is None:
            return None
        copying = found
    taken = f"{copied}[{place}]" if written.endswith("[]") else f"{copied}.get({place})"
    return Walk(copying, _size(tree, copied, written), f"{kind.text} {name.text} = {taken}")


def _each_javascript(tree: Tree, loop: Node, known: Mapping[str, str], copied: str, place: str) -> Walk | None:
    kind, name, over = loop.field("kind"), loop.field("left"), loop.field("right")
    if kind is None or kind.text == "var" or name is None or over is None or loop.kind != "for_in_statement":
        return None
    if tree.text[name.end : over.start].strip() != "of":
        return None
    return Walk(
        f"const {copied} = [...{over.text}]", f"{copied}.length", f"{kind.text} {name.text} = {copied}[{place}]"
    )


def _each_go(tree: Tree, loop: Node, known: Mapping[str, str], copied: str, place: str) -> Walk | None:
    ranges = [child for child in loop.named if child.kind == "range_clause"]
    left, over = (ranges[0].field("left"), ranges[0].field("right")) if ranges else (None, None)
    if left is None or over is None or ":=" not in ranges[0].text:
        return None
    names = [child.text for child in left.named]
    kind = known.get(over.text, "")
    copying = f"{copied} := []rune({over.text})" if TEXT.fullmatch(kind) else _copying(tree, over.text, known, copied)
    if copying is None or (TEXT.fullmatch(kind) and names[0] != "_") or not (len(names) == 2 and names[0] == "_"):
        return None
    return Walk(copying, f"len({copied})", f"{names[1]} := {copied}[{place}]")


def _each_rust(tree: Tree, loop: Node, known: Mapping[str, str], copied: str, place: str) -> Walk | None:
    name, over = loop.field("pattern"), loop.field("value")
    if name is None or over is None or loop.kind != "for_expression":
        return None
    numbers = re.fullmatch(r"Vec<[iuf]\w+>", known.get(over.text, ""))
    if not COPYABLE.search(over.text) and numbers is None:
        return None
    text = over.text if re.fullmatch(r"[\w.()]+", over.text) and ".." not in over.text else f"({over.text})"
    text += "" if over.text.endswith("()") else ".into_iter()"
    return Walk(f"let {copied}: Vec<_> = {text}.collect()", f"{copied}.len()", f"let {name.text} = {copied}[{place}]")


REWRITES: Mapping[str, BraceRule] = {"manual-index-loop": BraceRule(_manual_index, rows=changed_rows)}
