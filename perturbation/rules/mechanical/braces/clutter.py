"""Rewrites that add what nobody needs, or spell out what was plain (ceiling 4). Behaviour stays."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.expressions import initial
from perturbation.rules.mechanical.braces.naming import in_convention
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.writing import (
    braced,
    declaration,
    end,
    give_back,
    inner,
    result_of,
)
from perturbation.rules.mechanical.syntax.conditions import bare, ifs, is_boolean
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import (
    indent,
    insert_before,
    removed,
    replace_statements,
    row_start,
    stands_alone,
)
from perturbation.rules.mechanical.syntax.scopes import assigned, declared, occurrences
from perturbation.rules.mechanical.syntax.tree import Node, Tree

UNUSED = (("unused", "0"), ("counter", "0"), ("flag", "false"), ("temp", "1"), ("limit", "100"), ("debug", "true"))
IMPORTS = {
    "cpp": ("#include <map>", "#include <set>", "#include <queue>", "#include <sstream>", "#include <deque>"),
    "java": (
        "import java.util.concurrent.TimeUnit;",
        "import java.util.regex.Pattern;",
        "import java.io.File;",
        "import java.nio.file.Path;",
    ),
    "javascript": ("path", "os", "util", "events", "url"),
    "rust": ("use std::rc::Rc;", "use std::cell::RefCell;", "use std::collections::BTreeMap;", "use std::fmt::Write;"),
}
STEPS = (("value", "final_value"), ("outcome", "returned"), ("temp", "to_return"), ("first", "second"))


def _unused_variable(tree: Tree, rng: random.Random) -> Iterator[Site]:
    kinds = {"cpp": {"0": "int", "1": "int", "100": "int", "false": "bool", "true": "bool"}}
    for function in tree.functions():
        statements = tree.statements(tree.body(function))
        pairs = [pair for pair in UNUSED if tree.fresh([pair[0]])]
        if not pairs or not statements or not stands_alone(tree, statements[0]):
            continue
        name, value = rng.choice(pairs)
        kind = kinds["cpp"][value].replace("bool", "boolean" if tree.dialect.id == "java" else "bool")
        row = (
            tree.dialect.typed.format(n=name, v=value, t=kind)
            if tree.dialect.id != "rust"
            else f"let {name} = {value};"
        )
        yield (insert_before(tree, statements[0], [row.rstrip(";") + end(tree)]),)


def _unused_import(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """One import more, behind the last one or before the first code."""
    found = [row for row in IMPORTS[tree.dialect.id] if not re.search(rf"\b{_imported(row)}\b", tree.text)]
    kinds = ("preproc_include", "import_declaration", "import_statement", "use_declaration", "package_declaration")
    last = [node for node in tree.root.named if node.kind in kinds]
    code = [node for node in tree.root.named if node.kind not in tree.dialect.comments]
    if not found or not code or (tree.dialect.id == "javascript" and code[0].text.startswith(("'use", '"use'))):
        return
    row = rng.choice(found)
    if tree.dialect.id == "javascript":
        is_module = any(node.kind in ("import_statement", "export_statement") for node in tree.root.named)
        row = f'import {row} from "{row}"' if is_module else f'const {row} = require("{row}")'
        row += end(tree)
    if last:
        place = last[-1].end
        yield (Edit(place, place, f"{row}\n" if tree.text[:place].endswith("\n") else f"\n{row}"),)
    else:
        place = _first_code(tree)
        yield (Edit(place, place, f"{row}\n"),)


def _imported(row: str) -> str:
    return re.split(r"[ .:]+", row.strip("#;<>"))[-1].strip("<>;")


def _first_code(tree: Tree) -> int:
    """Where the first code begins, above the comments that document it."""
    nodes = list(tree.root.named)
    return row_start(tree.text, nodes[0].start) if nodes else 0


def _redundant_comparison(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """if (a < b)  ->  if ((a < b) == true)"""
    sign = "===" if tree.dialect.id == "javascript" else "=="
    conditions = [item.condition for item in ifs(tree)]
    for node in tree.find(*tree.dialect.loops):
        condition = node.field("condition")
        conditions += [bare(tree, condition)] if condition is not None and node.kind == tree.dialect.while_kind else []
    conditions += [
        value for block in tree.blocks() for item in tree.statements(block) if (value := result_of(tree, item))
    ]
    for condition in conditions:
        if is_boolean(tree, condition) and condition.text not in ("true", "false") and "\n" not in condition.text:
            yield (condition.replaced(f"({condition.text}) {sign} true"),)


def _redundant_conditional(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """return a < b;  ->  if (a < b) { return true; } else { return false; }"""
    for block in tree.blocks():
        for statement in tree.statements(block):
            value = result_of(tree, statement)
            if value is None or not is_boolean(tree, value) or value.text in ("true", "false"):
                continue
            if stands_alone(tree, statement) and "\n" not in value.text:
                margin = indent(tree, statement)
                yes, no = (f"{inner(tree, margin)}{give_back(tree, statement, word)}" for word in ("true", "false"))
                head = tree.dialect.if_head.format(c=bare(tree, value).text)
                rows = [f"{margin}{head}", yes, f"{margin}}} else {{", no, f"{margin}}}"]
                yield (replace_statements(tree, [statement], rows),)


def _needless_temporary(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for block in tree.blocks():
        for statement in tree.statements(block):
            value, function = result_of(tree, statement), tree.function_of(statement)
            names = [tree.fresh([in_convention(tree, name.split("_"))]) for name in rng.choice(STEPS)]
            unclear = value is None or value.kind in ("initializer_list", "array_initializer", *tree.dialect.functions)
            if value is None or unclear or "\n" in value.text or not stands_alone(tree, statement):
                continue
            first, second = names
            if first is None or second is None or value.text in ("nil", "null"):
                continue
            rows = [declaration(tree, function, first, value.text), declaration(tree, function, second, first)]
            if rows[0] is not None and rows[1] is not None:
                margin = indent(tree, statement)
                given = [*rows, give_back(tree, statement, second)]
                yield (replace_statements(tree, [statement], [f"{margin}{row}" for row in given]),)


def _dead_code(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A branch that is never taken, with a copy of a statement that is there or of a plain return."""
    plain_kinds = tree.dialect.updates | (tree.dialect.assignments - {"short_var_declaration"})
    for block in tree.blocks():
        for statement in tree.statements(block):
            core, value = tree.core(statement), result_of(tree, statement)
            left = core.field("left")
            is_simple = core.kind in plain_kinds and (left is None or left.kind in ("identifier", "expression_list"))
            is_plain = value is not None and re.fullmatch(r"-?\d+|true|false", value.text) is not None
            if tree.dialect.id == "rust":
                is_simple = core.kind == "compound_assignment_expr"
            if stands_alone(tree, statement) and "\n" not in statement.text and (is_simple or is_plain):
                margin = indent(tree, statement)
                head = tree.dialect.if_head.format(c="false")
                copy = statement.text if is_simple or value is None else f"return {value.text}{end(tree)}"
                rows = braced(tree, head, f"{inner(tree, margin)}{copy}", margin).lstrip()
                yield (Edit(statement.start, statement.start, f"{rows}\n{margin}"),)


def _on_one_row(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Two neighbouring declarations joined in one."""
    for block in tree.blocks():
        statements = tree.statements(block)
        for first, second in zip(statements, statements[1:], strict=False):
            one, two = initial(tree, first), initial(tree, second)
            if one is None or two is None or "\n" in first.text + second.text:
                continue
            names = [*declared(tree, first), *declared(tree, second)]
            depends = any(node.text == names[0] for node in two.walk())
            if stands_alone(tree, first) and stands_alone(tree, second) and not depends:
                joined = _joined(tree, first, second, names, (one.text, two.text))
                if joined is not None and tree.text[first.end : second.start].strip() in ("", ";"):
                    yield (replace_statements(tree, [first, second], [joined]),)


def _joined(tree: Tree, first: Node, second: Node, names: list[str], values: tuple[str, str]) -> str | None:
    if tree.dialect.id == "go":
        is_short = first.kind == second.kind == "short_var_declaration"
        return f"{names[0]}, {names[1]} := {values[0]}, {values[1]}" if is_short else None
    if tree.dialect.id == "rust":
        parts = [re.match(r"let (mut )?(\w+)\s*(?::\s*([^=]+?))?\s*=", node.text) for node in (first, second)]
        if not all(parts) or any(part is not None and part[3] for part in parts):
            return None
        patterns = ", ".join(f"{part[1] or ''}{part[2]}" for part in parts if part is not None)
        return f"let ({patterns}) = ({values[0]}, {values[1]});"
    heads = [re.match(r"((?:const |final )?[\w<>\[\], :]+?)\s+(?=\w+\s*=)", node.text) for node in (first, second)]
    if (
        heads[0] is None
        or heads[1] is None
        or heads[0][1] != heads[1][1]
        or heads[0][1] in ("auto", "var")
        and (tree.dialect.id != "javascript")
    ):
        return None
    tail = second.text[heads[1].end() :].rstrip(";")
    return f"{first.text.rstrip(';')}, {tail}{end(tree)}"


def _empty_else(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for item in ifs(tree):
        if item.other is None and item.then.kind in tree.dialect.blocks:
            margin = indent(tree, item.statement)
            yield (Edit(item.then.end, item.then.end, f" else {{\n{margin}}}"),)


def _magic_number(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A constant that is given a number or text once and never changed: its value wherever it was used."""
    for statement in tree.find(*tree.dialect.local, "const_item", "field_declaration"):
        value, names = _constant(tree, statement), list(declared(tree, statement))
        if statement.kind == "const_item":
            found = statement.field("name")
            names = [found.text] if found is not None else []
        scope = statement.parent if tree.function_of(statement) is None else tree.function_of(statement)
        if value is None or len(names) != 1 or scope is None or names[0] in tree.protected:
            continue
        places = occurrences(tree, tree.root if tree.function_of(statement) is None else scope, names[0])
        if places is None or not 2 <= len(places) <= 8 or not stands_alone(tree, statement):
            continue
        if _is_written(tree, scope, statement, names[0]) or any(tree.text[node.end :][:1] in ".[" for node in places):
            continue
        uses = [node for node in places if not statement.start <= node.start < statement.end]
        yield (removed(tree, statement), *(node.replaced(value) for node in uses))


def _constant(tree: Tree, statement: Node) -> str | None:
    value = statement.field("value") if statement.kind == "const_item" else initial(tree, statement)
    if statement.kind in ("const_declaration", "field_declaration"):
        values = [node for node in statement.walk() if node.kind in tree.dialect.integers | tree.dialect.strings]
        value = (
            values[0] if len(values) == 1 and len(statement.find("const_spec", "variable_declarator")) == 1 else None
        )
    if value is None or "double" in statement.text or "float" in statement.text or "long" in statement.text:
        return None
    return value.text if value.kind in tree.dialect.integers | tree.dialect.strings else None


def _is_written(tree: Tree, scope: Node, statement: Node, name: str) -> bool:
    rest = [node for node in scope.walk() if node.start >= statement.end or node.end <= statement.start]
    kinds = tree.dialect.assignments | tree.dialect.updates
    changed = any(name in assigned(tree, node) for node in rest if node.kind in kinds)
    borrowed = re.search(rf"&(?:mut )?{re.escape(name)}\b", tree.text)
    return changed or borrowed is not None or "mut " in statement.text


REWRITES: Mapping[str, BraceRule] = {
    "magic-number": BraceRule(_magic_number),
    "unused-variable": BraceRule(_unused_variable, without=frozenset({"go"})),
    "unused-import": BraceRule(_unused_import, without=frozenset({"go"})),
    "redundant-comparison": BraceRule(_redundant_comparison),
    "redundant-conditional": BraceRule(_redundant_conditional),
    "needless-temporary": BraceRule(_needless_temporary),
    "unreachable-code": BraceRule(_dead_code),
    "statements-on-one-row": BraceRule(_on_one_row),
    "empty-else": BraceRule(_empty_else),
}
