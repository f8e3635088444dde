"""Library calls written out by hand, and appending made slow by copying in every turn (ceiling 3)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.declared_types import element_of, types_in
from perturbation.rules.mechanical.braces.naming import in_convention
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.writing import braced, end, inner, result_of, return_type
from perturbation.rules.mechanical.syntax.conditions import bare
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import indent, replace_statements, stands_alone
from perturbation.rules.mechanical.syntax.scopes import declared, has_effects
from perturbation.rules.mechanical.syntax.tree import Node, Tree
from perturbation.rules.rows import changed_rows

EXTREMES = re.compile(r"(?:std::|cmp::|std::cmp::|Math\.)?(max|min)")
EXTREMES_IN_GO = re.compile(r"int\(math\.(Max|Min)\(float64\((\w+)\), float64\((\w+)\)\)\)")
SORTS = {
    "cpp": re.compile(r"(?:std::)?sort\((\w+)\.begin\(\), ?\1\.end\(\)\)"),
    "java": re.compile(r"(Collections|Arrays)\.sort\((\w+)\)"),
    "javascript": re.compile(r"(\w+)\.sort\(\((\w+), ?(\w+)\) ?=> ?\2 ?- ?\3\)"),
    "go": re.compile(r"sort\.(?:Ints|Strings|Float64s)\((\w+)\)"),
    "rust": re.compile(r"(\w+)\.sort(?:_unstable)?\(\)"),
}
APPENDING = {
    "cpp": re.compile(r"(\w+)\.push_back\((.+)\)", re.DOTALL),
    "java": re.compile(r"(\w+)\.add\(([^,]+|.*\(.*\).*)\)", re.DOTALL),
    "javascript": re.compile(r"(\w+)\.push\((.+)\)", re.DOTALL),
    "go": re.compile(r"(\w+) = append\(\1, (.+)\)", re.DOTALL),
    "rust": re.compile(r"(\w+)\.push\((.+)\)", re.DOTALL),
}


def _library_call(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for block in tree.blocks():
        for statement in tree.statements(block):
            if stands_alone(tree, statement) and "\n" not in statement.text and tree.function_of(statement):
                yield from _extreme(tree, statement)
                yield from _sorted(tree, statement)
                yield from _collected(tree, statement)


def _extreme(tree: Tree, statement: Node) -> Iterator[Site]:
    """x = max(a, b), return max(a, b) or the declaration of x so: a comparison in place of the call."""
    core = tree.core(statement)
    value = result_of(tree, statement) or core.field("right") or _declared_value(tree, statement)
    parts = _compared(tree, value) if value is not None else None
    if value is None or parts is None:
        return
    sign, one, two = parts
    margin = indent(tree, statement)
    deeper = inner(tree, margin)
    heads = [tree.dialect.if_head.format(c=f"{left} {sign} {right}") for left, right in ((one, two), (two, one))]
    if result_of(tree, statement) is not None:
        rows = [f"{margin}{heads[0]}", f"{deeper}return {one}{end(tree)}", f"{margin}}} else {{"]
        yield (replace_statements(tree, [statement], [*rows, f"{deeper}return {two}{end(tree)}", f"{margin}}}"]),)
    elif core.kind in tree.dialect.assignments and core.kind != "short_var_declaration":
        left = core.field("left")
        if left is None or left.text not in (one, two) or tree.text[left.end : value.start].strip() != "=":
            return
        other = two if left.text == one else one
        head = tree.dialect.if_head.format(c=f"{other} {sign} {left.text}")
        yield (
            replace_statements(
                tree, [statement], [braced(tree, head, f"{deeper}{left.text} = {other}{end(tree)}", margin)]
            ),
        )
    elif len(names := list(declared(tree, statement))) == 1:
        begin = tree.text[statement.start : value.start] + one + tree.text[value.end : statement.end]
        begin = re.sub(r"^let (?!mut)", "let mut ", begin) if tree.dialect.id == "rust" else begin
        begin = re.sub(r"^const ", "let ", begin) if tree.dialect.id == "javascript" else begin
        head = tree.dialect.if_head.format(c=f"{two} {sign} {names[0]}")
        rows = [f"{margin}{begin}", braced(tree, head, f"{deeper}{names[0]} = {two}{end(tree)}", margin)]
        yield (replace_statements(tree, [statement], rows),)


def _declared_value(tree: Tree, statement: Node) -> Node | None:
    if statement.kind not in tree.dialect.local:
        return None
    found = [node.field("value") for node in statement.walk() if node.field("value") is not None]
    return found[0] if len(found) == 1 else None


def _compared(tree: Tree, value: Node) -> tuple[str, str, str] | None:
    """The comparison that a call of max or min makes, with both values."""
    value = bare(tree, value)
    if tree.dialect.id == "go":
        match = EXTREMES_IN_GO.fullmatch(value.text)
        enough = tree.text.count("math.") > 1
        return (">" if match[1] == "Max" else "<", match[2], match[3]) if match and enough else None
    if value.kind not in tree.dialect.calls:
        return None
    called = value.field("function") or value.field("name")
    place = tree.text[value.start : called.end] if called is not None else ""
    arguments = value.field("arguments")
    given = [node for node in arguments.named if not has_effects(tree, node)] if arguments is not None else []
    match = EXTREMES.fullmatch(place)
    if match is not None and arguments is not None and len(given) == len(arguments.named) == 2:
        return (">" if match[1] == "max" else "<", given[0].text, given[1].text)
    method = re.fullmatch(r"(\w+)\.(max|min)", place) if tree.dialect.id == "rust" else None
    if method is not None and len(given) == 1:
        return (">" if method[2] == "max" else "<", method[1], given[0].text)
    return None


def _sorted(tree: Tree, statement: Node) -> Iterator[Site]:
    """The call of a library's sort as two loops that exchange."""
    match = SORTS[tree.dialect.id].fullmatch(tree.core(statement).text)
    if match is None or (tree.dialect.id == "go" and tree.text.count("sort.") < 2):
        return
    first, second = (tree.fresh([name, f"{name}Index", f"{name}0"]) for name in ("first", "second"))
    swap = tree.fresh(["swapped", "exchanged"])
    if first is None or second is None or swap is None:
        return
    name, is_list = (match[2], match[1] == "Collections") if tree.dialect.id == "java" else (match[1], False)
    rows = _exchange(tree, name, first, second, swap, is_list=is_list)
    margin, step = indent(tree, statement), inner(tree, "")
    yield (replace_statements(tree, [statement], [f"{margin}{step * level}{row}" for level, row in rows]),)


def _exchange(tree: Tree, name: str, one: str, two: str, swap: str, *, is_list: bool) -> list[tuple[int, str]]:
    size = {"cpp": "{}.size()", "javascript": "{}.length", "rust": "{}.len()", "go": "len({})"}
    length = size.get(tree.dialect.id, "{}.size()" if is_list else "{}.length").format(name)
    at = [f"{name}.get({place})" if is_list else f"{name}[{place}]" for place in (one, two)]
    smaller = f"{at[1]}.compareTo({at[0]}) < 0" if is_list else f"{at[1]} < {at[0]}"
    heads = [
        f"for (int {one} = 0; {one} < {length}; {one}++) {{",
        f"for (int {two} = {one} + 1; {two} < {length}; {two}++) {{",
    ]
    if tree.dialect.id == "javascript":
        heads = [head.replace("int ", "let ") for head in heads]
    elif tree.dialect.id == "go":
        heads = [
            f"for {one} := 0; {one} < {length}; {one}++ {{",
            f"for {two} := {one} + 1; {two} < {length}; {two}++ {{",
        ]
    elif tree.dialect.id == "rust":
        heads = [f"for {one} in 0..{length} {{", f"for {two} in {one} + 1..{length} {{"]
    stop = end(tree)
    keep = {"cpp": "auto", "java": "var", "javascript": "const"}.get(tree.dialect.id, "")
    swaps = [f"{keep} {swap} = {at[0]}{stop}", f"{at[0]} = {at[1]}{stop}", f"{at[1]} = {swap}{stop}"]
    if is_list:
        swaps = [swaps[0], f"{name}.set({one}, {at[1]});", f"{name}.set({two}, {swap});"]
    if tree.dialect.id == "go":
        swaps = [f"{at[0]}, {at[1]} = {at[1]}, {at[0]}"]
    if tree.dialect.id == "rust":
        swaps = [f"{name}.swap({one}, {two});"]
    test = tree.dialect.if_head.format(c=smaller)
    rows = [(0, heads[0]), (1, heads[1]), (2, test), *((3, row) for row in swaps)]
    return [*rows, (2, "}"), (1, "}"), (0, "}")]


def _collected(tree: Tree, statement: Node) -> Iterator[Site]:
    """join('') and filter in JavaScript, collect and sum in Rust: a loop that collects."""
    value = result_of(tree, statement) or _declared_value(tree, statement)
    if value is None or tree.dialect.id not in ("javascript", "rust") or value.kind not in tree.dialect.calls:
        return
    is_result = result_of(tree, statement) is not None
    names = list(declared(tree, statement))
    name = tree.fresh(["collected", "gathered", "built"]) if is_result else names[0] if len(names) == 1 else None
    item = tree.fresh([in_convention(tree, word.split("_")) for word in ("piece", "single_value", "each_one")])
    if name is None or item is None:
        return
    kind = return_type(tree, tree.function_of(statement)) if is_result else _written_type(statement)
    parts = _javascript_loop(value, name, item, end(tree)) if tree.dialect.id == "javascript" else None
    if tree.dialect.id == "rust":
        parts = _rust_loop(value, name, item, kind or "")
    if parts is None:
        return
    margin, (start, head, body) = indent(tree, statement), parts
    rows = [f"{margin}{start}", braced(tree, head, f"{inner(tree, margin)}{body}", margin)]
    rows += [f"{margin}return {name}{end(tree)}"] if is_result else []
    yield (replace_statements(tree, [statement], rows),)


def _written_type(statement: Node) -> str:
    kind = statement.field("type")
    return kind.text if kind is not None else ""


def _javascript_loop(value: Node, name: str, item: str, stop: str) -> tuple[str, str, str] | None:
    match = re.fullmatch(r"(.+)\.join\((?:''|\"\")\)", value.text)
    if match is not None:
        return f"let {name} = ''{stop}", f"for (const {item} of {match[1]}) {{", f"{name} += {item}{stop}"
    return None


def _rust_loop(value: Node, name: str, item: str, kind: str) -> tuple[str, str, str] | None:
    match = re.fullmatch(r"(.+)\.(collect|sum)(?:::<(.+)>)?\(\)", value.text)
    kind = (match[3] or kind) if match is not None else ""
    if match is None or not kind or "_" in kind:
        return None
    head = f"for {item} in {match[1]} {{"
    if match[2] == "sum":
        return f"let mut {name}: {kind} = 0 as {kind};", head, f"{name} += {item};"
    if kind == "String":
        return f"let mut {name} = String::new();", head, f"{name}.push({item});"
    return (f"let mut {name}: {kind} = Vec::new();", head, f"{name}.push({item});") if kind.startswith("Vec<") else None


def _slower(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Appending in a loop: the whole list is copied in every turn. A sort: exchanged one by one."""
    for loop in tree.find(*tree.dialect.loops):
        function = tree.function_of(loop)
        if function is None or any(around.kind in tree.dialect.loops for around in loop.ancestors()):
            continue
        known = types_in(tree, function)
        for statement in loop.walk():
            is_statement = statement.kind == tree.dialect.statement or statement.kind in tree.dialect.assignments
            if is_statement and tree.core(statement) is not statement or tree.dialect.id == "go" and is_statement:
                yield from _copied_append(tree, function, statement, known)
    for block in tree.blocks():
        for statement in tree.statements(block):
            if stands_alone(tree, statement):
                yield from _sorted(tree, statement)


def _copied_append(tree: Tree, function: Node, statement: Node, known: Mapping[str, str]) -> Iterator[Site]:
    match = APPENDING[tree.dialect.id].fullmatch(tree.core(statement).text)
    if match is None or "\n" in statement.text or not stands_alone(tree, statement):
        return
    copied = tree.fresh(["copied", "extended", "renewed"])
    rows = _copy_rows(tree, match[1], match[2], known.get(match[1], ""), copied) if copied is not None else None
    origin = declared(tree, function).get(match[1])
    if rows is None or origin is None or origin.start >= statement.start or _is_parameter(tree, function, origin):
        return
    parent, margin = statement.parent, indent(tree, statement)
    extra = _made_variable(tree, origin)
    if parent is not None and parent.kind in tree.dialect.blocks | tree.dialect.containers:
        yield (*extra, statement.replaced(f"\n{margin}".join(rows)))
    else:
        body = "".join(f"\n{inner(tree, margin)}{row}" for row in rows)
        yield (*extra, statement.replaced(f"{{{body}\n{margin}}}"))


def _copy_rows(tree: Tree, name: str, value: str, kind: str, copied: str) -> list[str] | None:
    stop = end(tree)
    match tree.dialect.id:
        case "cpp":
            return [f"auto {copied} = {name};", f"{copied}.push_back({value});", f"{name} = {copied};"]
        case "javascript":
            return [f"const {copied} = [...{name}]{stop}", f"{copied}.push({value}){stop}", f"{name} = {copied}{stop}"]
        case "rust":
            return [f"let mut {copied} = {name}.clone();", f"{copied}.push({value});", f"{name} = {copied};"]
        case "go":
            made = [f"{copied} := make({kind}, len({name}))", f"copy({copied}, {name})"]
            return [*made, f"{name} = append({copied}, {value})"] if kind.startswith("[]") else None
        case _:
            if not element_of(kind) or kind.endswith("[]") or "->" in tree.text or "Linked" in kind:
                return None
            return [f"{kind} {copied} = new ArrayList<>({name});", f"{copied}.add({value});", f"{name} = {copied};"]


def _is_parameter(tree: Tree, function: Node, origin: Node) -> bool:
    body = function.field("body")
    return body is None or origin.start < body.start


def _made_variable(tree: Tree, origin: Node) -> tuple[Edit, ...]:
    """const becomes let in JavaScript, where the list is assigned to now."""
    holder = origin.parent.parent if origin.parent is not None else None
    if holder is None or holder.kind != "lexical_declaration" or not holder.text.startswith("const "):
        return ()
    return (Edit(holder.start, holder.start + len("const"), "let"),)


REWRITES: Mapping[str, BraceRule] = {
    "hand-made-library-call": BraceRule(_library_call, rows=changed_rows),
    "slower-complexity": BraceRule(_slower, rows=changed_rows),
}
