"""What a program says about types: of variables by their declaration, of functions, and whether a value is a number.

By syntax alone: an empty text where nothing is said, or where one name has two types in a function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.syntax.conditions import operator
from perturbation.rules.mechanical.syntax.scopes import names_in
from perturbation.rules.mechanical.syntax.tree import Node, Tree

Types = Mapping[str, str]
NUMBER = re.compile(
    r"(unsigned |signed )?(long long|long int|long|int|short|char|float|double|size_t|byte|number|Integer|Double|Long"
    r"|Float|u?int(8|16|32|64)(_t)?|rune|float32|float64|[iuf](8|16|32|64|128)|[iu]size)"
)
REAL = re.compile(r"(long )?(float|double|float32|float64|f32|f64|Double|Float)")
TEXT = re.compile(r"(std::)?string|String|&(mut )?(str|String)|&'\w+ str|text")
LISTS = re.compile(
    r"(?:std::)?vector<(?P<cpp>.+)>|(?:java\.util\.)?(?:Array|Linked)?List<(?P<java>.+)>|\[\](?P<go>.+)"
    r"|&?(?:mut )?Vec<(?P<rust>.+)>|&(?:mut )?\[(?P<slice>.+)\]|(?P<array>.+)\[\]"
)
LITERALS = {
    "integer_literal": "int", "int_literal": "int", "decimal_integer_literal": "int", "float_literal": "double",
    "decimal_floating_point_literal": "double", "string_literal": "text", "interpreted_string_literal": "text",
    "string": "text", "template_string": "text", "true": "bool", "false": "bool", "boolean_literal": "bool",
    "rune_literal": "rune", "char_literal": "char", "character_literal": "char", "number": "number",
    "array": "any[]", "raw_string_literal": "text",
}  # fmt: skip
COUNTING = re.compile(r"(.*\.)?(len|size|length|count|indexOf|charCodeAt)")
MATHEMATICS = re.compile(r"(.*\.)?(abs|Abs|floor|ceil|round|sqrt|pow|Sqrt|Pow)")
PARAMETERS = ("parameter_declaration", "formal_parameter", "parameter", "optional_parameter_declaration")


def types_in(tree: Tree, function: Node) -> dict[str, str]:
    """The type of every variable that a function declares, as written but for const, & and spaces."""
    found: dict[str, str] = {}
    for node in function.walk():
        for name, written in _declared(tree, node, found):
            plain = _plain(written)
            found[name] = plain if found.get(name, plain) == plain else ""
    return found


def _plain(written: str) -> str:
    written = re.sub(r"\b(const|final|mut)\b", "", written).strip().rstrip("&").strip()
    return re.sub(r"\s*([<>,])\s*", r"\1", written)


def _declared(tree: Tree, node: Node, known: Types) -> Iterator[tuple[str, str]]:
    """Pairs of a name and its type that this node itself declares."""
    if node.kind in ("short_var_declaration", "range_clause"):
        yield from _declared_in_go(tree, node, known)
        return
    kinds = {kind for kind, _ in tree.dialect.declared} | {"local_variable_declaration"}
    if node.kind not in kinds or node.kind in ("const_spec", "formal_parameters", "for_in_statement"):
        return
    written = node.field("type")
    if written is None and node.kind == "variable_declarator" and node.parent is not None:
        written = node.parent.field("type")
    value = node.field("value")
    for part in node.children:
        names = names_in(part)
        if part is written or part is value or not names:
            continue
        inner = value or part.field("value")
        text = written.text if written is not None else ""
        if text in ("", "auto", "var"):
            text = type_of(tree, inner, known) if inner is not None else ""
        bounds = "[]" if "array_declarator" in {item.kind for item in part.walk()} else ""
        yield from ((name.text, text + bounds if text else "") for name in names[:1])
        if tree.dialect.id == "go":
            yield from ((name.text, text) for name in names[1:])


def _declared_in_go(tree: Tree, node: Node, known: Types) -> Iterator[tuple[str, str]]:
    left, right = node.field("left"), node.field("right")
    if left is None or right is None:
        return
    if node.kind == "range_clause":
        over = type_of(tree, right, known)
        place = "int" if over and not over.startswith("map") else ""
        inner = "rune" if TEXT.fullmatch(over) else element_of(over)
        yield from ((name.text, kind) for name, kind in zip(left.named, (place, inner), strict=False))
    elif len(left.named) == len(right.named):
        for name, value in zip(left.named, right.named, strict=True):
            yield name.text, type_of(tree, value, known)


def element_of(written: str) -> str:
    """The type of the values in a list, vector, slice or array type; empty for other types."""
    match = LISTS.fullmatch(written)
    return next((found for found in match.groups() if found), "") if match else ""


def type_of(tree: Tree, node: Node, known: Types) -> str:
    """The type of an expression, as far as its form tells: literals, variables, elements, conversions, arithmetic."""
    while node.kind in ("expression_list", tree.dialect.parenthesized) and len(node.named) == 1:
        node = node.named[0]
    found = LITERALS.get(node.kind, "")
    if node.kind == "identifier":
        found = known.get(node.text, "")
    elif node.kind == "number_literal":
        found = "double" if re.search(r"[.eE]", node.text) and not node.text.startswith("0x") else "int"
    elif node.kind in ("composite_literal", "cast_expression", "type_cast_expression"):
        written = node.field("type")
        found = _plain(written.text) if written is not None else ""
    elif node.kind in ("index_expression", "subscript_expression", "array_access"):
        found = _indexed(tree, node, known)
    elif node.kind == "member_expression":
        found = "number" if node.text.endswith(".length") else ""
    elif node.kind in tree.dialect.calls:
        found = _called(tree, node, known)
    elif node.kind in (tree.dialect.binary, tree.dialect.unary):
        found = _computed(tree, node, known)
    return found


def _indexed(tree: Tree, node: Node, known: Types) -> str:
    over = type_of(tree, node.named[0], known)
    if node.named[-1].kind == "range_expression":
        return ""
    if TEXT.fullmatch(over):
        return {"cpp": "char", "go": "byte", "javascript": "text"}.get(tree.dialect.id, "")
    return element_of(over)


def _called(tree: Tree, node: Node, known: Types) -> str:
    """Lengths and mathematics give numbers; make and conversions give the type that they name."""
    named, arguments = node.field("function") or node.field("name"), node.field("arguments")
    if named is None or arguments is None:
        return ""
    if tree.dialect.id == "go" and named.text == "make" and arguments.named:
        return arguments.named[0].text
    if NUMBER.fullmatch(named.text) or named.text == "string":
        return named.text
    if COUNTING.fullmatch(named.text):
        return {"rust": "usize", "javascript": "number"}.get(tree.dialect.id, "int")
    if not MATHEMATICS.fullmatch(named.text):
        return ""
    return type_of(tree, arguments.named[0], known) if arguments.named and tree.dialect.id != "go" else "double"


def _computed(tree: Tree, node: Node, known: Types) -> str:
    sign = operator(node)
    if sign in ("&&", "||", "!", "and", "or", "not", "==", "!=", "<", ">", "<=", ">=", "===", "!=="):
        return "bool" if tree.dialect.id != "javascript" or sign not in ("&&", "||") else ""
    sides = [type_of(tree, side, known) for side in node.named]
    if sign == "+" and any(TEXT.fullmatch(side) for side in sides):
        return "text"
    reals = [side for side in sides if REAL.fullmatch(side)]
    numbers = [side for side in sides if NUMBER.fullmatch(side)]
    return next(iter(reals or numbers), "")


def is_number(tree: Tree, node: Node, known: Types) -> bool:
    """Whether an expression is known to be a number (characters that count as numbers included)."""
    found = type_of(tree, node, known)
    return NUMBER.fullmatch(found) is not None and not (found == "char" and tree.dialect.id == "rust")


def is_text(tree: Tree, node: Node, known: Types) -> bool:
    return TEXT.fullmatch(type_of(tree, node, known)) is not None


def result_type(tree: Tree, function: Node) -> str:
    """The type that a function returns, as written; empty for none, for several (Go) and in JavaScript."""
    field = {"go": "result", "rust": "return_type"}.get(tree.dialect.id, "type")
    found = function.field(field)
    if found is None or found.kind == "parameter_list" or found.text in ("void", "()", "auto", "var"):
        return ""
    return _plain(found.text)


def parameters(tree: Tree, function: Node) -> list[tuple[str, str]]:
    """Names and types of a function's parameters in their order; without types in JavaScript."""
    held = function.field("parameters") or next(iter(function.find("parameter_list", "formal_parameters")), None)
    if held is None or not held.named:
        single = function.field("parameter")
        return [(single.text, "")] if single is not None else []
    if tree.dialect.id == "javascript":
        return [(item.text, "") for item in held.named if item.kind == "identifier"]
    known = types_in(tree, held)
    return [
        (name.text, known.get(name.text, ""))
        for item in held.named
        if item.kind in PARAMETERS
        for part in item.children
        if part is not item.field("type")
        for name in names_in(part)
    ]


def trivial(tree: Tree, written: str) -> str | None:
    """A value of a type that anybody can write without thought; None where the type is not known."""
    language = tree.dialect.id
    if language == "javascript" or not written:
        return None
    if REAL.fullmatch(written):
        return "0.0"
    if NUMBER.fullmatch(written):
        return "'a'" if written == "char" else "0"
    if written in ("bool", "boolean", "Boolean"):
        return "false"
    if TEXT.fullmatch(written):
        return "String::new()" if written == "String" and language == "rust" else '""'
    return _empty(language, written)


def _empty(language: str, written: str) -> str | None:
    if language == "cpp" and re.match(r"(std::)?(vector|map|set|pair)<", written):
        return "{}"
    if language == "go" and written.startswith(("[]", "map[")):
        return f"{written}{{}}"
    if language == "rust" and re.match(r"(Vec|HashMap|HashSet)<", written):
        return written.split("<")[0] + "::new()"
    if language == "rust" and written.startswith("Option<"):
        return "None"
    if language == "java" and written.startswith("List<"):
        return "new ArrayList<>()"
    return "null" if language == "java" and written[:1].isupper() else None
