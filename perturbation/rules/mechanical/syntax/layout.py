"""Rows and indentation: where statements stand, and their text at another place. Text inside strings is untouched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from perturbation.rules.mechanical.syntax.edits import Edit
from perturbation.rules.mechanical.syntax.tree import Node, Tree


def row_start(text: str, position: int) -> int:
    """The position of the first character of a position's row."""
    return text.rfind("\n", 0, position) + 1


def row_end(text: str, position: int) -> int:
    """The position behind a position's row, its line feed included."""
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1


def indent(tree: Tree, node: Node) -> str:
    """The white space at the start of a node's row."""
    line = tree.text[row_start(tree.text, node.start) : node.start]
    return line[: len(line) - len(line.lstrip())]


def step(tree: Tree) -> str:
    """One level of indentation as this text writes it: the least of its rows that is not empty."""
    margins = [
        found for found in re.findall(r"^([ \t]+)\S", tree.text, re.MULTILINE) if len(found) != 1 or found == "\t"
    ]
    if any(margin.startswith("\t") for margin in margins) and tree.dialect.id == "go":
        return "\t"
    return min((margin for margin in margins if margin.strip("\t")), key=len, default="    ")[:4]


def stands_alone(tree: Tree, first: Node, last: Node | None = None) -> bool:
    """Whether nothing but white space and a comment shares the rows of these adjacent statements."""
    before = tree.text[row_start(tree.text, first.start) : first.start]
    behind = (last or first).end
    after = tree.text[behind : row_end(tree.text, behind)].strip()
    return not before.strip() and (not after or after.startswith(("//", ";")))


def moved(tree: Tree, statements: Sequence[Node], margin: str) -> str:
    """The adjacent statements' text, comments between them too, its first row and all others at this indentation.

    No line feed at the end. Empty for no statements.
    """
    if not statements:
        return ""
    first, last = statements[0], statements[-1]
    old = indent(tree, first)
    rows = tree.text[first.start : _end_with_comment(tree, last)].split("\n")
    frozen = _rows_inside_strings(tree, first)
    out = [margin + rows[0]]
    for number, row in enumerate(rows[1:], start=1):
        if number in frozen:
            out.append(row)
        else:
            out.append(margin + (row[len(old) :] if row.startswith(old) else row.lstrip()) if row.strip() else "")
    return "\n".join(out)


def _end_with_comment(tree: Tree, node: Node) -> int:
    rest = tree.text[node.end : row_end(tree.text, node.end)]
    found = re.match(r";?[ \t]*//[^\n]*", rest)
    return node.end + (found.end() if found else 0)


def span(tree: Tree, statements: Sequence[Node]) -> tuple[int, int]:
    """The characters that `moved` takes up where they stand now, without the first row's indentation."""
    return statements[0].start, _end_with_comment(tree, statements[-1])


def _rows_inside_strings(tree: Tree, first: Node) -> set[int]:
    """Rows, counted from a node's first, that begin inside a string."""
    base = tree.text.count("\n", 0, first.start)
    inside: set[int] = set()
    for node in tree.find(*tree.dialect.strings):
        start = tree.text.count("\n", 0, node.start) - base
        inside.update(range(start + 1, start + 1 + node.text.count("\n")))
    return inside


def replace_statements(tree: Tree, statements: Sequence[Node], rows: Iterable[str]) -> Edit:
    """Put rows, given with their indentation, in the place of adjacent statements."""
    start, end = span(tree, statements)
    return Edit(start, end, "\n".join(rows).lstrip(" \t"))


def insert_before(tree: Tree, statement: Node, rows: Iterable[str]) -> Edit:
    """Put rows, given without indentation, on rows of their own above a statement."""
    margin = indent(tree, statement)
    return Edit(statement.start, statement.start, "".join(f"{row}\n{margin}" for row in rows))


def insert_after(tree: Tree, statement: Node, rows: Iterable[str]) -> Edit:
    """Put rows, given without indentation, on rows of their own below a statement."""
    margin, (_, end) = indent(tree, statement), span(tree, [statement])
    return Edit(end, end, "".join(f"\n{margin}{row}" for row in rows))


def removed(tree: Tree, node: Node, *, comments: bool = True) -> Edit:
    """The edit that takes a statement out with its rows, the comments right above it and blank rows on one side."""
    text = tree.text
    start, end = row_start(text, node.start), row_end(text, span(tree, [node])[1])
    while comments and start > 0:
        above = text[row_start(text, start - 1) : start]
        if not above.strip().startswith(("//", "#pragma")):
            break
        start = row_start(text, start - 1)
    while text[:start].endswith("\n\n") and text[end:].startswith("\n"):
        end += 1
    return Edit(start, end, "")
