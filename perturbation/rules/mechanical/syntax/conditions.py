"""Conditions of if and while: reading them, and writing their opposite."""

from __future__ import annotations

from dataclasses import dataclass

from perturbation.rules.mechanical.syntax.tree import Node, Tree

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<", "===": "!==", "!==": "==="}
MIRROR = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<=", "===": "===", "!==": "!=="}
COMPARISONS = frozenset(OPPOSITE)


@dataclass(frozen=True, eq=False)
class If:
    """An if: `statement` is the whole statement around `node`, `other` what else runs (a block, an if) or None.

    `is_chained`: it is the else-if of another.
    """

    node: Node
    statement: Node
    condition: Node
    then: Node
    other: Node | None
    is_chained: bool


def ifs(tree: Tree, within: Node | None = None) -> list[If]:
    """Every if that is a statement and binds nothing in its condition, in source order."""
    found = [as_if(tree, node) for node in (within or tree.root).find(tree.dialect.if_kind)]
    return [item for item in found if item is not None]


def as_if(tree: Tree, statement: Node) -> If | None:
    """The parts of an if; None for other statements, and where the condition declares something."""
    node = tree.core(statement)
    condition, then = node.field("condition"), node.field("consequence")
    if node.kind != tree.dialect.if_kind or condition is None or then is None or node.field("initializer"):
        return None
    if any(_declares(part) for part in condition.walk()):
        return None
    other = node.field("alternative")
    if other is not None and other.kind == "else_clause":
        other = next((part for part in other.named if part.kind not in tree.dialect.comments), None)
    parent = node.parent
    around = parent if parent is not None and parent.kind == tree.dialect.statement else node
    is_chained = parent is not None and (parent.kind == "else_clause" or node.is_field("alternative"))
    return If(node, around, bare(tree, condition), then, other, is_chained)


def _declares(part: Node) -> bool:
    """Whether a part of a condition gives a name to a value: let, a declaration, instanceof with a name."""
    named = part.kind == "instanceof_expression" and part.field("name") is not None
    return named or "let_c" in part.kind or part.kind in ("declaration", "let_chain")


def leaves(tree: Tree, statement: Node) -> bool:
    """Whether a statement ends the turn, the loop or the function: return, throw, break or continue."""
    dialect = tree.dialect
    return tree.core(statement).kind in dialect.throws | {dialect.returns, dialect.continues, dialect.breaks}


def ends_by_leaving(tree: Tree, branch: Node | None) -> bool:
    """Whether the last statement of a branch leaves."""
    statements = tree.statements(branch)
    return bool(statements) and leaves(tree, statements[-1])


def bare(tree: Tree, condition: Node) -> Node:
    """A condition without the parentheses around it."""
    while condition.kind in ("condition_clause", tree.dialect.parenthesized) and len(condition.named) == 1:
        condition = condition.named[0]
    return condition


def operator(node: Node) -> str:
    """The operator of a binary, unary or assignment node; empty where it has none."""
    found = node.field("operator")
    if found is not None:
        return found.text
    tokens = [child.text for child in node.children if not child.is_named and child.text not in "()"]
    return tokens[0] if tokens else ""


def operands(tree: Tree, node: Node) -> tuple[Node, Node] | None:
    """Both sides of a binary expression, else None."""
    left, right = node.field("left"), node.field("right")
    return (left, right) if node.kind == tree.dialect.binary and left is not None and right is not None else None


def comparison(tree: Tree, node: Node) -> tuple[Node, str, Node] | None:
    """Left side, operator and right side of a comparison, else None."""
    sides = operands(tree, node)
    sign = operator(node)
    return (sides[0], sign, sides[1]) if sides and sign in COMPARISONS else None


def negated(tree: Tree, condition: Node) -> str:
    """The opposite of a condition as source text, without needless parentheses."""
    condition = bare(tree, condition)
    parts = comparison(tree, condition)
    if parts is not None:
        left, sign, right = parts
        between = tree.text[left.end : right.start].replace(sign, OPPOSITE[sign], 1)
        return f"{left.text}{between}{right.text}"
    if condition.kind == tree.dialect.unary and operator(condition) == "!":
        return bare(tree, condition.named[-1]).text
    if condition.text in ("true", "false"):
        return "false" if condition.text == "true" else "true"
    if is_simple(tree, condition):
        return f"!{condition.text}"
    return f"!({condition.text})"


def is_simple(tree: Tree, node: Node) -> bool:
    """Whether an operator can stand before an expression without parentheses."""
    return node.kind in ("identifier", "true", "false", tree.dialect.parenthesized, "boolean_literal") or node.kind in (
        tree.dialect.calls | frozenset({"index_expression", "subscript_expression", "member_expression"})
    )


def is_boolean(tree: Tree, node: Node) -> bool:
    """Whether an expression is a truth value by its form alone: a comparison, a joint condition, a negation."""
    node = bare(tree, node)
    if node.kind == tree.dialect.binary:
        sign, sides = operator(node), operands(tree, node)
        joint = sign in ("&&", "||")
        return sign in COMPARISONS or bool(joint and sides and all(is_boolean(tree, side) for side in sides))
    if node.kind == tree.dialect.unary:
        return operator(node) == "!" and (tree.dialect.id != "rust" or is_boolean(tree, node.named[-1]))
    return node.text in ("true", "false")
