"""Facts about Python expressions that rewrites need: kind of value, effects, negation, where one may be hoisted to."""

from __future__ import annotations

import ast
import re

from perturbation.rules.mechanical.python.tree import COMPREHENSIONS, FunctionNode, Tree, own_nodes

OPPOSITE: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
CALL_KINDS = {
    "len": "int", "int": "int", "ord": "int", "str": "str", "repr": "str", "chr": "str", "bin": "str", "hex": "str",
    "sorted": "list", "list": "list", "set": "set", "dict": "dict", "tuple": "tuple", "float": "float",
    "bool": "bool", "any": "bool", "all": "bool", "isinstance": "bool", "issubclass": "bool", "callable": "bool",
    "hasattr": "bool", "Counter": "dict", "defaultdict": "dict", "deque": "deque", "range": "range",
    "enumerate": "iterator", "zip": "iterator", "map": "iterator", "filter": "iterator", "reversed": "iterator",
}  # fmt: skip
METHOD_KINDS = {
    "split": "list", "splitlines": "list", "readlines": "list",
    "join": "str", "lower": "str", "upper": "str", "strip": "str", "lstrip": "str", "rstrip": "str", "replace": "str",
    "swapcase": "str", "title": "str", "capitalize": "str", "format": "str", "zfill": "str",
    "startswith": "bool", "endswith": "bool", "isdigit": "bool", "isalpha": "bool", "isupper": "bool",
    "islower": "bool", "isspace": "bool", "isalnum": "bool", "isnumeric": "bool", "issubset": "bool",
    "find": "int", "rfind": "int", "bit_length": "int", "total_seconds": "float",
}  # fmt: skip
EFFECT_METHODS = frozenset(
    {
        "append", "extend", "insert", "pop", "popleft", "appendleft", "remove", "clear", "add", "discard", "update",
        "setdefault", "popitem", "sort", "reverse", "write", "read", "readline", "send", "close", "seek", "shuffle",
    }
)  # fmt: skip
EFFECT_CALLS = frozenset({"next", "input", "print", "open", "setattr", "delattr", "heappush", "heappop", "heapify"})


def negated(tree: Tree, test: ast.expr) -> str:
    """Source text of the opposite condition, as a person would write it."""
    code = tree.code(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return tree.code(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return f"{tree.code(test.left)} {OPPOSITE[type(test.ops[0])]} {tree.code(test.comparators[0])}"
    if isinstance(test, ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.Constant):
        return f"not {code}"
    return f"not ({code})"


def has_plain_negation(test: ast.expr) -> bool:
    """Whether the opposite condition reads as well as the condition itself."""
    if isinstance(test, ast.Compare):
        return len(test.ops) == 1 and isinstance(test.ops[0], tuple(OPPOSITE))
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def is_boolean(expression: ast.expr) -> bool:
    """Whether the value is known to be True or False, whatever the arguments (of ordinary types) are."""
    if isinstance(expression, ast.Compare):
        return True
    if isinstance(expression, ast.BoolOp):
        return all(is_boolean(value) for value in expression.values)
    return simple_kind(expression) == "bool"


def simple_kind(expression: ast.AST | None) -> str | None:
    """Kind of value seen from the expression alone: int, float, str, bool, list, dict, set, tuple... or None."""
    if isinstance(expression, ast.Constant):
        return "none" if expression.value is None else type(expression.value).__name__
    if isinstance(expression, ast.UnaryOp):
        return "bool" if isinstance(expression.op, ast.Not) else simple_kind(expression.operand)
    if isinstance(expression, ast.Call):
        return _call_kind(expression)
    if isinstance(expression, ast.BinOp):
        return _operation_kind(expression)
    literal = {
        ast.List: "list", ast.ListComp: "list", ast.Tuple: "tuple", ast.Dict: "dict", ast.DictComp: "dict",
        ast.Set: "set", ast.SetComp: "set", ast.GeneratorExp: "iterator", ast.JoinedStr: "str", ast.Compare: "bool",
    }  # fmt: skip
    return literal.get(type(expression))


def annotation_kind(annotation: ast.expr | None) -> str | None:
    """Kind of value that an annotation names, such as list for List[int] or list[int]."""
    if annotation is None:
        return None
    head = re.match(r"\w+", ast.unparse(annotation).removeprefix("typing.").lower())
    known = {"int", "float", "str", "bool", "list", "dict", "set", "tuple", "none"}
    return head.group() if head and head.group() in known else None


def kind(expression: ast.AST | None, function: FunctionNode | None) -> str | None:
    """Kind of value of an expression in a function; names by annotation, or by what is assigned to them."""
    if isinstance(expression, ast.Name) and function is not None:
        return _name_kind(expression.id, function)
    if isinstance(expression, ast.BinOp) and function is not None:
        left, right = kind(expression.left, function), kind(expression.right, function)
        if left == right and left in {"int", "str", "list"} and not isinstance(expression.op, ast.Div):
            return left
    return simple_kind(expression)


def has_effects(node: ast.AST) -> bool:
    """Whether evaluating may change something or depends on how often it is done."""
    for child in ast.walk(node):
        if isinstance(child, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
            return True
        if isinstance(child, ast.Call):
            function = child.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if name in EFFECT_METHODS or name in EFFECT_CALLS:
                return True
    return False


def names_in(node: ast.AST) -> set[str]:
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


def hoist_target(tree: Tree, expression: ast.expr) -> ast.stmt | None:
    """The statement before which this expression may be computed without a change of meaning, or None.

    None where it stands behind a short circuit, in a lambda, in an element of a comprehension, in a loop's test,
    in an elif, or in a statement with other effects.
    """
    child: ast.AST = expression
    for node in tree.ancestors(expression):
        if isinstance(node, ast.stmt):
            return node if _evaluates_first(tree, node, child) and not _others_have_effects(node) else None
        if not _evaluates_always(node, child):
            return None
        child = node
    return None


def _evaluates_first(tree: Tree, statement: ast.stmt, child: ast.AST) -> bool:
    if tree.rows(statement) is None:
        return False
    if isinstance(statement, ast.If):
        parent = tree.parent(statement)
        is_elif = isinstance(parent, ast.If) and statement in parent.orelse and not _starts_with_if(tree, statement)
        return child is statement.test and not is_elif
    if isinstance(statement, ast.For):
        return child is statement.iter
    return isinstance(statement, ast.Return | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr)


def _starts_with_if(tree: Tree, statement: ast.stmt) -> bool:
    return tree.code(statement).startswith("if")


def _others_have_effects(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        return has_effects(statement.test)
    if isinstance(statement, ast.For):
        return has_effects(statement.iter)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value  # the effect of the statement itself comes last
        return any(has_effects(part) for part in [*call.args, *(item.value for item in call.keywords)])
    return has_effects(statement)


def _evaluates_always(node: ast.AST, child: ast.AST) -> bool:
    if isinstance(node, ast.BoolOp):
        return child is node.values[0]
    if isinstance(node, ast.IfExp):
        return child is node.test
    if isinstance(node, ast.comprehension):
        return child is node.iter
    if isinstance(node, COMPREHENSIONS):
        return bool(node.generators) and child is node.generators[0]
    if isinstance(node, ast.Compare):
        return child is node.left or child is node.comparators[0]
    allowed = (
        ast.Call,
        ast.BinOp,
        ast.UnaryOp,
        ast.Subscript,
        ast.Attribute,
        ast.Tuple,
        ast.List,
        ast.keyword,
        ast.Starred,
    )
    return isinstance(node, (*allowed, ast.Slice, ast.Dict))


def _call_kind(call: ast.Call) -> str | None:
    if isinstance(call.func, ast.Name):
        return CALL_KINDS.get(call.func.id)
    return METHOD_KINDS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None


def _operation_kind(operation: ast.BinOp) -> str | None:
    left, right = simple_kind(operation.left), simple_kind(operation.right)
    if isinstance(operation.op, ast.Div):
        return "float"
    if isinstance(operation.op, ast.Mod) and left == "str":
        return "str"
    if left == right:
        return left
    return "float" if "float" in (left, right) and not isinstance(operation.op, ast.Mult) else None


def _name_kind(name: str, function: FunctionNode) -> str | None:
    arguments = function.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        if argument.arg == name:
            return annotation_kind(argument.annotation)
    kinds: set[str | None] = set()
    for node in own_nodes(function):
        if isinstance(node, ast.Assign) and any(
            isinstance(item, ast.Name) and item.id == name for item in node.targets
        ):
            kinds.add(simple_kind(node.value))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            kinds.add(annotation_kind(node.annotation))
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and isinstance(node.target, ast.Name):
            kinds.add("float" if node.target.id == name else None) if node.target.id == name else None
        elif isinstance(node, ast.For | ast.comprehension) and name in names_in(node.target):
            kinds.add(_loop_kind(node.iter, function) if isinstance(node.target, ast.Name) else None)
    return kinds.pop() if len(kinds) == 1 else None


def _loop_kind(iterable: ast.expr, function: FunctionNode) -> str | None:
    """Kind of the elements of a range, a text, or a parameter whose annotation names them (list[int])."""
    if isinstance(iterable, ast.Call):
        return "int" if getattr(iterable.func, "id", "") == "range" else None
    for argument in function.args.args:
        if isinstance(iterable, ast.Name) and argument.arg == iterable.id and argument.annotation is not None:
            inner = argument.annotation.slice if isinstance(argument.annotation, ast.Subscript) else None
            return "str" if annotation_kind(argument.annotation) == "str" else annotation_kind(inner)
    return None
