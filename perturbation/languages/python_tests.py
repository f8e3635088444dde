"""Turns Python tests into code that reports every assert on its own. Pure: reads the tests' text, runs nothing.

Done here and not inside the sandbox, because one set of tests serves many programs: the result is kept.
"""

from __future__ import annotations

import ast
import marshal
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from perturbation.languages.records import AssertSite

TESTS_FILE = "tests.py"
_NAME_LENGTH = 200
_TEMPLATE = """
__axiom__.begin({site})
try:
    pass
except BaseException as _axiom_error:
    if __axiom__.errored({site}, {catching}, _axiom_error): raise
else:
    if _axiom_holds: __axiom__.passed({site})
    else: __axiom__.failed({site}, {catching}, {pair}, _axiom_words)
"""
_CATCHES_ASSERTS = {"AssertionError", "Exception", "BaseException"}


class TestsUnreadable(Exception):
    """The tests are no valid Python."""


@dataclass(frozen=True)
class PreparedTests:
    """`code` is marshalled for this very interpreter. `functions`: tests without arguments, in order; `fixtures`:
    those with. `plain_classes`: classes of pytest's form, by name.
    """

    code: bytes
    sites: tuple[AssertSite, ...]
    functions: tuple[str, ...]
    fixtures: tuple[str, ...]
    has_classes: bool
    plain_classes: tuple[str, ...]
    needs_check: bool
    can_fail: bool


@lru_cache(maxsize=512)
def prepare(tests: str, *, file: str = TESTS_FILE, first_site: int = 0) -> PreparedTests:
    """Raises TestsUnreadable with line and reason. `first_site` numbers the asserts of one of several files."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _prepared(tests, file, first_site)
    except SyntaxError as error:
        raise TestsUnreadable(f"the tests are no valid Python: {error.msg} (line {error.lineno})") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise TestsUnreadable(f"the tests cannot be read: {error or type(error).__name__}") from error


def _prepared(tests: str, file: str, first_site: int) -> PreparedTests:
    tree = ast.parse(tests, file)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_test(node)]
    plain = tuple(node.name for node in functions if not _needs_arguments(node))
    has_classes = any(isinstance(node, ast.ClassDef) for node in tree.body) and "TestCase" in tests
    needs_check = _has_uncalled_check(tree)
    can_fail = any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(tree))
    plain_classes = () if has_classes else tuple(_plain_classes(tree))
    is_script = not functions and not has_classes and not plain_classes
    rewriter = _Rewriter(tests, is_script=is_script, first_site=first_site)
    changed = ast.fix_missing_locations(rewriter.visit(tree))
    return PreparedTests(
        code=marshal.dumps(compile(changed, file, "exec", dont_inherit=True)),
        sites=tuple(rewriter.sites),
        functions=plain,
        fixtures=tuple(node.name for node in functions if node.name not in plain),
        has_classes=has_classes,
        plain_classes=plain_classes,
        needs_check=needs_check,
        can_fail=can_fail,
    )


def _plain_classes(tree: ast.Module) -> Iterator[str]:
    """Classes of pytest's form: named after tests, with methods named after tests."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test") and any(map(_is_test, node.body)):
            yield node.name


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


def _needs_arguments(node: ast.FunctionDef) -> bool:
    given = node.args
    required = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    return required > 0 or any(default is None for default in given.kw_defaults)


def _has_uncalled_check(tree: ast.Module) -> bool:
    """HumanEval's form: the tests define check(candidate) and leave the call to the one who runs them."""
    defined = any(
        isinstance(node, ast.FunctionDef) and node.name == "check" and _needs_arguments(node) for node in tree.body
    )
    called = any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "check"
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
    )
    return defined and not called


class _Rewriter(ast.NodeTransformer):
    """Replaces each assert by statements that evaluate it once and tell the reporter, in the scope where it stands."""

    def __init__(self, text: str, *, is_script: bool, first_site: int) -> None:
        self.text = text
        self.is_script = is_script
        self.first_site = first_site
        self.sites: list[AssertSite] = []
        self.catching = False
        self.depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._scoped(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._scoped(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._scoped(node)

    def _scoped(self, node: ast.AST) -> ast.AST:
        before = self.catching
        self.catching = False
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        self.catching = before
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """A failing assert that the tests themselves catch must raise."""
        before = self.catching
        self.catching = before or any(_catches_asserts(handler) for handler in node.handlers)
        node.body = self._all(node.body)
        self.catching = before
        node.handlers = [self.visit(handler) for handler in node.handlers]
        node.orelse = self._all(node.orelse)
        node.finalbody = self._all(node.finalbody)
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        before = self.catching
        names = {name.id for item in node.items for name in ast.walk(item) if isinstance(name, ast.Name)}
        self.catching = before or bool(names & _CATCHES_ASSERTS)
        self.generic_visit(node)
        self.catching = before
        return node

    def _all(self, body: list[ast.stmt]) -> list[ast.stmt]:
        changed: list[ast.stmt] = []
        for statement in body:
            result = self.visit(statement)
            changed += result if isinstance(result, list) else [result]
        return changed

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        site = self.first_site + len(self.sites)
        self.sites.append(AssertSite(self._name(node), is_case=self.depth == 0 or self.is_script))
        evaluate, pair = _evaluation(node.test)
        begin, attempt = _placed(ast.parse(_TEMPLATE.format(site=site, catching=self.catching, pair=pair)).body, node)
        attempt = cast(ast.Try, attempt)
        attempt.body = evaluate
        decision = cast(ast.If, attempt.orelse[0])
        decision.orelse.insert(0, _assign("_axiom_words", node.msg or ast.Constant("")))
        return [begin, attempt]

    def _name(self, node: ast.Assert) -> str:
        source = ast.get_source_segment(self.text, node.test) or ast.unparse(node.test)
        one_line = " ".join(source.split())
        short = one_line if len(one_line) <= _NAME_LENGTH else one_line[: _NAME_LENGTH - 1] + "…"
        return f"L{node.lineno}: {short}"


def _catches_asserts(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    return any(isinstance(node, ast.Name) and node.id in _CATCHES_ASSERTS for node in ast.walk(handler.type))


def _evaluation(test: ast.expr) -> tuple[list[ast.stmt], str]:
    """Statements that set _axiom_holds, and the source of the (actual, expected) pair, or None."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        compared = ast.Compare(_load("_axiom_left"), test.ops, [_load("_axiom_right")])
        return [
            _assign("_axiom_left", test.left),
            _assign("_axiom_right", test.comparators[0]),
            _assign("_axiom_holds", _truth(compared)),
        ], "(_axiom_left, _axiom_right)" if isinstance(test.ops[0], ast.Eq | ast.Is) else "(_axiom_left,)"
    return [_assign("_axiom_holds", _truth(test))], "()"


def _truth(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), value))


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _placed(statements: list[ast.stmt], at: ast.Assert) -> list[ast.stmt]:
    """Give statements that were made here the place of the assert."""
    for statement in statements:
        for node in ast.walk(statement):
            ast.copy_location(node, at)
    return statements
