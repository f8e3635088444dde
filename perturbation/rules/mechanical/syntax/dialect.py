"""What a brace language calls the same constructs and how it writes them. The languages are in braces/dialects.py."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """Node kinds of the grammar, and templates for new code.

    functions: everything with a body of its own, closures too. named: those of them that can have a name. containers:
    a kind between a block and its statements. members: kinds of names that are no variables. declared: kind of the
    declaring node and the field of what it declares (empty: all its named children). Templates take {c} condition,
    {n} name, {v} value and {t} type, and make rows without indentation. Only `typed` needs a type.
    """

    id: str
    grammar: str
    functions: frozenset[str]
    named: frozenset[str]
    blocks: frozenset[str]
    if_kind: str
    while_kind: str
    for_each: frozenset[str]
    for_classic: frozenset[str]
    loops: frozenset[str]
    returns: str
    breaks: str
    continues: str
    throws: frozenset[str]
    local: frozenset[str]
    assignments: frozenset[str]
    updates: frozenset[str]
    effects: frozenset[str]
    calls: frozenset[str]
    members: frozenset[str]
    integers: frozenset[str]
    strings: frozenset[str]
    comments: frozenset[str]
    declared: tuple[tuple[str, str], ...]
    keywords: frozenset[str]
    if_head: str
    while_head: str
    constant: str
    variable: str
    flag: str
    typed: str
    log: str
    containers: frozenset[str] = frozenset()
    end: str = ";"
    binary: str = "binary_expression"
    unary: str = "unary_expression"
    parenthesized: str = "parenthesized_expression"
    ternary: str = ""
    statement: str = "expression_statement"
