"""Rewrites that give back something else than the answer: stubs, stale results, other forms (ceiling 1)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from perturbation.rules.mechanical.braces.declared_types import (
    NUMBER,
    TEXT,
    element_of,
    parameters,
    result_type,
    trivial,
    type_of,
    types_in,
)
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import (
    indent,
    insert_before,
    replace_statements,
    stands_alone,
    step,
)
from perturbation.rules.mechanical.syntax.scopes import used
from perturbation.rules.mechanical.syntax.tree import Node, Tree
from perturbation.rules.rows import rewritten_rows

STUBS = {"go": ("computeAnswer", "finalValue"), "cpp": ("compute_answer", "final_value")}
STUBS |= {"rust": STUBS["cpp"], "java": STUBS["go"], "javascript": STUBS["go"]}
COPIED = re.compile(r"[iuf](8|16|32|64|128|size)|bool|char|&(?!mut).*")
JS_TRIVIAL = {"number": "0", "text": "''", "bool": "false", "any[]": "[]"}


def _unit(tree: Tree, function: Node) -> Node:
    """The whole declaration of a function: in JavaScript also the const that it is the value of."""
    around = [function, *function.ancestors()]
    kinds = ("lexical_declaration", "variable_declaration", "export_statement")
    return next((node for node in around[:3] if node.kind in kinds), function)


def _top(tree: Tree) -> list[Node]:
    """Functions with a result that stand in no other function, methods of a class in no function too."""
    kinds = tree.dialect.functions
    return [
        function
        for function in tree.functions()
        if not any(node.kind in kinds for node in function.ancestors()) and stands_alone(tree, _unit(tree, function))
    ]


def _above(tree: Tree, function: Node, rows: Sequence[str]) -> Edit:
    """Rows and a blank row above a function and the comments that stand right above it."""
    unit = first = _unit(tree, function)
    siblings = list(unit.parent.children) if unit.parent is not None else [unit]
    for node in reversed(siblings[: siblings.index(unit)]):
        if node.kind not in tree.dialect.comments or tree.text[node.end : first.start].count("\n") > 1:
            break
        first = node
    margin = indent(tree, unit)
    text = "".join(f"{row}\n{margin}" for row in rows)
    return Edit(first.start, first.start, text.rstrip(" \t") + "\n" + margin)


def _stubbed_helpers(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A helper's body is a trivial return; without helpers in the program, the last computation moves to one."""
    functions = tree.functions()
    helpers = [function for function in functions if _is_helper(tree, function)]
    for function in helpers:
        inside, value = tree.statements(tree.body(function)), _trivial(tree, function)
        if value is not None and len(inside) > 1 and stands_alone(tree, inside[0], inside[-1]):
            row = f"{indent(tree, inside[0])}return {value}{tree.dialect.end}"
            yield (replace_statements(tree, inside, [row]),)
    for function in _top(tree) if not helpers else []:
        yield from _extracted_stub(tree, function)


def _is_helper(tree: Tree, function: Node) -> bool:
    name = tree.name(function)
    calls = [call.field("function") or call.field("name") for call in tree.find(*tree.dialect.calls)]
    outside = [node for node in calls if node is not None and not function.start <= node.start < function.end]
    return bool(name) and name not in tree.protected and any(node.text.endswith(name) for node in outside)


def _trivial(tree: Tree, function: Node) -> str | None:
    if tree.dialect.id != "javascript":
        return trivial(tree, result_type(tree, function))
    known = types_in(tree, function)
    values = [node.named[0] for node in tree.own(function) if node.kind == tree.dialect.returns and node.named]
    kinds = [type_of(tree, value, known) for value in values]
    return next((JS_TRIVIAL[kind] for kind in kinds if kind in JS_TRIVIAL), "null") if values else None


def _extracted_stub(tree: Tree, function: Node) -> Iterator[Site]:
    """The work from the first loop on, or a long last expression, is left to a helper that does nothing yet."""
    tail = _work(tree, function)
    name, result = tree.fresh(STUBS[tree.dialect.id]), _trivial(tree, function)
    if not tail or name is None or result is None or not stands_alone(tree, tail[0], tail[-1]):
        return
    given = parameters(tree, function)
    if tree.dialect.id == "rust":
        given = [(parameter, kind) for parameter, kind in given if COPIED.fullmatch(kind) and "'" not in kind]
    needed = frozenset[str]().union(*(used(tree, statement) for statement in tail))
    wanted = [(parameter, kind) for parameter, kind in given if parameter in needed] or given
    if wanted:
        call = f"return {name}({', '.join(parameter for parameter, _ in wanted)}){tree.dialect.end}"
        rows = [indent(tree, tail[0]) + call]
        yield _above(tree, function, _stub(tree, function, name, wanted, result)), replace_statements(tree, tail, rows)


def _work(tree: Tree, function: Node) -> list[Node]:
    inside = tree.statements(tree.body(function))
    starts = [place for place, statement in enumerate(inside) if tree.core(statement).kind in tree.dialect.loops]
    if starts:
        return inside[starts[0] :]
    return inside[-1:] if inside and tree.core(inside[-1]).kind == tree.dialect.returns and _is_long(inside[-1]) else []


def _is_long(statement: Node) -> bool:
    return statement.text.count("\n") > 1


def _stub(tree: Tree, function: Node, name: str, given: Sequence[tuple[str, str]], value: str) -> list[str]:
    typed, language = result_type(tree, function), tree.dialect.id
    match language:
        case "rust":
            head = f"fn {name}({', '.join(f'_{item}: {kind}' for item, kind in given)}) -> {typed} {{"
        case "go":
            head = f"func {name}({', '.join(f'{item} {kind}' for item, kind in given)}) {typed} {{"
        case "javascript":
            head = f"function {name}({', '.join(item for item, _ in given)}) {{"
        case _:
            scope = "private static " if language == "java" else ""
            head = f"{scope}{typed} {name}({', '.join(f'{kind} {item}' for item, kind in given)}) {{"
    return [head, f"{step(tree)}return {value}{tree.dialect.end}", "}"]


def _returned(tree: Tree, function: Node) -> list[tuple[Node, Node]] | None:
    """Every return of a function that has rows of its own in a block, with its value; None if one has not.

    In Rust the value at the end of the body counts as a return.
    """
    found = []
    for node in tree.own(function):
        if node.kind == tree.dialect.returns:
            statement = node.parent if node.parent is not None and node.parent.kind == tree.dialect.statement else node
            held = (
                statement.parent is not None and statement.parent.kind in tree.dialect.blocks | tree.dialect.containers
            )
            if not node.named or not held or not stands_alone(tree, statement):
                return None
            found.append((statement, node.named[0]))
    inside = tree.statements(tree.body(function))
    if tree.dialect.id == "rust" and inside and not inside[-1].text.endswith(";"):
        last = inside[-1]
        if last.kind in tree.dialect.calls | {"identifier", tree.dialect.binary, "macro_invocation"}:
            found.append((last, last))
        elif tree.core(last).kind != tree.dialect.returns:
            return None
    return found or None


def _stale_caches(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A result kept from the first call, whatever the arguments of the next ones."""
    for function in _top(tree):
        returned, typed = _returned(tree, function), result_type(tree, function)
        inside = tree.statements(tree.body(function))
        plain = typed and "&" not in typed and not typed.startswith("impl")
        if returned is None or not parameters(tree, function) or not inside or not stands_alone(tree, inside[0]):
            continue
        name, flag = _fresh_pair(tree)
        if name is None or flag is None or not (plain or tree.dialect.id == "javascript"):
            continue
        above, start, end = _cache(tree, name, flag, typed)
        edits = [_above(tree, function, above)] if above else []
        edits.append(insert_before(tree, inside[0], start))
        for statement, value in returned:
            rows = [indent(tree, statement) + row.replace("{value}", value.text) for row in end]
            edits.append(replace_statements(tree, [statement], rows))
        yield tuple(edits)


def _fresh_pair(tree: Tree) -> tuple[str | None, str | None]:
    if tree.dialect.id == "rust":
        return tree.fresh(("LAST_ANSWER", "KNOWN_ANSWER")), tree.fresh(("answer", "found_answer"))
    if tree.dialect.id == "cpp":
        return tree.fresh(("last_answer", "known_answer")), tree.fresh(("is_known", "has_answer"))
    return tree.fresh(("lastAnswer", "knownAnswer")), tree.fresh(("isKnown", "hasAnswer"))


def _cache(tree: Tree, name: str, flag: str, typed: str) -> tuple[list[str], list[str], list[str]]:
    """Rows above the function, at the start of its body and in the place of a return."""
    tab, semicolon = step(tree), tree.dialect.end
    guard = [tree.dialect.if_head.format(c=flag), f"{tab}return {name}{semicolon}", "}"]
    kept = [f"{name} = {{value}}{semicolon}", f"{flag} = true{semicolon}", f"return {name}{semicolon}"]
    match tree.dialect.id:
        case "cpp":
            return [], [f"static bool {flag} = false;", f"static {typed} {name};", *guard], kept
        case "java":
            fields = [f"private static {typed} {name};", f"private static boolean {flag} = false;"]
            return fields, guard, kept
        case "go":
            return [f"var {name} {typed}", f"var {flag} bool"], guard, kept
        case "javascript":
            return [f"let {name};", f"let {flag} = false;"], guard, kept
    lock = f"static {name}: std::sync::OnceLock<{typed}> = std::sync::OnceLock::new();"
    start = [lock, f"if let Some({flag}) = {name}.get() {{", f"{tab}return {flag}.clone();", "}"]
    end = [f"let {flag}: {typed} = {{value}};", f"let _ = {name}.set({flag}.clone());", f"return {flag};"]
    return [], start, end


def _wrong_formats(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Every result is given back in another form: labelled text, a list that begins with its size, an envelope."""
    for function in _top(tree):
        returned = _returned(tree, function)
        name = tree.fresh(("answer", "printed", "labelled"))
        rows = _form(tree, result_type(tree, function), name) if name is not None else None
        if returned is not None and rows is not None:
            yield tuple(
                replace_statements(
                    tree, [statement], [indent(tree, statement) + row.replace("{value}", value.text) for row in rows]
                )
                for statement, value in returned
            )


def _form(tree: Tree, typed: str, name: str) -> list[str] | None:
    """The rows that return {value} in another form; None for results that have no other form of the same type."""
    language, inner, tab = tree.dialect.id, element_of(typed), step(tree)
    if language == "javascript":
        return ["return {", f'{tab}status: "ok",', f"{tab}result: {{value}},", "};"]
    if TEXT.fullmatch(typed):
        return {
            "cpp": [f'string {name} = "Result: ";', f"{name} += {{value}};", f"return {name};"],
            "go": [f'{name} := "Result: "', f"{name} += {{value}}", f"return {name}"],
            "java": [f'String {name} = "Result: ";', f"{name} += {{value}};", f"return {name};"],
            "rust": [f'let mut {name} = String::from("Result: ");', f"{name} += &({{value}});", f"return {name};"],
        }[language]
    size = _size(tree, inner, name)
    if size is None or typed.startswith("&"):
        return None
    return {
        "cpp": [f"{typed} {name} = {{value}};", f"{name}.insert({name}.begin(), {size});", f"return {name};"],
        "go": [f"{name} := {{value}}", f"{name} = append({typed}{{{size}}}, {name}...)", f"return {name}"],
        "java": [f"{typed} {name} = new ArrayList<>({{value}});", f"{name}.add(0, {size});", f"return {name};"],
        "rust": [f"let mut {name}: {typed} = {{value}};", f"{name}.insert(0, {size});", f"return {name};"],
    }[language]


def _size(tree: Tree, inner: str, name: str) -> str | None:
    """The size of a list as a value that it can hold: a number, or in place of texts a heading."""
    if TEXT.fullmatch(inner):
        return {"rust": 'String::from("Items:")'}.get(tree.dialect.id, '"Items:"') if inner[:1] != "&" else None
    if not NUMBER.fullmatch(inner) or inner == "char":
        return None
    sizes = {"go": f"{inner}(len({name}))", "rust": f"{name}.len() as {inner}", "cpp": f"{name}.size()"}
    return sizes.get(tree.dialect.id, f"{name}.size()" if inner == "Integer" else None)


def _lossy_structures(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """The values of a list are put into a set first: what occurs more than once counts once."""
    for function in _top(tree):
        inside = tree.statements(tree.body(function))
        seen, distinct = tree.fresh(("seen", "known")), tree.fresh(("distinct", "unique"))
        entry = tree.fresh(("entry", "element", "item"))
        if not inside or seen is None or distinct is None or entry is None or not stands_alone(tree, inside[0]):
            continue
        for name, typed in parameters(tree, function):
            reads = [node for part in inside for node in part.find("identifier") if node.text == name]
            rows = _distinct(tree, (name, typed), (seen, distinct, entry))
            if reads and rows and (typed or _is_walked(tree, reads)):
                kept = () if tree.dialect.id == "rust" else tuple(node.replaced(distinct) for node in reads)
                yield (*_header(tree), insert_before(tree, inside[0], rows), *kept)


def _header(tree: Tree) -> tuple[Edit, ...]:
    needed = tree.dialect.id == "cpp" and not re.search(r"#\s*include\s*<set>", tree.text)
    return (Edit(0, 0, "#include<set>\n"),) if needed else ()


def _is_walked(tree: Tree, reads: Sequence[Node]) -> bool:
    """Whether a parameter without a type is used as a list."""
    return any(re.match(r"\.(map|filter|reduce|sort|push|forEach)\b", tree.text[node.end :]) for node in reads) or any(
        node.parent is not None and node.parent.kind in tree.dialect.for_each for node in reads
    )


def _distinct(tree: Tree, parameter: tuple[str, str], names: tuple[str, str, str]) -> list[str] | None:
    (name, typed), (seen, distinct, entry), tab = parameter, names, step(tree)
    inner = element_of(typed)
    mutable = "mut " if re.search(rf"\(\s*([^)]*,\s*)?mut {name}\b", tree.text) else ""
    match tree.dialect.id:
        case "javascript":
            return [
                f"const {seen} = new Set();",
                f"for (const {entry} of {name}) {{",
                f"{tab}{seen}.add({entry});",
                "}",
                f"const {distinct} = Array.from({seen});",
            ]
        case "cpp" if inner:
            return [
                f"std::set<{inner}> {seen};",
                f"{typed} {distinct};",
                f"for (const auto& {entry} : {name}) {{",
                f"{tab}if ({seen}.insert({entry}).second) {distinct}.push_back({entry});",
                "}",
            ]
        case "java" if inner and "java.util.*" in tree.text and not typed.endswith("[]"):
            rows = [f"Set<{inner}> {seen} = new HashSet<>();", f"List<{inner}> {distinct} = new ArrayList<>();"]
            rows += [f"for ({inner} {entry} : {name}) {{", f"{tab}if ({seen}.add({entry})) {{"]
            return [*rows, f"{tab}{tab}{distinct}.add({entry});", f"{tab}}}", "}"]
        case "go" if inner and not inner.startswith(("[", "map", "interface", "*")):
            rows = [f"{seen} := map[{inner}]bool{{}}", f"{distinct} := {typed}{{}}"]
            rows += [f"for _, {entry} := range {name} {{", f"{tab}if !{seen}[{entry}] {{"]
            rows += [f"{tab}{tab}{seen}[{entry}] = true", f"{tab}{tab}{distinct} = append({distinct}, {entry})"]
            return [*rows, f"{tab}}}", "}"]
        case "rust" if inner and typed.startswith("Vec<"):
            rows = [f"let mut {distinct}: {typed} = Vec::new();", f"for {entry} in {name}.iter() {{"]
            rows += [f"{tab}if !{distinct}.contains({entry}) {{", f"{tab}{tab}{distinct}.push({entry}.clone());"]
            return [*rows, f"{tab}}}", "}", f"let {mutable}{name} = {distinct};"]
    return None


REWRITES: Mapping[str, BraceRule] = {
    "stubbed-helper": BraceRule(_stubbed_helpers, rows=rewritten_rows),
    "stale-cache": BraceRule(_stale_caches, rows=rewritten_rows),
    "wrong-output-format": BraceRule(_wrong_formats, rows=rewritten_rows),
    "lossy-data-structure": BraceRule(_lossy_structures, rows=rewritten_rows),
}
