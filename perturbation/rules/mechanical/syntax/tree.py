"""A syntax tree with character spans and parents, as plain nodes. Reads only; edits are in edits.py."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ast_grep_py import SgNode, SgRoot

from perturbation.rules.mechanical.syntax.dialect import Dialect
from perturbation.rules.mechanical.syntax.edits import Edit


class Node:
    """A node: its kind, its characters start..end of the text, its parent and children. Compare by identity."""

    __slots__ = ("_raw", "children", "end", "is_named", "kind", "parent", "source", "start")

    def __init__(self, raw: SgNode, source: str, parent: Node | None = None) -> None:
        place = raw.range()
        self._raw = raw
        self.source = source
        self.kind: str = raw.kind()
        self.is_named: bool = raw.is_named()
        self.start: int = place.start.index
        self.end: int = place.end.index
        # Rust's documentation comments take their line feed in; no other comment does.
        if "comment" in self.kind and source[self.start : self.end].endswith("\n"):
            self.end -= 1
        self.parent = parent
        self.children: tuple[Node, ...] = tuple(Node(child, source, self) for child in raw.children())

    def __repr__(self) -> str:
        return f"<{self.kind} {self.start}-{self.end} {self.text[:40]!r}>"

    @property
    def text(self) -> str:
        return self.source[self.start : self.end]

    @property
    def named(self) -> tuple[Node, ...]:
        """Its named children, comments among them."""
        return tuple(child for child in self.children if child.is_named)

    def field(self, name: str) -> Node | None:
        """The child in this field of the grammar, or None."""
        raw = self._raw.field(name)
        if raw is None:
            return None
        place, kind = raw.range(), raw.kind()
        span = (place.start.index, place.end.index)
        return next((child for child in self.children if (child.start, child.end) == span and child.kind == kind), None)

    def fields(self, name: str) -> tuple[Node, ...]:
        """All children in this field."""
        spans = {(raw.range().start.index, raw.range().end.index, raw.kind()) for raw in self._raw.field_children(name)}
        return tuple(child for child in self.children if (child.start, child.end, child.kind) in spans)

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in source order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, *kinds: str) -> list[Node]:
        """The nodes of these kinds from here down, in source order."""
        return [node for node in self.walk() if node.kind in kinds]

    def ancestors(self) -> Iterator[Node]:
        """Its parent, its parent's parent and so on."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def is_field(self, name: str) -> bool:
        """Whether it stands in this field of its parent."""
        return self.parent is not None and self.parent.field(name) is self

    def replaced(self, text: str) -> Edit:
        return Edit(self.start, self.end, text)


class Tree:
    """A parsed text in one dialect, with the names that must stay."""

    def __init__(self, *, text: str, dialect: Dialect, root: Node, protected: frozenset[str]) -> None:
        self.text = text
        self.dialect = dialect
        self.root = root
        self.protected = protected
        self.words = frozenset(re.findall(r"\w+", text))

    def find(self, *kinds: str) -> list[Node]:
        return self.root.find(*kinds)

    def functions(self) -> list[Node]:
        """Functions with a name and a body, in source order; methods and nested ones too."""
        return [node for node in self.find(*self.dialect.named) if self.body(node)]

    def name(self, function: Node) -> str:
        """The function's name as written at its declaration; empty for closures."""
        node: Node | None = function
        if self.dialect.id == "javascript" and function.field("name") is None:
            node = function.parent
        while node is not None and node.field("declarator"):
            node = node.field("declarator")
        found = node.field("name") if node is not None and node.field("name") else node
        return found.text if found is not None and re.fullmatch(r"[\w:~$]+", found.text) else ""

    def body(self, function: Node) -> Node | None:
        """The block that a function or loop runs, None where it has none (a single statement, an expression)."""
        found = function.field("body")
        return found if found is not None and found.kind in self.dialect.blocks else None

    def blocks(self, within: Node | None = None) -> list[Node]:
        """Every block of statements, in source order."""
        return (within or self.root).find(*self.dialect.blocks)

    def statements(self, block: Node | None) -> list[Node]:
        """The statements of a block without its comments; a statement that stands in place of a block is its own."""
        if block is None:
            return []
        if block.kind not in self.dialect.blocks:
            return [block]
        inner = [node for node in block.named if node.kind in self.dialect.containers]
        holder = inner[0] if inner else block
        return [node for node in holder.named if node.kind not in self.dialect.comments]

    def core(self, statement: Node) -> Node:
        """The expression of an expression statement; other statements are their own core."""
        if statement.kind == self.dialect.statement:
            inner = [node for node in statement.named if node.kind not in self.dialect.comments]
            return inner[0] if inner else statement
        return statement

    def function_of(self, node: Node) -> Node | None:
        """The innermost function or closure around a node."""
        return next((around for around in node.ancestors() if around.kind in self.dialect.functions), None)

    def own(self, function: Node) -> Iterator[Node]:
        """The nodes of a function's body without those of closures, functions and classes inside."""
        stack = [function.field("body") or function]
        while stack:
            node = stack.pop()
            yield node
            below = (child for child in node.children if child.kind not in self.dialect.functions)
            stack += reversed([child for child in below if child.kind not in ("class_body", "class_declaration")])

    def fresh(self, wishes: tuple[str, ...] | list[str]) -> str | None:
        """The first of the wishes that the text does not use as a word and the language does not reserve."""
        taken = self.words | self.protected | self.dialect.keywords
        return next((wish for wish in wishes if wish not in taken), None)


def parse(text: str, dialect: Dialect, protected: frozenset[str] = frozenset()) -> Tree | None:
    """Parse a text; None where it has syntax errors or line ends other than a line feed."""
    if "\r" in text or "\f" in text:
        return None
    root = Node(SgRoot(text, dialect.grammar).root(), text)
    if has_errors(root):
        return None
    return Tree(text=text, dialect=dialect, root=root, protected=protected)


def has_errors(root: Node) -> bool:
    """Whether the grammar could not read some part, or had to make up a token that is not there."""
    return any(node.kind == "ERROR" or (node.start == node.end and not node.is_named) for node in root.walk())
