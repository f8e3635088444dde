"""What holds for every rewrite on real functions: it parses, differs, repeats itself and keeps what it must."""

from __future__ import annotations

import ast
import calendar
import copy
import difflib
import fnmatch
import heapq
import inspect
import itertools
import os
import posixpath
import pprint
import random
import shlex
import statistics
import subprocess
import sys
import textwrap
import tokenize
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturbation.rewriting import NotApplicable
from perturbation.rewriting.mechanical import MechanicalRewriter
from perturbation.rules import registry
from perturbation.rules.mechanical.python.tree import compiles
from perturbation.tokens import token_equal

MODULES = (calendar, copy, difflib, fnmatch, heapq, posixpath, pprint, shlex, statistics, textwrap, tokenize, zipfile)


def _functions() -> list[str]:
    """Functions and methods of the standard library as programs of their own: real code in many styles."""
    found = []
    for module in MODULES:
        source = inspect.getsource(module)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                rows = source.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno]
                found.append(textwrap.dedent("".join(rows)))
    return sorted({text for text in found if 4 <= text.count("\n") <= 40 and compiles(text)})


CORPUS = _functions()
RULES = tuple(rule for rule in registry.all_rules() if "python" in rule.mechanical)
NEED_MORE_THAN_A_FUNCTION = frozenset(
    {
        "modern-type-hints",
        "merged-helper",
        "inline-helper",
        "magic-number",
        "loop-to-comprehension",
        "wrong-parsing",
    }
)
"""Rules whose sites are imports, module constants, pairs of functions, plain loops or texts taken apart, which the
corpus hardly has.
"""


def _rewritten(rule: registry.Rule, text: str, seed: str, protected: frozenset[str]) -> str | None:
    try:
        made = MechanicalRewriter().rewrite(text=text, rule=rule, language="python", protected=protected, seed=seed)
    except NotApplicable:
        return None
    return made.text


@settings(max_examples=250, deadline=None, derandomize=True)
@given(rule=st.sampled_from(RULES), text=st.sampled_from(CORPUS), seed=st.integers(0, 9))
def test_parses_differs_and_repeats_itself(rule: registry.Rule, text: str, seed: int) -> None:
    changed = _rewritten(rule, text, str(seed), frozenset())

    if changed is not None:
        assert isinstance(ast.parse(changed), ast.Module)
        assert not token_equal(text, changed, "python")
        assert changed.endswith("\n")
    assert changed == _rewritten(rule, text, str(seed), frozenset())


@settings(max_examples=150, deadline=None, derandomize=True)
@given(rule=st.sampled_from(RULES), text=st.sampled_from(CORPUS), seed=st.integers(0, 9))
def test_keeps_protected_names_and_the_public_signature(rule: registry.Rule, text: str, seed: int) -> None:
    names = frozenset(node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name))
    name = next(node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))

    changed = _rewritten(rule, text, str(seed), names)

    if changed is not None and rule.id != "mutable-default":
        assert _parameters(changed, name) == _parameters(text, name)


def _parameters(text: str, name: str) -> list[list[str]]:
    """Names of the parameters of every function with this name at the top level."""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name]
    return [[argument.arg for argument in function.args.args] for function in functions]


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.id not in NEED_MORE_THAN_A_FUNCTION], ids=lambda rule: rule.id
)
def test_has_sites_in_real_functions(rule: registry.Rule) -> None:
    found = (text for text in CORPUS if _rewritten(rule, text, "site", frozenset()) is not None)

    assert len(list(itertools.islice(found, 2))) == 2


def test_renames_no_protected_name() -> None:
    text = "def count(words):\n    total = 0\n    for word in words:\n        total += len(word)\n    return total\n"
    rules = [rule for rule in RULES if "rename" in rule.change_classes]

    for rule in rules:
        for seed in range(5):
            changed = _rewritten(rule, text, str(seed), frozenset({"total", "word"}))

            assert changed is None or {"total", "word"} <= {
                node.id for node in ast.walk(ast.parse(changed)) if isinstance(node, ast.Name)
            }


def test_draws_different_sites_with_different_seeds() -> None:
    text = "def f(a, b, c):\n    if a < b:\n        return a\n    if b < c:\n        return b\n    return c\n"
    rule = registry.get("wrong-boundary-comparison")

    drawn = {_rewritten(rule, text, str(seed), frozenset()) for seed in range(20)}

    assert drawn == {text.replace("a < b", "a <= b"), text.replace("b < c", "b <= c")}


def test_refuses_a_rule_without_rewrite_for_the_language() -> None:
    rule = registry.get("off-by-one")

    with pytest.raises(NotApplicable, match="rule off-by-one has no mechanical rewrite for cobol"):
        MechanicalRewriter().rewrite(text="x", rule=rule, language="cobol", protected=frozenset(), seed="s")


def test_says_that_a_rule_has_no_site() -> None:
    rule = registry.get("off-by-one")

    with pytest.raises(NotApplicable) as refusal:
        MechanicalRewriter().rewrite(text="x = 1\n", rule=rule, language="python", protected=frozenset(), seed="s")

    assert refusal.value.reason == "rule off-by-one has no site in this program"


def test_draws_nothing_from_the_global_generator() -> None:
    random.seed(1)
    first = [_rewritten(rule, CORPUS[0], "s", frozenset()) for rule in RULES]
    random.seed(2)
    second = [_rewritten(rule, CORPUS[0], "s", frozenset()) for rule in RULES]

    assert first == second


def test_gives_the_same_bytes_in_processes_with_other_hash_seeds() -> None:
    code = (
        "import hashlib, sys\n"
        "from perturbation.rules.registry import all_rules, mechanical_rewrite\n"
        "from perturbation.rules.source import Source\n"
        "import random\n"
        "text = sys.stdin.read()\n"
        "rules = [rule.id for rule in all_rules() if 'python' in rule.mechanical]\n"
        "made = [mechanical_rewrite(rule_id, 'python')(Source(text), random.Random('s')) for rule_id in rules]\n"
        "print(sum(item is not None for item in made), hashlib.sha256(repr(made).encode()).hexdigest())\n"
    )
    text = "\n\n".join(CORPUS[::60])

    outputs = [
        subprocess.run(
            [sys.executable, "-c", code],
            input=text,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert int(outputs[0].split()[0]) > 40
    assert outputs[0] == outputs[1]
