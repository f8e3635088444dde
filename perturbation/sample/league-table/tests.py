def _order(matches: list[tuple[str, str, int, int]]) -> str:
    return " ".join(f"{rank}{team}" for rank, team, _, _, _ in league_table(matches))


def test_ranks_by_points_and_goal_difference() -> None:
    assert league_table([("A", "B", 2, 0), ("B", "C", 1, 1)]) == [
        (1, "A", 1, 3, 2),
        (2, "C", 1, 1, 0),
        (3, "B", 2, 1, -2),
    ]


def test_away_wins_count_like_home_wins() -> None:
    assert league_table([("A", "B", 0, 1)]) == [(1, "B", 1, 3, 1), (2, "A", 1, 0, -1)]
    assert league_table([("A", "B", 1, 0)]) == [(1, "A", 1, 3, 1), (2, "B", 1, 0, -1)]


def test_draw_gives_both_a_point_and_a_shared_rank() -> None:
    assert league_table([("B", "A", 0, 0)]) == [(1, "A", 1, 1, 0), (1, "B", 1, 1, 0)]


def test_points_come_before_goal_difference() -> None:
    matches = [("A", "X", 1, 0), ("A", "Y", 1, 0), ("B", "X", 9, 0), ("B", "Y", 0, 0)]

    assert _order(matches) == "1A 2B 3Y 4X"


def test_a_win_is_worth_three_draws() -> None:
    matches = [("A", "X", 3, 0), ("B", "X", 0, 0), ("B", "Y", 0, 0), ("B", "Z", 0, 0)]

    assert league_table(matches)[:2] == [(1, "A", 1, 3, 3), (2, "B", 3, 3, 0)]


def test_goals_scored_come_after_goal_difference() -> None:
    assert _order([("A", "X", 1, 0), ("B", "Y", 4, 3)]) == "1B 2A 3Y 4X"
    assert _order([("A", "X", 2, 0), ("B", "Y", 4, 3)]) == "1A 2B 3Y 4X"


def test_matches_among_equal_teams_decide() -> None:
    matches = [("A", "B", 0, 1), ("A", "C", 2, 1), ("C", "B", 2, 1)]
    matches += [("A", "D", 1, 1), ("B", "D", 1, 1)]

    assert league_table(matches) == [
        (1, "B", 3, 4, 0),
        (2, "A", 3, 4, 0),
        (3, "C", 2, 3, 0),
        (4, "D", 2, 2, 0),
    ]


def test_direct_comparison_decides_against_the_alphabet() -> None:
    matches = [("B", "A", 1, 0), ("A", "X", 1, 0), ("Y", "B", 1, 0)]

    assert _order(matches) == "1Y 2B 3A 4X"


def test_direct_comparison_ignores_other_opponents() -> None:
    matches = [("A", "X", 1, 0), ("A", "Y", 0, 1), ("B", "X", 0, 1), ("B", "Z", 1, 0)]

    assert _order(matches) == "1Y 2A 2X 4B 5Z"


def test_teams_in_a_circle_share_a_rank() -> None:
    assert _order([("C", "A", 1, 0), ("A", "B", 1, 0), ("B", "C", 1, 0)]) == "1A 1B 1C"


def test_rank_after_a_shared_one_is_skipped() -> None:
    matches = [("A", "X", 1, 0), ("B", "Y", 1, 0), ("C", "Z", 0, 0)]

    assert _order(matches) == "1A 1B 3C 3Z 5X 5Y"


def test_counts_matches_played_twice() -> None:
    assert league_table([("A", "B", 1, 0), ("B", "A", 2, 2)]) == [
        (1, "A", 2, 4, 1),
        (2, "B", 2, 1, -1),
    ]


def test_names_are_kept_apart_by_case_and_sorted() -> None:
    assert _order([("b", "B", 0, 0), ("Ä", "a", 0, 0)]) == "1B 1a 1b 1Ä"


def test_no_matches() -> None:
    assert league_table([]) == []


def test_refuses_impossible_matches() -> None:
    for match in [("A", "A", 1, 0), ("A", "B", -1, 0), ("A", "B", 0, -1)]:
        try:
            league_table([("C", "D", 0, 0), match])
        except ValueError:
            continue
        raise AssertionError(f"accepted {match}")


def test_leaves_its_input_alone() -> None:
    matches = [("B", "A", 1, 0), ("A", "C", 0, 0)]

    league_table(matches)

    assert matches == [("B", "A", 1, 0), ("A", "C", 0, 0)]
