"""A bounded cache with a lifetime for its entries and no clock of its own."""

from collections import OrderedDict

MIN_CAPACITY = 1
MIN_LIFETIME = 1


class ExpiringCache:
    """Keep at most capacity entries, each for less than lifetime units of time."""

    def __init__(self, capacity: int, lifetime: int) -> None:
        if capacity < MIN_CAPACITY:
            raise ValueError(f"capacity must be at least {MIN_CAPACITY}")
        if lifetime < MIN_LIFETIME:
            raise ValueError(f"lifetime must be at least {MIN_LIFETIME}")
        self.capacity = capacity
        self.lifetime = lifetime
        self.hits = 0
        self.misses = 0
        # Least recently used entries come first; each holds its time of storing.
        self._entries: OrderedDict[str, tuple[int, object]] = OrderedDict()

    def put(self, key: str, value: object, now: int) -> None:
        """Store a value; make room by expiry first, then by least recent use."""
        if key not in self._entries and self._is_full():
            self.purge(now)
            if self._is_full():
                self._entries.popitem(last=False)
        self._entries[key] = (now, value)
        self._entries.move_to_end(key)

    def get(self, key: str, now: int, default: object = None) -> object:
        """Return a value that has not expired, or the default; count the outcome."""
        if key in self._entries and self._is_expired(key, now):
            del self._entries[key]
        if key not in self._entries:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key)
        _, value = self._entries[key]
        return value

    def purge(self, now: int) -> int:
        """Remove all expired entries and return their number."""
        expired_keys = [key for key in self._entries if self._is_expired(key, now)]
        for key in expired_keys:
            del self._entries[key]
        return len(expired_keys)

    def keys(self) -> list[str]:
        """Return the stored keys, least recently used first."""
        return list(self._entries)

    def _is_full(self) -> bool:
        return len(self._entries) >= self.capacity

    def _is_expired(self, key: str, now: int) -> bool:
        stored_at, _ = self._entries[key]
        return now >= stored_at + self.lifetime
