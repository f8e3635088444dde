"""Exact facts about a pair of texts. None means not known; nothing here claims that two programs mean the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node, Tree

from perturbation.diff.grammars import parse
from perturbation.diff.lines import LineText, have_different_endings

# White space counts inside these, so they are compared as they stand.
_LITERAL = ("string", "char", "regex", "template", "jsx", "rune")


@dataclass(frozen=True, slots=True)
class Facts:
    """`same_syntax_tree`: both parse without error and their trees are equal once comments and spacing are dropped.

    `comments_only` and `white_space_only` split that case by what differs. All are None where a side does not parse.
    """

    left_endings: str
    right_endings: str
    line_endings_differ: bool
    left_final_newline: bool
    right_final_newline: bool
    same_syntax_tree: bool | None = None
    comments_only: bool | None = None
    white_space_only: bool | None = None


def compare(parent: LineText, child: LineText, language: str) -> Facts:
    """The facts of one pair of texts."""
    same_tree, same_comments = _compare_trees(parent.text, child.text, language)
    differs = parent.text != child.text
    return Facts(
        left_endings=parent.ending_style,
        right_endings=child.ending_style,
        line_endings_differ=have_different_endings(parent, child),
        left_final_newline=parent.has_final_newline,
        right_final_newline=child.has_final_newline,
        same_syntax_tree=same_tree,
        comments_only=None if same_tree is None else same_tree and differs and not same_comments,
        white_space_only=None if same_tree is None else same_tree and differs and same_comments,
    )


def _compare_trees(parent: str, child: str, language: str) -> tuple[bool | None, bool]:
    left, right = parse(parent, language), parse(child, language)
    if left is None or right is None:
        return None, False
    return list(_shape(left)) == list(_shape(right)), _comments(left) == _comments(right)


def _shape(tree: Tree) -> Iterator[tuple[str, bytes]]:
    """The tree in order: node kinds, closing marks, leaf texts, and what an inner node holds between its children."""
    stack: list[Node | bytes | None] = [tree.root_node]
    while stack:
        node = stack.pop()
        if node is None:
            yield ")", b""
        elif isinstance(node, bytes):
            yield "", node
        elif not _is_comment(node):
            yield node.type, _own_text(node)
            stack.append(None)
            if not _is_whole(node):
                stack += reversed(_parts(node))


def _parts(node: Node) -> list[Node | bytes]:
    parts: list[Node | bytes] = []
    text, at = node.text or b"", node.start_byte
    for child in node.children:
        between = text[at - node.start_byte : child.start_byte - node.start_byte].strip()
        parts += [between, child] if between else [child]
        at = child.end_byte
    rest = text[at - node.start_byte :].strip()
    return [*parts, rest] if rest else parts


def _is_comment(node: Node) -> bool:
    return "comment" in node.type


def _is_whole(node: Node) -> bool:
    return not node.children or any(word in node.type for word in _LITERAL)


def _own_text(node: Node) -> bytes:
    text = node.text or b""
    return b"" if not _is_whole(node) or text.isspace() else text


def _comments(tree: Tree) -> list[bytes]:
    found: list[bytes] = []
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        if _is_comment(node):
            found.append(b" ".join((node.text or b"").split()))
        else:
            stack += reversed(node.children)
    return found
