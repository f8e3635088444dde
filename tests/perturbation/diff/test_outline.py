from __future__ import annotations

import pytest

from perturbation.diff.outline import scopes
from perturbation.diff.view import build

PROGRAMS = {
    "python": (
        "import os\n\n\n@cached\ndef top(x):\n    def inner():\n        return 1\n    return inner\n\n\n"
        "class Box:\n    def get(self):\n        return 2\n",
        [("top", 4, 8), ("top.inner", 6, 7), ("Box", 11, 13), ("Box.get", 12, 13)],
    ),
    "java": (
        "class Shop {\n    Shop() { }\n    int sum(int a) {\n        return a;\n    }\n"
        "    int sum(int a, int b) {\n        return a + b;\n    }\n"
        "    interface Till {\n        void open();\n    }\n}\n",
        [
            ("Shop", 1, 12), ("Shop.Shop", 2, 2), ("Shop.sum", 3, 5), ("Shop.sum #2", 6, 8), ("Shop.Till", 9, 11),
            ("Shop.Till.open", 10, 10),
        ],
    ),
    "cpp": (
        "namespace shop {\nclass Till {\n  int open() { return 1; }\n  ~Till() {}\n};\n}\n"
        "template <class T>\nT* find(T& item) {\n  return 0;\n}\nint shop::Till::close(int x) {\n  return x;\n}\n"
        "int& slot() {\n  return x;\n}\n",
        [
            ("shop", 1, 6), ("shop::Till", 2, 5), ("shop::Till::open", 3, 3), ("shop::Till::~Till", 4, 4),
            ("find", 7, 10), ("shop::Till::close", 11, 13), ("slot", 14, 16),
        ],
    ),
    "javascript": (
        "class Till {\n  open() {\n    return 1;\n  }\n}\nconst add = (a, b) => {\n  return a + b;\n};\n"
        "export function close() {\n  return [1].map((x) => x);\n}\nmodule.exports.run = function () {};\n",
        [("Till", 1, 5), ("Till.open", 2, 4), ("add", 6, 8), ("close", 9, 11), ("module.exports.run", 12, 12)],
    ),
    "go": (
        "package shop\n\ntype Till struct {\n\tsum int\n}\n\nfunc (t *Till) Open() int {\n\treturn t.sum\n}\n\n"
        "func New() Till {\n\treturn Till{}\n}\n",
        [("Till", 3, 5), ("Till.Open", 7, 9), ("New", 11, 13)],
    ),
    "rust": (
        "struct Till {\n    sum: i32,\n}\nimpl Till {\n    fn open(&self) -> i32 {\n        self.sum\n    }\n}\n"
        "fn main() {\n}\n",
        [("Till", 1, 3), ("Till #2", 4, 8), ("Till::open", 5, 7), ("main", 9, 10)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", PROGRAMS)
def test_finds_definitions_with_qualified_names_and_lines(language: str) -> None:
    text, expected = PROGRAMS[language]

    found = scopes(text, language)

    assert found is not None
    assert [(scope.name, scope.first, scope.last) for scope in found] == expected


@pytest.mark.parametrize("language", PROGRAMS)
def test_puts_each_row_under_exactly_one_definition(language: str) -> None:
    text, _ = PROGRAMS[language]
    child = text.replace("return", "return  ").replace("Till", "Desk")

    view = build(parent=text, child=child, language=language)

    changed = [row for row in view.rows if row.is_changed]
    counted = sum(node.edited + node.added + node.removed for node in view.outline)
    assert counted == len(changed) > 0
    assert [node.id for node in view.outline] == list(range(len(view.outline)))


def test_tells_added_removed_changed_and_untouched_functions() -> None:
    parent = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c(x):\n    print(x)\n"
    child = "def a():\n    return 1\n\n\ndef c(x):\n    print(x, x)\n\n\ndef d(values):\n    yield from values\n"

    view = build(parent=parent, child=child, language="python")

    status = {node.name: (node.status, node.edited, node.added, node.removed) for node in view.outline}
    assert status["a"] == ("same", 0, 0, 0)
    assert status["b"] == ("removed", 0, 0, 2)
    assert status["c"] == ("changed", 1, 0, 0)
    assert status["d"] == ("added", 0, 2, 0)


def test_is_one_node_where_a_side_does_not_parse() -> None:
    view = build(parent="def a():\n    return 1\n", child="def a(:\n    return 1\n", language="python")

    assert [(node.name, node.edited) for node in view.outline] == [("whole file", 1)]
    assert {row.outline for row in view.rows} == {0}


def test_is_one_node_in_an_unknown_language() -> None:
    view = build(parent="a\n", child="b\n", language="cobol")

    assert [node.name for node in view.outline] == ["whole file"]


def test_names_what_c_plus_plus_hides_in_its_declarators() -> None:
    found = scopes("int (*pick(int n))(int) {\n  return 0;\n}\nstruct { int x; } nameless;\n", "cpp")

    assert found is not None
    assert [scope.name for scope in found] == ["pick"]


def test_passes_over_functions_that_nothing_names() -> None:
    assert scopes("(() => 1)();\n[2].map(function () { return 3; });\n", "javascript") == ()
