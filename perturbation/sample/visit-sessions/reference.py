"""Cut a log of page visits into sessions."""

from collections import defaultdict
from itertools import groupby

Visit = tuple[str, int, str]
TimedPage = tuple[int, str]


def visits_by_user(visits: list[Visit]) -> dict[str, list[TimedPage]]:
    """Return the (second, page) pairs of each user in order of time."""
    by_user: defaultdict[str, list[TimedPage]] = defaultdict(list)
    for user, second, page in visits:
        if user:
            by_user[user].append((second, page))
    for timed_pages in by_user.values():
        # Pages are no part of the key: equal times keep the order of the log.
        timed_pages.sort(key=lambda timed_page: timed_page[0])
    return by_user


def cut(timed_pages: list[TimedPage], idle_limit: int, max_length: int) -> list[list[TimedPage]]:
    """Cut the visits of one user, in order of time, into sessions."""
    sessions: list[list[TimedPage]] = []
    for second, page in timed_pages:
        if sessions:
            first_second = sessions[-1][0][0]
            last_second = sessions[-1][-1][0]
            is_idle = second - last_second > idle_limit
            is_too_long = second - first_second > max_length
            if not is_idle and not is_too_long:
                sessions[-1].append((second, page))
                continue
        sessions.append([(second, page)])
    return sessions


def describe(user: str, session: list[TimedPage]) -> dict[str, object]:
    """Return what is reported about one session."""
    start, end = session[0][0], session[-1][0]
    pages = [page for page, _ in groupby(page for _, page in session)]
    return {
        "user": user,
        "start": start,
        "length": end - start,
        "pages": pages,
        "bounce": len(pages) == 1,
    }


def split_sessions(visits: list[Visit], idle_limit: int, max_length: int) -> list[dict[str, object]]:
    """Return the sessions of all users, ordered by start and user.

    Raises ValueError on negative limits.
    """
    if idle_limit < 0 or max_length < 0:
        raise ValueError("limits must not be negative")
    found: list[tuple[int, str, list[TimedPage]]] = []
    for user, timed_pages in visits_by_user(visits).items():
        for session in cut(timed_pages, idle_limit, max_length):
            found.append((session[0][0], user, session))
    found.sort(key=lambda entry: entry[:2])
    return [describe(user, session) for _, user, session in found]
