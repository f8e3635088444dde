"""What holds for every rewrite of the brace languages that keeps behaviour, on small programs that still pass."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturbation.languages import registry as languages
from perturbation.languages.base import TestRunStatus
from perturbation.rewriting import NotApplicable
from perturbation.rewriting.mechanical import MechanicalRewriter
from perturbation.rules import registry
from perturbation.rules.mechanical.braces.dialects import ALL
from perturbation.rules.mechanical.syntax.tree import parse
from perturbation.tokens import token_equal

PROGRAMS = Path(__file__).with_name("brace_programs")
ENDINGS = {"cpp": "cpp", "go": "go", "java": "java", "javascript": "js", "rust": "rs"}
DIALECTS = {dialect.id: dialect for dialect in ALL}
RULES = [rule for rule in registry.all_rules() if rule.ceiling >= 3]
PAIRS = [(rule, language) for language in ENDINGS for rule in RULES if language in rule.mechanical]
TESTS = {
    "cpp": """#include <cassert>

int main() {
    assert(gcd(12, 18) == 6);
    assert(is_prime(1) == false);
    assert((primes(12) == std::vector<int>{2, 3, 5, 7, 11}));
    assert(sign(-3) == -1);
    assert(sign(0) == 0);
}
""",
    "go": """func TestNumbers(t *testing.T) {
	assert := assert.New(t)
	assert.Equal(6, gcd(12, 18))
	assert.Equal(false, isPrime(1))
	assert.Equal([]int{2, 3, 5, 7, 11}, primes(12))
	assert.Equal(-1, sign(-3))
	assert.Equal(0, sign(0))
}
""",
    "java": """public class Main {
    public static void main(String[] args) {
        if (Numbers.gcd(12, 18) != 6 || Numbers.isPrime(1) || Numbers.sign(-3) != -1 || Numbers.sign(0) != 0) {
            throw new AssertionError();
        }
        if (!Numbers.primes(12).equals(java.util.List.of(2, 3, 5, 7, 11))) {
            throw new AssertionError();
        }
    }
}
""",
    "javascript": """console.assert(gcd(12, 18) === 6);
console.assert(isPrime(1) === false);
console.assert(JSON.stringify(new Numbers(12).primes()) === "[2,3,5,7,11]");
console.assert(sign(-3) === -1);
""",
    "rust": """#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(gcd(12, 18), 6);
        assert_eq!(is_prime(1), false);
        assert_eq!(primes(12), vec![2, 3, 5, 7, 11]);
        assert_eq!(sign(-3), -1);
        assert_eq!(sign(0), 0);
    }
}
""",
}


def _programs(language: str) -> list[str]:
    paths = sorted(PROGRAMS.glob(f"*.{ENDINGS[language]}"))
    return [path.read_text(encoding="utf-8") for path in paths]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[A-Za-z_]\w*", text))


def _rewritten(
    rule: registry.Rule, language: str, text: str, seed: str, protected: frozenset[str] = frozenset()
) -> str | None:
    try:
        made = MechanicalRewriter().rewrite(text=text, rule=rule, language=language, protected=protected, seed=seed)
    except NotApplicable:
        return None
    return made.text


@settings(max_examples=400, deadline=None, derandomize=True)
@given(pair=st.sampled_from(PAIRS), number=st.integers(0, 2), seed=st.integers(0, 9))
def test_parses_differs_and_repeats_itself(pair: tuple[registry.Rule, str], number: int, seed: int) -> None:
    rule, language = pair
    text = _programs(language)[number]

    changed = _rewritten(rule, language, text, str(seed))

    if changed is not None:
        assert languages.get(language).parses(changed)
        assert not token_equal(text, changed, language)
    assert changed == _rewritten(rule, language, text, str(seed))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(pair=st.sampled_from(PAIRS), number=st.integers(0, 2), seed=st.integers(0, 9))
def test_renames_nothing_that_is_protected(pair: tuple[registry.Rule, str], number: int, seed: int) -> None:
    rule, language = pair
    text = _programs(language)[number]
    tree = parse(text, DIALECTS[language])
    assert tree is not None
    names = frozenset(tree.name(function) for function in tree.functions()) - {""}
    protected = names | _words(text) if "rename" in rule.change_classes else names

    changed = _rewritten(rule, language, text, str(seed), protected)

    assert changed is None or protected <= _words(changed)


@pytest.mark.parametrize("language", ENDINGS)
def test_most_rules_have_a_site_in_small_programs(language: str) -> None:
    rules = [rule for rule, spoken in PAIRS if spoken == language]

    found = [rule.id for rule in rules if any(_rewritten(rule, language, text, "s") for text in _programs(language))]

    assert len(found) >= 26


@pytest.mark.parametrize("language", ENDINGS)
def test_covers_every_ceiling_from_five_to_three(language: str) -> None:
    ceilings = [rule.ceiling for rule, spoken in PAIRS if spoken == language]

    assert min(ceilings.count(ceiling) for ceiling in (5, 4, 3)) >= 8


@pytest.mark.parametrize("language", ENDINGS)
def test_a_program_put_through_every_rule_still_passes(language: str) -> None:
    text = next(text for text in _programs(language) if "gcd" in text)
    if language == "go":
        text = text.replace(
            "package main\n", 'package main\n\nimport (\n\t"testing"\n\n\t"github.com/stretchr/testify/assert"\n)\n'
        )
    protected = _words(TESTS[language])
    rules = [rule for rule, spoken in PAIRS if spoken == language]
    made = 0

    for rule in random.Random("chain").sample(rules, len(rules)):
        changed = _rewritten(rule, language, text, "chain", protected)
        made += changed is not None
        text = changed or text
    run = languages.get(language).run_tests(program=text, tests=TESTS[language])

    assert (run.status, run.message) == (TestRunStatus.PASSED, "")
    assert made >= 20
