"""Pairs from the traps of syntax-tree equality: what may be called the same tree, and what must never be."""

from __future__ import annotations

import pytest

from perturbation.diff.view import build

# (language, parent, child, same tree, comments only, white space only)
SAME = [
    ("python", "x = 1\n", "x = 1  # one\n", True, False),
    ("python", "x = f(a,b)\n", "x = f(\n    a,\n    b\n)\n", False, True),
    ("python", "# a\nx = 1\n", "# b\nx = 1\n", True, False),
    ("python", "def f():\n    return 1\n", "def f():\n\n        return 1\n", False, True),
    ("java", "class A { int x = 1; }\n", "class A {\n    int x = 1; // one\n}\n", True, False),
    ("go", "package p\n\nvar x = 1\n", "package p\n\nvar  x  =  1\n", False, True),
    ("rust", "fn f() -> i32 { 1 }\n", "fn f() -> i32 {\n    1\n}\n", False, True),
    ("cpp", "int f() { return 1; }\n", "int f()\n{\n  /* one */ return 1;\n}\n", True, False),
    ("javascript", "f(1, 2);\n", "f( 1,\n  2 );\n", False, True),
]

DIFFERENT = [
    ("python", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"),
    ("python", "for x in y:\n    f(x)\nelse:\n    g()\n", "for x in y:\n    f(x)\n    if z:\n        g()\n"),
    ("python", "x = 'a'\n", 'x = "a"\n'),
    ("python", "x = 'a b'\n", "x = 'a  b'\n"),
    ("python", "x = 'a\\n b'\n", "x = 'a\\n  b'\n"),
    ("python", 'x = f"a {b} c"\n', 'x = f"a {b}  c"\n'),
    ("python", "x = 0x10\n", "x = 16\n"),
    ("python", "x = (a)\n", "x = a\n"),
    ("python", 'def f():\n    """One."""\n', 'def f():\n    """Two."""\n'),
    ("python", "\ufb01le = 1\n", "file = 1\n"),
    ("python", "x = not a in b\n", "x = a not in b\n"),
    ("javascript", "function f() {\n  return 1;\n}\n", "function f() {\n  return\n  1;\n}\n"),
    ("javascript", "x = `a b`;\n", "x = `a  b`;\n"),
    ("javascript", "x = /a b/;\n", "x = /a  b/;\n"),
    ("javascript", "a\n++b\n", "a++\nb\n"),
    ("go", "package p\n\nfunc f() int {\n\treturn 1\n}\n", "package p\n\nfunc f() int {\n\treturn\n\t1\n}\n"),
    ("go", "package p\n\nvar x = `a b`\n", "package p\n\nvar x = `a  b`\n"),
    ("cpp", "#define A 1\nint x = A;\n", "#define A 12\nint x = A;\n"),
    ("cpp", "char c = ' ';\nauto s = R\"(a b)\";\n", "char c = ' ';\nauto s = R\"(a  b)\";\n"),
    ("java", 'class A { String s = "a b"; }\n', 'class A { String s = "a  b"; }\n'),
    ("rust", 'fn f() { g("a\\n b"); }\n', 'fn f() { g("a\\n  b"); }\n'),
    ("rust", "fn f() { g(1); }\n", "fn f() { g(2); }\n"),
]


@pytest.mark.parametrize(("language", "parent", "child", "comments", "white_space"), SAME)
def test_says_same_tree(language: str, parent: str, child: str, comments: bool, white_space: bool) -> None:
    facts = build(parent=parent, child=child, language=language).facts

    assert (facts.same_syntax_tree, facts.comments_only, facts.white_space_only) == (True, comments, white_space)


@pytest.mark.parametrize(("language", "parent", "child"), DIFFERENT)
def test_never_calls_different_programs_the_same(language: str, parent: str, child: str) -> None:
    facts = build(parent=parent, child=child, language=language).facts

    assert (facts.same_syntax_tree, facts.comments_only, facts.white_space_only) == (False, False, False)


@pytest.mark.parametrize(
    ("language", "parent", "child"),
    [
        ("python", "def f(:\n", "def f( :\n"),
        ("python", "x = 1\n", "x = (\n"),
        ("python", "x = 1\0\n", "x = 1\0 \n"),
        ("python", "x = '\ud800'\n", "x = '\ud800' \n"),
        ("cobol", "a", "a "),
    ],
)
def test_says_nothing_where_a_side_does_not_parse(language: str, parent: str, child: str) -> None:
    facts = build(parent=parent, child=child, language=language).facts

    assert (facts.same_syntax_tree, facts.comments_only, facts.white_space_only) == (None, None, None)


def test_claims_neither_comments_nor_spacing_for_equal_texts() -> None:
    facts = build(parent="x = 1\n", child="x = 1\n", language="python").facts

    assert (facts.same_syntax_tree, facts.comments_only, facts.white_space_only) == (True, False, False)
