"""Mechanical rewrites of programs that are kept with the paths of their files."""

from __future__ import annotations

import pytest

from perturbation.files import join, split
from perturbation.rewriting import NotApplicable
from perturbation.rewriting.mechanical import MechanicalRewriter
from perturbation.rules import registry

GO = "package main\n\n// gcd is the greatest number that divides both.\nfunc gcd(first int, second int) int {\n"
GO += "\tfor second != 0 {\n\t\tfirst, second = second, first%second\n\t}\n\treturn first\n}\n"


@pytest.mark.parametrize("rule_id", ["docstring-layout", "lost-docstring", "stale-comment"])
def test_leaves_the_heading_of_a_single_file_alone(rule_id: str) -> None:
    rule = registry.get(rule_id)
    text = "// ==== gcd.go ====\n" + GO
    changed = 0

    for seed in "0123456789":
        try:
            after = MechanicalRewriter().rewrite(
                text=text, rule=rule, language="go", protected=frozenset({"gcd"}), seed=seed
            )
        except NotApplicable:
            continue
        changed += 1
        assert after.text.startswith("// ==== gcd.go ====\npackage main\n")

    assert changed


def test_changes_one_of_several_files_and_no_name_that_they_share() -> None:
    rule = registry.get("rename-to-meaningless")
    uses = "package main\n\nfunc lowest(upper int, lower int) int {\n\treturn gcd(upper, lower)\n}\n"
    files = split(f"// ==== gcd.go ====\n{GO}// ==== lowest.go ====\n{uses}")

    after = MechanicalRewriter().rewrite(
        text=join(files, comment="//"), rule=rule, language="go", protected=frozenset({"lowest"}), seed="0"
    )

    renewed = split(after.text)
    assert [file.path for file in renewed] == ["gcd.go", "lowest.go"]
    assert sum(old.text != new.text for old, new in zip(files, renewed, strict=True)) == 1
    assert all("gcd(" in file.text for file in renewed)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", "function f(a) {\n  return " + "(" * 1500 + "a" + ")" * 1500 + ";\n}\n"),
        ("python", "def f(a):\n    return " + "+".join(["a"] * 1500) + "\n"),
    ],
)
def test_a_program_nested_too_deeply_has_no_site(language: str, text: str) -> None:
    rule = registry.get("rename-to-meaningless")

    with pytest.raises(NotApplicable, match="nested too deeply"):
        MechanicalRewriter().rewrite(text=text, rule=rule, language=language, protected=frozenset(), seed="0")
