"""Decide access to paths by rules of which the most specific one wins."""

ALLOW = "allow"
DENY = "deny"
ANY = "*"
REST = "**"
SEPARATOR = "/"

Rule = tuple[str, str, str, str]


def split_path(path: str) -> list[str]:
    """Return the segments of a path or pattern without empty ones."""
    return [segment for segment in path.split(SEPARATOR) if segment]


def check_rule(rule: Rule) -> None:
    """Raise ValueError when the effect or the pattern of a rule is not valid."""
    effect, _, _, pattern = rule
    if effect not in (ALLOW, DENY):
        raise ValueError(f"unknown effect {effect!r}")
    if REST in split_path(pattern)[:-1]:
        raise ValueError(f"{REST} must be the last segment of {pattern!r}")


def matches_path(pattern: list[str], path: list[str]) -> bool:
    """Say whether the segments of a pattern match those of a path."""
    if pattern and pattern[-1] == REST:
        pattern = pattern[:-1]
        path = path[: len(pattern)]
    if len(pattern) != len(path):
        return False
    return all(expected in (ANY, actual) for expected, actual in zip(pattern, path, strict=True))


def specificity(pattern: list[str]) -> tuple[int, int]:
    """Return the numbers of literal and of single-wildcard segments."""
    literal_count = sum(1 for segment in pattern if segment not in (ANY, REST))
    return literal_count, pattern.count(ANY)


def is_allowed(rules: list[Rule], roles: set[str], action: str, path: str) -> bool:
    """Say whether one of the roles may perform the action on the path.

    Raises ValueError when any of the rules is not valid.
    """
    path_segments = split_path(path)
    effects_by_rank: dict[tuple[int, int], set[str]] = {}
    for rule in rules:
        check_rule(rule)
        effect, rule_role, rule_action, rule_pattern = rule
        pattern = split_path(rule_pattern)
        has_role = rule_role == ANY or rule_role in roles
        has_action = rule_action in (ANY, action)
        if has_role and has_action and matches_path(pattern, path_segments):
            effects_by_rank.setdefault(specificity(pattern), set()).add(effect)
    if not effects_by_rank:
        return False
    # A denial outweighs any permission of the same rank.
    return DENY not in effects_by_rank[max(effects_by_rank)]
