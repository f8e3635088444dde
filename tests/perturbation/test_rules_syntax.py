"""The core under the brace languages' rewrites: nodes, exact edits, layout, scopes, conditions."""

from __future__ import annotations

import random

import pytest

from perturbation.rules.mechanical.braces.dialects import CPP, GO, JAVA, JAVASCRIPT, RUST
from perturbation.rules.mechanical.syntax.conditions import ifs, negated
from perturbation.rules.mechanical.syntax.dialect import Dialect
from perturbation.rules.mechanical.syntax.edits import Edit, OverlappingEdits, apply, choose
from perturbation.rules.mechanical.syntax.layout import moved, removed, step
from perturbation.rules.mechanical.syntax.rewriting import rewrite
from perturbation.rules.mechanical.syntax.scopes import declared, outermost_functions, rename, renameable
from perturbation.rules.mechanical.syntax.tree import Tree, parse
from perturbation.rules.rows import changed_rows, is_far_enough, rewritten_rows
from perturbation.rules.source import Source


def _tree(text: str, dialect: Dialect, *protected: str) -> Tree:
    tree = parse(text, dialect, frozenset(protected))
    assert tree is not None
    return tree


def _renameable(text: str, dialect: Dialect, *protected: str) -> list[str]:
    tree = _tree(text, dialect, *protected)
    return [name for function in outermost_functions(tree) for name in renameable(tree, function)]


def test_counts_positions_in_characters() -> None:
    tree = _tree('let s = "é😀"; let t = 1;\n', JAVASCRIPT)

    second = tree.find("variable_declarator")[1]

    assert (second.start, second.text) == (18, "t = 1")


def test_finds_fields_by_identity() -> None:
    tree = _tree("a = b + b;\n", JAVASCRIPT)

    sum_ = tree.find("binary_expression")[0]
    left, right = sum_.field("left"), sum_.field("right")

    assert left is sum_.children[0]
    assert right is sum_.children[2]
    assert right is not None
    assert right.is_field("right")
    assert not right.is_field("left")


@pytest.mark.parametrize("text", ["int f( { }", "int f() {\r\n}\r\n", "int f() { return 1 }"])
def test_parses_no_text_with_errors_or_other_line_ends(text: str) -> None:
    assert parse(text, CPP) is None


def test_leaves_everything_outside_an_edit_as_it_is() -> None:
    edits = (Edit(4, 5, "12"), Edit(0, 0, "<"), Edit(0, 1, "b"), Edit(6, 6, ">"))

    assert apply("a\t= 1 \n", edits) == "<b\t= 12 >\n"


def test_refuses_edits_that_overlap() -> None:
    with pytest.raises(OverlappingEdits, match="the edit at 1-3 overlaps the one that ends at 2"):
        apply("abcd", [Edit(0, 2, ""), Edit(1, 3, "")])


def test_draws_a_site_by_the_generator_alone() -> None:
    drawn = [choose(random.Random(seed), ["a", "b", "c"]) for seed in ("1", "1", "2", "3", "4")]

    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1
    assert choose(random.Random("1"), []) is None


def test_counts_rows_that_changed() -> None:
    assert changed_rows("a\nb\nc\n", "a\nx\ny\nc\n") == 2
    assert changed_rows("if a {\n  b\n}\n", "a\nb\n") == 3
    assert rewritten_rows("if a {\n  b\n}\n", "a\nb\n") == 1


@pytest.mark.parametrize(
    ("dialect", "text", "names"),
    [
        (CPP, "int f(int *a, const int& b) { int c = 1, d[2]; for (auto e : d) c += e; return c; }", "a b c d e"),
        (GO, "package p\n\nfunc f(a, b int) int {\n\tc, _ := a, b\n\tvar d = c\n\treturn d\n}\n", "a b c d"),
        (JAVA, "class A { int f(int a) { int b = a, c; for (int d : e) { } return b; } }", "a b c d"),
        (JAVASCRIPT, "const f = (a, b) => { let c = a; for (const d of b) { c += d; } return c; };", "a b c d"),
        (RUST, "fn f(mut a: i32) -> i32 { let (b, c) = (1, a); for d in 0..b { a += d; } a + c }", "a b c d"),
    ],
    ids=["cpp", "go", "java", "javascript", "rust"],
)
def test_knows_parameters_and_locals(dialect: Dialect, text: str, names: str) -> None:
    tree = _tree(text, dialect)

    assert sorted(declared(tree, outermost_functions(tree)[0])) == names.split()


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        (CPP, "struct P { int n; };\nint f(P p) { int n = p.n; return n; }"),
        (GO, "package p\n\nfunc f() P {\n\tn := 1\n\treturn P{n: n}\n}\n"),
        (JAVA, "class A { int n; int f() { int n = 1; return this.n + n; } }"),
        (JAVASCRIPT, "function f() { const n = 1; return { n }; }"),
        (RUST, 'fn f() { let n = 1; println!("{n}"); }'),
    ],
    ids=["cpp", "go", "java", "javascript", "rust"],
)
def test_renames_no_local_whose_name_means_something_else_too(dialect: Dialect, text: str) -> None:
    assert "n" not in _renameable(text, dialect)


def test_renames_no_protected_name_and_no_function() -> None:
    text = "int g;\nint total(int kept, int size) { int total = kept + g; return total + size; }"

    assert _renameable(text, CPP, "kept") == ["size"]


def test_renames_within_one_function_only() -> None:
    text = "int f(int n) { return n; }\nint g(int n) { return [&](int m) { return m + n; }(1); }"
    tree = _tree(text, CPP)

    changed = apply(text, rename(tree, outermost_functions(tree)[1], "n", "size"))

    assert changed == text.replace("int g(int n)", "int g(int size)").replace("m + n", "m + size")


def test_takes_no_name_that_is_used_or_reserved() -> None:
    tree = _tree("int f(int size) { return size; }", CPP, "kept")

    assert tree.fresh(["size", "kept", "while", "number"]) == "number"
    assert tree.fresh(["size"]) is None


@pytest.mark.parametrize(
    ("condition", "opposite"),
    [
        ("a < b", "a >= b"),
        ("!done", "done"),
        ("!(a == b)", "a == b"),
        ("a && b", "!(a && b)"),
        ("ready", "!ready"),
        ("list.empty()", "!list.empty()"),
        ("true", "false"),
    ],
)
def test_writes_the_opposite_of_a_condition(condition: str, opposite: str) -> None:
    tree = _tree(f"void f() {{ if ({condition}) {{ g(); }} }}", CPP)

    assert [negated(tree, item.condition) for item in ifs(tree)] == [opposite]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        (GO, "package p\n\nfunc f() {\n\tif x := g(); x {\n\t}\n}\n"),
        (RUST, "fn f() { if let Some(x) = g() { h(x); } }"),
        (CPP, "void f() { if (int x = g()) { h(x); } }"),
    ],
    ids=["go", "rust", "cpp"],
)
def test_leaves_conditions_that_declare_something_alone(dialect: Dialect, text: str) -> None:
    assert ifs(_tree(text, dialect)) == []


def test_moves_rows_but_not_those_inside_strings() -> None:
    tree = _tree("function f() {\n  g(`a\n  b`);\n  if (x) {\n    h();\n  }\n}\n", JAVASCRIPT)

    body = tree.statements(tree.blocks()[0])

    assert moved(tree, body, "      ") == "      g(`a\n  b`);\n      if (x) {\n        h();\n      }"


def test_removes_a_statement_with_its_comments() -> None:
    text = "void f() {\n    g();\n\n    // why\n    int x = 1;\n\n    h();\n}\n"
    tree = _tree(text, CPP)

    assert apply(text, [removed(tree, tree.find("declaration")[0])]) == "void f() {\n    g();\n\n    h();\n}\n"


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (GO, "package p\n\nfunc f() {\n\tg()\n}\n", "\t"),
        (JAVASCRIPT, "function f() {\n  g();\n}\n", "  "),
        (CPP, "int f();\n", "    "),
    ],
    ids=["go", "javascript", "cpp"],
)
def test_indents_as_the_text_does(dialect: Dialect, text: str, expected: str) -> None:
    assert step(_tree(text, dialect)) == expected


def test_takes_another_site_where_the_first_would_break_the_text() -> None:
    def sites(tree: Tree, rng: random.Random) -> list[tuple[Edit, ...]]:
        return [(Edit(0, 0, "{"),), (Edit(0, 0, "// "),)]

    made = {rewrite(sites, JAVASCRIPT)(Source("f();\n"), random.Random(str(seed))) for seed in range(8)}

    assert made == {"// f();\n"}


def test_a_structural_rule_takes_no_site_that_changes_one_row() -> None:
    run = rewrite(lambda tree, rng: [(Edit(0, 1, "g"),)], JAVASCRIPT, rows=changed_rows)

    assert run(Source("f();\n"), random.Random("1")) is None


def test_a_repair_takes_no_site_that_leaves_too_little() -> None:
    program = "function f(a) {\n  const b = a;\n  const c = b;\n  const d = c;\n  return d;\n}\n"
    emptied = "function f(a) {\n  return 0;\n}\n"

    assert not is_far_enough(program, emptied, rewritten_rows, "javascript")
    assert is_far_enough(program, emptied, changed_rows, "javascript")
    assert is_far_enough(program * 2, program + emptied, rewritten_rows, "javascript")
