"""A call of a function or method that does not exist, or belongs to another language (ceiling 2)."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping

from perturbation.rules.mechanical.python.tree import Edit, Site, Tree, rewrite
from perturbation.rules.source import Rewrite

METHODS: Mapping[str, tuple[str, ...]] = {
    "append": ("push", "add_last"), "extend": ("push_all", "add_all"), "lower": ("to_lower", "lowercase"),
    "upper": ("to_upper", "uppercase"), "split": ("split_by", "tokenize"), "strip": ("trim",), "rstrip": ("trim_end",),
    "lstrip": ("trim_start",), "startswith": ("starts_with",), "endswith": ("ends_with",), "replace": ("replace_all",),
    "find": ("index_of",), "isdigit": ("is_digit",), "isalpha": ("is_letter",), "isupper": ("is_upper",),
    "islower": ("is_lower",),
    "swapcase": ("swap_case", "invert_case"), "count": ("count_of",), "items": ("entries", "iteritems"),
    "keys": ("key_set", "iterkeys"),
    "values": ("value_list", "itervalues"), "get": ("get_or_default",), "add": ("put",),
    "pop": ("remove_last",), "sort": ("order_by",),
    "index": ("index_of",), "insert": ("insert_at",), "update": ("put_all",), "total_seconds": ("to_seconds",),
    "isalnum": ("is_alnum",),
    "setdefault": ("get_or_insert",), "most_common": ("most_frequent",), "popleft": ("pop_first",),
    "match": ("match_all",),
}  # fmt: skip
FUNCTIONS: Mapping[str, str] = {
    "len": "length", "sorted": "sort_by", "max": "maximum", "min": "minimum", "abs": "absolute",
    "reversed": "reverse", "set": "unique", "any": "some", "all": "every", "ord": "char_code", "chr": "from_code",
}  # fmt: skip
AS_METHOD: Mapping[str, str] = {
    "len": "length", "sum": "sum", "sorted": "sorted", "max": "max", "min": "min", "reversed": "reversed",
    "set": "to_set",
    "list": "to_list", "str": "to_string", "int": "to_int", "enumerate": "with_index", "abs": "abs", "round": "round",
}  # fmt: skip


def _invented_calls(tree: Tree, rng: random.Random) -> Iterator[Site]:
    for node in tree.nodes(ast.Call):
        function = node.func
        if isinstance(function, ast.Attribute):
            yield from _invented_method(tree, function)
            if function.attr == "join" and len(node.args) == 1 and isinstance(node.args[0], ast.Name | ast.ListComp):
                yield (tree.replace(node, f"{tree.code(node.args[0])}.join({tree.code(function.value)})"),)
        elif isinstance(function, ast.Name) and len(node.args) == 1 and not node.keywords:
            yield from _invented_function(tree, node, function)
    for test in tree.nodes(ast.Compare):
        owner = test.comparators[0]
        if len(test.ops) == 1 and isinstance(test.ops[0], ast.In) and isinstance(owner, ast.Name | ast.Attribute):
            yield (tree.replace(test, f"{tree.code(owner)}.contains({tree.code(test.left)})"),)


def _invented_method(tree: Tree, function: ast.Attribute) -> Iterator[Site]:
    start, end = tree.span(function)[1] - len(function.attr), tree.span(function)[1]
    for wish in METHODS.get(function.attr, ()) if tree.text[start:end] == function.attr else ():
        yield (Edit(start, end, wish),)


def _invented_function(tree: Tree, call: ast.Call, function: ast.Name) -> Iterator[Site]:
    argument = call.args[0]
    if function.id in AS_METHOD and isinstance(
        argument, ast.Name | ast.Subscript | ast.Call | ast.Attribute | ast.ListComp
    ):
        yield (tree.replace(call, f"{tree.code(argument)}.{AS_METHOD[function.id]}()"),)
    if function.id in FUNCTIONS and FUNCTIONS[function.id] not in tree.identifiers:
        yield (tree.replace(function, FUNCTIONS[function.id]),)


REWRITES: Mapping[str, Rewrite] = {"hallucinated-api": rewrite(_invented_calls)}
