"""Chain plans: the lowest ceiling is the target, no rule stands twice, and the seed decides everything."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbation.chains import ChainPlan, NoRulesForTarget, plan_chain
from perturbation.rules.registry import all_rules, get

CEILING = {rule.id: rule.ceiling for rule in all_rules()}


def _first_choices(plan: ChainPlan) -> list[str]:
    """What a builder takes when every rule has a site."""
    chosen: list[str] = []
    for position in plan.positions:
        chosen.append(next(rule_id for rule_id in position.candidates if rule_id not in chosen))
    return chosen


@given(target=st.integers(1, 4), seed=st.text(max_size=12), max_steps=st.integers(1, 7))
def test_lowest_ceiling_of_a_chain_is_the_target(target: int, seed: str, max_steps: int) -> None:
    plan = plan_chain(target=target, seed=seed, rules=all_rules(), max_steps=max_steps)
    chosen = _first_choices(plan)

    assert min(CEILING[rule_id] for rule_id in chosen) == target
    assert max(CEILING[rule_id] for rule_id in chosen) < 5
    assert len(set(chosen)) == len(chosen)
    assert 1 <= len(chosen) <= max_steps


@given(target=st.integers(1, 4), seed=st.text(max_size=12))
def test_any_choice_keeps_the_target(target: int, seed: str) -> None:
    plan = plan_chain(target=target, seed=seed, rules=all_rules())
    binding = [position for position in plan.positions if position.is_binding]

    assert len(binding) == 1
    assert plan.positions[plan.binding_position] == binding[0]
    assert {CEILING[rule_id] for rule_id in binding[0].candidates} == {target}
    for position in plan.positions:
        assert all(target <= CEILING[rule_id] < 5 for rule_id in position.candidates)
        assert len(set(position.candidates)) == len(position.candidates)


def test_exemplars_use_rules_of_ceiling_five_only() -> None:
    plans = [plan_chain(target=5, seed=str(seed), rules=all_rules()) for seed in range(50)]

    assert {CEILING[rule_id] for plan in plans for position in plan.positions for rule_id in position.candidates} == {5}
    assert all(position.is_binding for plan in plans for position in plan.positions)


def test_same_seed_gives_the_same_plan_whatever_the_order_of_the_rules() -> None:
    plan = plan_chain(target=3, seed="humaneval|Python/1|3|0", rules=all_rules())

    assert plan == plan_chain(target=3, seed="humaneval|Python/1|3|0", rules=tuple(reversed(all_rules())))
    assert plan != plan_chain(target=3, seed="humaneval|Python/1|3|1", rules=all_rules())


def test_length_and_binding_position_are_uniform() -> None:
    plans = [plan_chain(target=2, seed=str(seed), rules=all_rules()) for seed in range(5000)]
    lengths = Counter(len(plan.positions) for plan in plans)
    places = Counter(plan.binding_position for plan in plans if len(plan.positions) == 5)

    assert set(lengths) == {1, 2, 3, 4, 5}
    assert all(900 <= times <= 1100 for times in lengths.values())
    assert set(places) == {0, 1, 2, 3, 4}
    assert all(160 <= times <= 250 for times in places.values())


def test_plan_is_shorter_where_there_are_too_few_rules() -> None:
    rules = (get("off-by-one"), get("magic-number"))

    lengths = {len(plan_chain(target=2, seed=str(seed), rules=rules).positions) for seed in range(50)}

    assert lengths == {1, 2}


def test_refuses_a_target_that_no_rule_reaches() -> None:
    with pytest.raises(NoRulesForTarget, match="no rule has the ceiling 1"):
        plan_chain(target=1, seed="s", rules=(get("off-by-one"),))


@pytest.mark.parametrize(("target", "max_steps"), [(0, 5), (6, 5), (3, 0)])
def test_refuses_values_outside_their_range(target: int, max_steps: int) -> None:
    with pytest.raises(ValueError, match="target must be in"):
        plan_chain(target=target, seed="s", rules=all_rules(), max_steps=max_steps)
