"""A call of a function or method that does not exist, or belongs to another language (ceiling 2)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.syntax.edits import Site
from perturbation.rules.mechanical.syntax.tree import Node, Tree

METHODS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "cpp": {
        "push_back": ("add", "push"), "size": ("length_of", "count"), "length": ("len",), "substr": ("substring",),
        "begin": ("first",), "end": ("last",), "pop_back": ("remove_last",), "empty": ("is_empty",),
        "find": ("index_of",), "insert": ("insert_at",), "erase": ("remove_at",), "back": ("last",),
    },
    "go": {
        "ToLower": ("Lower", "ToLowerCase"), "ToUpper": ("Upper", "ToUpperCase"), "Split": ("SplitBy", "Tokenize"),
        "Join": ("JoinAll", "Concat"), "Contains": ("Includes",), "Itoa": ("ToString", "IntToString"),
        "Atoi": ("ToInt", "ParseInteger"), "Abs": ("Absolute",), "Sqrt": ("SquareRoot",), "Ints": ("SortInts",),
        "Strings": ("SortStrings",), "Slice": ("SortBy",), "Fields": ("Words",), "Replace": ("Substitute",),
        "TrimSpace": ("Strip",), "Pow": ("Power",), "Max": ("Maximum",), "Min": ("Minimum",), "Count": ("CountOf",),
        "HasPrefix": ("StartsWith",), "HasSuffix": ("EndsWith",), "Sprintf": ("Format",), "Floor": ("RoundDown",),
        "Repeat": ("Times",), "IsUpper": ("IsUpperCase",), "IsLower": ("IsLowerCase",), "Float64s": ("SortFloats",),
    },
    "java": {
        "size": ("length", "count"), "length": ("len", "size"), "charAt": ("at", "getChar"), "add": ("push", "append"),
        "get": ("at", "elementAt"), "toCharArray": ("toChars",), "substring": ("slice", "substr"),
        "toLowerCase": ("lower", "toLower"), "toUpperCase": ("upper", "toUpper"), "split": ("splitBy", "tokenize"),
        "contains": ("includes", "has"), "equals": ("isEqual",), "sort": ("order", "sorted"), "abs": ("absolute",),
        "sqrt": ("squareRoot",), "parseInt": ("toInt",), "valueOf": ("fromValue",), "append": ("push", "addLast"),
        "put": ("set",), "isEmpty": ("empty",), "toString": ("asString",), "pow": ("power",), "max": ("maximum",),
        "min": ("minimum",), "join": ("concatAll",), "containsKey": ("hasKey",),
    },
    "javascript": {
        "push": ("append", "add"), "toLowerCase": ("lower", "toLower"), "toUpperCase": ("upper", "toUpper"),
        "split": ("splitBy", "tokenize"), "includes": ("contains",), "map": ("collect",), "filter": ("where",),
        "join": ("implode",), "floor": ("roundDown",), "slice": ("sliceFrom",), "charCodeAt": ("codeAt",),
        "indexOf": ("findPosition",), "sort": ("orderBy", "sorted"), "abs": ("absolute",), "sqrt": ("squareRoot",),
        "substring": ("subString",), "reduce": ("aggregate",), "max": ("maximum",), "min": ("minimum",),
        "reverse": ("reversed",), "isInteger": ("isInt",), "toString": ("asString",), "parseInt": ("toInt",),
        "has": ("contains",), "trim": ("strip",), "replace": ("substitute",), "pow": ("power",),
        "charAt": ("characterAt",), "add": ("insert",), "match": ("matches",), "from": ("fromValues",),
    },
    "rust": {
        "push": ("add", "push_back"), "len": ("length", "size"), "to_string": ("as_string", "stringify"),
        "chars": ("characters",), "iter": ("iterate",), "contains": ("includes",), "unwrap": ("get_value",),
        "collect": ("to_list",), "push_str": ("append_str",), "abs": ("absolute",), "to_lowercase": ("lower",),
        "to_uppercase": ("upper",), "is_empty": ("empty",), "sort": ("order", "sort_ascending"), "nth": ("at",),
        "clone": ("copy",), "split": ("split_by",), "reverse": ("reversed",), "insert": ("put",), "pow": ("power",),
        "enumerate": ("with_index",), "into_iter": ("to_iter",), "to_owned": ("owned",), "trim": ("strip",),
        "starts_with": ("begins_with",), "min": ("minimum",), "max": ("maximum",), "count": ("count_all",),
        "filter": ("select",), "sqrt": ("square_root",), "to_vec": ("to_list",), "get": ("fetch",),
        "is_alphabetic": ("is_letter",),
    },
}  # fmt: skip
FUNCTIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "cpp": {
        "to_string": ("int_to_string",), "abs": ("absolute",), "sort": ("sort_by",), "max": ("maximum",),
        "min": ("minimum",), "find": ("index_of",), "pow": ("power",), "sqrt": ("square_root",),
        "reverse": ("reversed",), "round": ("round_half",), "floor": ("round_down",), "atoi": ("to_int",),
        "tolower": ("to_lower",), "toupper": ("to_upper",),
    },
    "go": {"len": ("length", "size"), "append": ("push", "appendTo")},
    "java": {},
    "javascript": {"parseInt": ("toInt",), "isNaN": ("notANumber",), "parseFloat": ("toFloat",)},
    "rust": {"max": ("maximum",), "min": ("minimum",)},
}  # fmt: skip


def _invented_calls(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for call in tree.find(*tree.dialect.calls):
        name = _called(call)
        if name is None:
            continue
        is_method = name.parent is not call or call.field("object") is not None
        table = (METHODS if is_method else FUNCTIONS)[tree.dialect.id]
        for wish in table.get(name.text, ()):
            if wish not in tree.words | tree.protected:
                yield (name.replaced(wish),)


def _called(call: Node) -> Node | None:
    """The node of the name that a call names last: f of f(x), m of a.b.m(x)."""
    node = call.field("name") or call.field("function")
    if node is not None and node.kind in ("generic_function", "template_function"):
        node = node.field("function") or node.field("name")
    if node is not None and node.kind in ("field_expression", "selector_expression", "member_expression"):
        node = node.field("field") or node.field("property")
    return node


REWRITES: Mapping[str, BraceRule] = {"hallucinated-api": BraceRule(_invented_calls)}
