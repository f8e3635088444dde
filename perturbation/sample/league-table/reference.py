"""Rank the teams of a league, ties broken by their own matches."""

from collections import defaultdict

POINTS_WIN = 3
POINTS_DRAW = 1

Match = tuple[str, str, int, int]


def check_matches(matches: list[Match]) -> None:
    """Raise ValueError on a team against itself and on negative goals."""
    for home, away, home_goals, away_goals in matches:
        if home == away:
            raise ValueError(f"{home} cannot play against itself")
        if home_goals < 0 or away_goals < 0:
            raise ValueError(f"negative goals in {home} against {away}")


def match_points(scored: int, received: int) -> int:
    """Return the points that a team earns with a result."""
    if scored > received:
        return POINTS_WIN
    return POINTS_DRAW if scored == received else 0


def team_results(matches: list[Match]) -> dict[str, list[tuple[str, int, int]]]:
    """Return by team its (opponent, goals scored, goals received)."""
    results: defaultdict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for home, away, home_goals, away_goals in matches:
        results[home].append((away, home_goals, away_goals))
        results[away].append((home, away_goals, home_goals))
    return results


def league_table(matches: list[Match]) -> list[tuple[int, str, int, int, int]]:
    """Return (rank, team, played, points, goal difference), best team first.

    Raises ValueError on matches that cannot have happened.
    """
    check_matches(matches)
    results = team_results(matches)
    records: dict[str, tuple[int, int, int]] = {}
    for team, games in results.items():
        points = sum(match_points(scored, received) for _, scored, received in games)
        scored_total = sum(scored for _, scored, _ in games)
        received_total = sum(received for _, _, received in games)
        records[team] = (points, scored_total - received_total, scored_total)

    strengths: dict[str, tuple[int, int, int, int]] = {}
    for team, games in results.items():
        # Only opponents with the same record take part in the comparison.
        direct_points = sum(
            match_points(scored, received) for opponent, scored, received in games if records[opponent] == records[team]
        )
        strengths[team] = (*records[team], direct_points)

    rows: list[tuple[int, str, int, int, int]] = []
    for team in sorted(sorted(strengths), key=lambda name: strengths[name], reverse=True):
        rank = 1 + sum(1 for strength in strengths.values() if strength > strengths[team])
        points, difference, _ = records[team]
        rows.append((rank, team, len(results[team]), points, difference))
    return rows
