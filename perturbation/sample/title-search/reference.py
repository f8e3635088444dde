"""Search a list of titles and rank what is found."""

POINTS_EQUAL = 3
POINTS_PREFIX = 2
POINTS_INSIDE = 1
POINTS_START = 1
MIN_INSIDE_LENGTH = 3


def split_words(text: str) -> list[str]:
    """Return the case-folded words of a text."""
    spaced = "".join(character if character.isalnum() else " " for character in text.casefold())
    return spaced.split()


def word_points(wanted: str, word: str) -> int:
    """Return the points that a word of the query earns with a word of a title."""
    if word == wanted:
        return POINTS_EQUAL
    if word.startswith(wanted):
        return POINTS_PREFIX
    if len(wanted) >= MIN_INSIDE_LENGTH and wanted in word:
        return POINTS_INSIDE
    return 0


def title_points(wanted_words: list[str], title_words: list[str]) -> int:
    """Return the points of a title, or 0 if it misses a word of the query."""
    total = 0
    for wanted in wanted_words:
        best = max((word_points(wanted, word) for word in title_words), default=0)
        if best == 0:
            return 0
        total += best
    if title_words[0].startswith(wanted_words[0]):
        total += POINTS_START
    return total


def search_titles(titles: list[str], query: str, limit: int = 10) -> list[str]:
    """Return the best titles for a query, best first.

    Raises ValueError when limit is below 1.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    wanted_words = list(dict.fromkeys(split_words(query)))
    if not wanted_words:
        return []

    ranked: list[tuple[int, int, int]] = []
    for position, title in enumerate(titles):
        title_words = split_words(title)
        points = title_points(wanted_words, title_words)
        if points > 0:
            ranked.append((-points, len(title_words), position))
    return [titles[position] for _, _, position in sorted(ranked)[:limit]]
