"""Slow down password guessing by blocking users after repeated failures."""

MAX_BLOCK = 86_400
GROWTH = 2

BLOCKED = "blocked"
ACCEPTED = "accepted"
REFUSED = "refused"


class LoginThrottle:
    """Count failed logins by user and block those who fail too often."""

    def __init__(self, max_failures: int, window: int, first_block: int) -> None:
        if min(max_failures, window, first_block) < 1:
            raise ValueError("all limits must be at least 1")
        self.max_failures = max_failures
        self.window = window
        self.first_block = first_block
        self._failures: dict[str, list[int]] = {}
        self._blocked_until: dict[str, int] = {}
        self._block_counts: dict[str, int] = {}

    def attempt(self, user: str, now: int, *, is_correct: bool) -> str:
        """Record a login and return whether it is accepted, refused or blocked."""
        name = user.casefold()
        if self._is_blocked(name, now):
            return BLOCKED
        if is_correct:
            self._failures.pop(name, None)
            self._block_counts.pop(name, None)
            return ACCEPTED

        recent = [moment for moment in self._failures.get(name, []) if now - moment < self.window]
        recent.append(now)
        if len(recent) >= self.max_failures:
            self._block(name, now)
            recent = []
        self._failures[name] = recent
        return REFUSED

    def blocked_users(self, now: int) -> list[str]:
        """Return the sorted, case-folded names that are blocked at a time."""
        return sorted(name for name in self._blocked_until if self._is_blocked(name, now))

    def _is_blocked(self, name: str, now: int) -> bool:
        # Without an entry the block counts as over at this very moment.
        return now < self._blocked_until.get(name, now)

    def _block(self, name: str, now: int) -> None:
        earlier_blocks = self._block_counts.get(name, 0)
        duration = min(self.first_block * GROWTH**earlier_blocks, MAX_BLOCK)
        self._blocked_until[name] = now + duration
        self._block_counts[name] = earlier_blocks + 1
