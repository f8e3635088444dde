"""Rewrites of expressions and simple statements that read as well as before (ceiling 5)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.writing import end, result_of
from perturbation.rules.mechanical.syntax.conditions import is_boolean, negated, operands, operator
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import indent, insert_before, span, stands_alone
from perturbation.rules.mechanical.syntax.scopes import assigned, declared, has_effects, occurrences, used
from perturbation.rules.mechanical.syntax.tree import Node, Tree

ARITHMETIC = ("+", "-", "*", "/", "%")
PURE_CALLS = re.compile(
    r"^(?:len|make|new \w[\w<>, ]*|[\w.]+\.(?:size|length|len|is_empty|isEmpty)|(?:Vec|String|HashMap|HashSet)::new)\("
)
OPERATIONS = re.compile("binary|unary|ternary|conditional|cast|reference|assignment|range|closure|lambda|arrow|if_")
ARGUMENT_NAMES = ("argument", "operand", "computed", "given")


def _equivalent(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in tree.root.walk():
        if node.kind in tree.dialect.updates:
            yield from _counted(tree, node)
        elif node.kind in tree.dialect.assignments:
            yield from _compound(tree, node)
        elif node.kind == tree.dialect.binary:
            yield from _empty(tree, node)
            yield from _de_morgan(tree, node)


def _counted(tree: Tree, node: Node) -> Iterator[Site]:
    """i++ -> i += 1, where the value is not used."""
    parent = node.parent
    sign = operator(node)
    if parent is None or sign not in ("++", "--") or len(node.named) != 1:
        return
    is_update = node.is_field("update") or node.is_field("increment")
    if parent.kind in (tree.dialect.statement, "statement_list", "block") or is_update:
        yield (node.replaced(f"{node.named[0].text} {sign[0]}= 1"),)


def _compound(tree: Tree, node: Node) -> Iterator[Site]:
    """x = x + y <-> x += y, and x += 1 -> x++."""
    left, right = node.field("left"), node.field("right")
    sign = operator(node)
    if left is None or right is None or "," in left.text or has_effects(tree, left):
        return
    right = right.named[0] if right.kind == "expression_list" and len(right.named) == 1 else right
    sides = operands(tree, right)
    if sign == "=" and sides and operator(right) in ARITHMETIC and sides[0].text == left.text:
        tail = sides[1].text
        if not (operands(tree, sides[1]) and operator(right) not in ("+",)):
            yield (node.replaced(f"{left.text} {operator(right)}= {tail}"),)
    elif sign in ("+=", "-=", "*=") and not sides and right.kind not in ("string", tree.dialect.ternary):
        if right.text == "1" and tree.dialect.updates and sign != "*=":
            yield (node.replaced(f"{left.text}{sign[0]}{sign[0]}"),)
        yield (node.replaced(f"{left.text} = {left.text} {sign[0]} {right.text}"),)


def _empty(tree: Tree, node: Node) -> Iterator[Site]:
    """x.size() == 0 -> x.empty(), as each language writes it."""
    asked = re.fullmatch(r"([\w.\[\]]+)\.(size\(\)|length\(\)|length|len\(\)) ?(===?|!==?|>) ?0", node.text)
    written = {"cpp": "{}.empty()", "java": "{}.isEmpty()", "rust": "{}.is_empty()"}.get(tree.dialect.id)
    if asked and written:
        is_negated = asked[3] in ("!=", "!==", ">")
        yield (node.replaced(("!" if is_negated else "") + written.format(asked[1])),)


def _de_morgan(tree: Tree, node: Node) -> Iterator[Site]:
    """a && b -> !(!a || !b), where both are comparisons and a negation stands around it or before both."""
    sides = operands(tree, node)
    sign = operator(node)
    if sides is None or sign not in ("&&", "||") or not all(is_boolean(tree, side) for side in sides):
        return
    around = node.parent
    other = "||" if sign == "&&" else "&&"
    if around is not None and around.kind == tree.dialect.parenthesized and around.parent is not None:
        outer = around.parent
        simple = all(operator(side) not in ("&&", "||") for side in sides)
        if outer.kind == tree.dialect.unary and operator(outer) == "!" and simple:
            yield (outer.replaced(f"({negated(tree, sides[0])} {other} {negated(tree, sides[1])})"),)


def _inline(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """T x = e; statement with x;  ->  statement with e, where x stands nowhere else."""
    for block in tree.blocks():
        statements = tree.statements(block)
        for first, second in zip(statements, statements[1:], strict=False):
            value, names = initial(tree, first), list(declared(tree, first))
            if value is None or len(names) != 1 or not stands_alone(tree, first) or not stands_alone(tree, second):
                continue
            function = next((node for node in first.ancestors() if node.kind in tree.dialect.functions), None)
            places = occurrences(tree, function, names[0]) if function is not None else None
            if places is None or len(places) != 2 or not _runs_at_once(tree, second, places[1]):
                continue
            is_alone = result_of(tree, second) is places[1]
            before = tree.text[second.start : places[1].start]
            is_inferred = tree.dialect.id == "rust" and re.search(r"collect|parse|into|sum", value.text)
            is_first = not re.search(r"[(&|?]{2}|\w\(", before) and not is_inferred
            if (is_alone or is_first) and _can_move(value):
                start, _ = span(tree, [second])
                text = value.text if is_alone or not OPERATIONS.search(value.kind) else f"({value.text})"
                yield (Edit(first.start, start, ""), places[1].replaced(text))


def _runs_at_once(tree: Tree, statement: Node, place: Node) -> bool:
    """Whether a statement is simple and uses what stands at a place when it begins, and only once."""
    kinds = tree.dialect.loops | tree.dialect.functions | {tree.dialect.if_kind}
    core = tree.core(statement)
    if core.kind == tree.dialect.if_kind:
        core = core.field("condition") or core
    inside = [node for node in place.ancestors() if core.start <= node.start and node.end <= core.end]
    simple = core.kind not in kinds | {"switch_statement", "match_expression", "try_statement"}
    return bool(inside) and simple and not any(node.kind in kinds for node in inside)


def _can_move(value: Node) -> bool:
    return "\n" not in value.text and value.kind not in ("array_initializer", "argument_list", "initializer_list")


def initial(tree: Tree, statement: Node) -> Node | None:
    """The value that a declaration of one name starts it with, else None."""
    if statement.kind not in tree.dialect.local:
        return None
    values = [
        node.field("value") for node in statement.walk() if node.kind in ("init_declarator", "variable_declarator")
    ]
    if tree.dialect.id == "rust":
        values = [statement.field("value")]
    if tree.dialect.id == "go":
        specs = statement.find("var_spec") or [statement]
        lists = [spec.field("value") or spec.field("right") for spec in specs if "," not in _left(spec)]
        values = [part.named[0] if part is not None and len(part.named) == 1 else None for part in lists]
    return values[0] if len(values) == 1 and len(declared(tree, statement)) == 1 else None


def _left(spec: Node) -> str:
    left = spec.field("left") or spec.field("name")
    return left.text if left is not None else ""


def _name_argument(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """f(long argument);  ->  the argument given a name first, where the call is returned or a statement."""
    name = tree.fresh(rng.sample(ARGUMENT_NAMES, len(ARGUMENT_NAMES)))
    for block in tree.blocks():
        for statement in tree.statements(block):
            value = result_of(tree, statement) or tree.core(statement)
            if name is None or value.kind not in tree.dialect.calls or not stands_alone(tree, statement):
                continue
            arguments = value.field("arguments")
            for argument in arguments.named if arguments is not None else ():
                if _is_worth_a_name(tree, argument):
                    row = tree.dialect.constant.format(n=name, v=argument.text).rstrip(";") + end(tree)
                    yield (insert_before(tree, statement, [row]), argument.replaced(name))


def _is_worth_a_name(tree: Tree, argument: Node) -> bool:
    """An operation or a call with arguments, of a type that is plain from it alone."""
    arguments = argument.field("arguments")
    is_call = argument.kind in tree.dialect.calls and arguments is not None and bool(arguments.named)
    unclear = re.search(r"collect|parse|into|<>|->|=>|\n|&|new\(", argument.text)
    return (argument.kind == tree.dialect.binary or is_call) and len(argument.text) >= 3 and not unclear


def _reorder(tree: Tree, rng: random.Random) -> Iterator[Site]:
    """Two neighbouring declarations or assignments, or two functions, that do not depend on each other."""
    for block in tree.blocks():
        statements = tree.statements(block)
        for first, second in zip(statements, statements[1:], strict=False):
            if stands_alone(tree, first) and stands_alone(tree, second) and _independent(tree, first, second):
                yield _exchanged(tree, first, second)
    functions = [node for node in tree.functions() if tree.function_of(node) is None]
    for first, second in zip(functions, functions[1:], strict=False):
        apart = tree.text[first.end : second.start]
        is_free = first.parent is second.parent and not apart.strip() and tree.name(first) not in used(tree, second)
        alone = stands_alone(tree, first) and stands_alone(tree, second)
        if is_free and alone and indent(tree, first) == indent(tree, second):
            yield (first.replaced(second.text), second.replaced(first.text))


def _exchanged(tree: Tree, first: Node, second: Node) -> Site:
    (start, middle), (after, stop) = span(tree, [first]), span(tree, [second])
    return (Edit(start, middle, tree.text[after:stop]), Edit(after, stop, tree.text[start:middle]))


def _independent(tree: Tree, first: Node, second: Node) -> bool:
    written = [assigned(tree, node) for node in (first, second)]
    names = [used(tree, node) for node in (first, second)]
    return (
        all(_is_plain(tree, node) for node in (first, second))
        and not written[0] & names[1]
        and not written[1] & names[0]
        and all(written)
    )


def _is_plain(tree: Tree, statement: Node) -> bool:
    """A declaration or an assignment whose value calls nothing but what surely has no effect."""
    core = tree.core(statement)
    kinds = tree.dialect.local | tree.dialect.assignments | tree.dialect.updates
    if core.kind not in kinds or "\n" in statement.text or "*" in statement.text[:1]:
        return False
    calls = tree.dialect.calls | tree.dialect.effects
    return all(PURE_CALLS.match(node.text) for node in core.walk() if node.kind in calls)


REWRITES: Mapping[str, BraceRule] = {
    "equivalent-expression": BraceRule(_equivalent),
    "inline-temporary": BraceRule(_inline),
    "name-an-argument": BraceRule(_name_argument),
    "reorder-independent-statements": BraceRule(_reorder),
}
