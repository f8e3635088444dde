"""Rewrites that add small needless things: variables, imports, comparisons, branches, statements (ceiling 4)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.expressions import is_boolean, simple_kind
from perturbation.rules.mechanical.python.scopes import enclosing_function, fresh
from perturbation.rules.mechanical.python.tree import (
    STEP,
    Edit,
    FunctionNode,
    Site,
    Tree,
    blocks,
    code_body,
    docstring,
    own_returns,
    rewrite,
)
from perturbation.rules.source import Rewrite

UNUSED = (
    ("index", "0"), ("position", "0"), ("counter", "0"), ("length", "0"), ("previous", "None"), ("current", "None"),
    ("temp", "None"), ("seen", "set()"), ("buffer", "[]"), ("lookup", "{}"), ("message", '""'), ("done", "False"),
)  # fmt: skip
MODULES = (
    "os",
    "sys",
    "re",
    "json",
    "math",
    "copy",
    "time",
    "random",
    "itertools",
    "functools",
    "collections",
    "string",
)


def _unused_variables(tree: Tree, rng: random.Random) -> Iterator[Site]:
    wishes = [(name, value) for name, value in UNUSED if name not in tree.identifiers]
    for function in tree.functions():
        for block in [code_body(function), *blocks(function)]:
            rows = tree.rows(block[0]) if block and block[0] is not docstring(function) else None
            if rows and wishes and not _is_elif(tree, block[0]):
                name, value = rng.choice(wishes)
                start = tree.row_span(rows[0], rows[0])[0]
                yield (Edit(start, start, f"{tree.indent(block[0])}{name} = {value}\n"),)


def _unused_imports(tree: Tree, rng: random.Random) -> Iterator[Site]:
    wishes = [name for name in MODULES if name not in tree.identifiers]
    imports = [node for node in tree.module.body if isinstance(node, ast.Import | ast.ImportFrom)]
    last = tree.block_span([imports[-1]]) if imports else None
    text = docstring(tree.module)
    for name in wishes:
        if last:
            yield (Edit(last[1], last[1], f"import {name}\n"),)
        elif text is not None:
            end = tree.row_span(1, text.end_lineno or 1)[1]
            yield (Edit(end, end, f"\nimport {name}\n"),)
        else:
            yield (Edit(0, 0, f"import {name}\n\n\n"),)


def _redundant_comparisons(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """if a < b  ->  if (a < b) == True, for values that are known to be booleans."""
    tests: list[ast.expr | None] = [node.test for node in tree.nodes(ast.If, ast.While, ast.IfExp)]
    tests += [node.value for node in tree.nodes(ast.Return)]
    tests += [test for node in tree.nodes(ast.comprehension) for test in node.ifs]
    for test in tests:
        if test is not None and is_boolean(test):
            code = tree.code(test)
            yield (tree.replace(test, f"{code} == True" if isinstance(test, ast.Call) else f"({code}) == True"),)


def _redundant_conditionals(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """return a < b  ->  if a < b: return True else: return False; the same for an assignment."""
    for node in tree.nodes(ast.Return, ast.Assign):
        span, indent = tree.block_span([node]), tree.indent(node)
        if not span or node.value is None or not is_boolean(node.value) or enclosing_function(tree, node) is None:
            continue
        head = "return" if isinstance(node, ast.Return) else f"{tree.code(node.targets[0])} ="
        if isinstance(node, ast.Assign) and (len(node.targets) > 1 or not isinstance(node.targets[0], ast.Name)):
            continue
        test = tree.code(node.value)
        test = f"({test})" if "\n" in test else test
        rows = f"{indent}if {test}:\n{indent}{STEP}{head} True\n{indent}else:\n{indent}{STEP}{head} False\n"
        yield (Edit(*span, rows),)


def _needless_temporaries(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """return value  ->  temp = value; result = temp; return result."""
    for function in tree.functions():
        for node in own_returns(function):
            span, indent = tree.block_span([node]), tree.indent(node)
            if not span or node.value is None or isinstance(node.value, ast.Constant):
                continue
            first = fresh(tree, rng.sample(("temp", "value", "res", "intermediate"), 4))
            second = fresh(tree, [name for name in ("result", "final", "ret", "to_return") if name != first])
            code = _closed(tree, node.value)
            if isinstance(node.value, ast.Name):
                rows = f"{indent}{second} = {code}\n{indent}return {second}\n"
            else:
                rows = f"{indent}{first} = {code}\n{indent}{second} = {first}\n{indent}return {second}\n"
            yield (Edit(*span, rows),)


def _closed(tree: Tree, value: ast.expr) -> str:
    """Code of a value, in parentheses where it runs over several rows outside brackets of its own."""
    code = tree.code(value)
    return (
        f"({code})"
        if "\n" in code and not isinstance(value, ast.List | ast.Dict | ast.Set | ast.Call | ast.ListComp)
        else code
    )


def _unreachable_code(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A statement behind a final return, or a branch whose condition never holds."""
    for function in tree.functions():
        names = [argument.arg for argument in function.args.args if argument.arg not in ("self", "cls")]
        for block in blocks(function):
            last = block[-1]
            span = tree.block_span([last])
            if span and isinstance(last, ast.Return | ast.Raise):
                indent = tree.indent(last)
                for code in _after_return(names):
                    yield (Edit(span[1], span[1], f"{indent}{code}\n"),)
        yield from _never_taken(tree, function)


def _after_return(names: list[str]) -> list[str]:
    return ["return None", f"print({', '.join(names)})" if names else "print()"]


def _never_taken(tree: Tree, function: FunctionNode) -> Iterator[Site]:
    body = code_body(function)
    rows = tree.rows(body[0]) if body else None
    names = ", ".join(argument.arg for argument in function.args.args if argument.arg not in ("self", "cls"))
    if rows:
        indent, start = tree.indent(body[0]), tree.row_span(rows[0], rows[0])[0]
        switch = fresh(tree, ("debug", "verbose", "trace"))
        shown = f'"{function.name}"' + (f", {names}" if names else "")
        yield (Edit(start, start, f"{indent}{switch} = False\n{indent}if {switch}:\n{indent}{STEP}print({shown})\n"),)


def _joined_statements(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Two simple statements on one row; or a branch on the row of its if."""
    for function in tree.functions():
        for block in [code_body(function), *blocks(function)]:
            for first, second in zip(block, block[1:], strict=False):
                if _is_short(tree, first) and _is_short(tree, second) and first is not docstring(function):
                    yield _on_one_row(tree, first, second)
    for node in tree.nodes(ast.If):
        body = node.body[0]
        if len(node.body) == 1 and not node.orelse and tree.rows(node) and tree.rows(body) and _is_short(tree, body):
            start = tree.span(body)[0]
            head = len(tree.text[:start].rstrip())
            if tree.text[head - 1] == ":" and tree.code(node.test).count("\n") == 0:
                yield (Edit(head, start, " "),)


def _is_short(tree: Tree, statement: ast.stmt) -> bool:
    simple = isinstance(
        statement, ast.Assign | ast.AugAssign | ast.Expr | ast.Return | ast.Raise | ast.Continue | ast.Break
    )
    return (
        simple
        and tree.rows(statement) is not None
        and "\n" not in tree.code(statement)
        and len(tree.code(statement)) < 60
    )


def _on_one_row(tree: Tree, first: ast.stmt, second: ast.stmt) -> Site:
    end, start = tree.span(first)[1], tree.span(second)[0]
    return (Edit(end, start, "; "),) if not tree.text[end:start].strip() else ()


def _magic_numbers(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """A named constant of the module or a function replaced by its bare value everywhere; ord('a') -> 97."""
    for statement in tree.module.body:
        yield from _inlined_constant(tree, statement, tree.module)
    for function in tree.functions():
        for statement in code_body(function):
            yield from _inlined_constant(tree, statement, function)
    for node in tree.nodes(ast.Call):
        argument = node.args[0] if len(node.args) == 1 else None
        is_ord = isinstance(node.func, ast.Name) and node.func.id == "ord"
        if (
            is_ord
            and isinstance(argument, ast.Constant)
            and isinstance(argument.value, str)
            and len(argument.value) == 1
        ):
            yield (tree.replace(node, str(ord(argument.value))),)


def _inlined_constant(tree: Tree, statement: ast.stmt, scope: ast.AST) -> Iterator[Site]:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    value, span = getattr(statement, "value", None), tree.block_span([statement])
    if (
        not isinstance(statement, ast.Assign | ast.AnnAssign)
        or not isinstance(target, ast.Name)
        or value is None
        or not span
    ):
        return
    uses = [
        node for node in ast.walk(scope) if isinstance(node, ast.Name) and node.id == target.id and node is not target
    ]
    reachable = set(tree.nodes(ast.Name, within=scope))
    stored = any(not isinstance(node.ctx, ast.Load) for node in uses) or any(node not in reachable for node in uses)
    if not uses or stored or target.id in tree.protected or not _is_plain_value(value):
        return
    if any(argument.arg == target.id for argument in ast.walk(tree.module) if isinstance(argument, ast.arg)):
        return
    number = len(tree.text[span[1] :]) - len(tree.text[span[1] :].lstrip("\n"))
    lone = scope is tree.module and (span[0] == 0 or tree.text[: span[0]].endswith("\n\n"))
    yield (
        Edit(span[0], span[1] + (number if lone else 0), ""),
        *(tree.replace(node, tree.code(value)) for node in uses),
    )


def _is_plain_value(value: ast.expr) -> bool:
    inner = value.operand if isinstance(value, ast.UnaryOp) else value
    return simple_kind(inner) in {"int", "float", "str"} and isinstance(inner, ast.Constant)


def _is_elif(tree: Tree, statement: ast.stmt) -> bool:
    return tree.code(statement).startswith("elif")


def _redundant_else(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """if c: A  ->  if c: A else: pass."""
    for node in tree.nodes(ast.If):
        span = tree.block_span([node])
        if span and not node.orelse and tree.rows(node.body[0]):
            indent = tree.lines[node.lineno - 1][: node.col_offset]
            yield (Edit(span[1], span[1], f"{indent}else:\n{indent}{STEP}pass\n"),)


REWRITES: Mapping[str, Rewrite] = {
    "unused-variable": rewrite(_unused_variables),
    "unused-import": rewrite(_unused_imports),
    "redundant-comparison": rewrite(_redundant_comparisons),
    "redundant-conditional": rewrite(_redundant_conditionals),
    "needless-temporary": rewrite(_needless_temporaries),
    "unreachable-code": rewrite(_unreachable_code),
    "statements-on-one-row": rewrite(_joined_statements),
    "magic-number": rewrite(_magic_numbers),
    "empty-else": rewrite(_redundant_else),
}
