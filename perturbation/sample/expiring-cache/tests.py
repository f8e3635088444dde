def test_least_recently_used_entry_makes_room() -> None:
    cache = ExpiringCache(2, 10)

    cache.put("a", 1, 0)
    cache.put("b", 2, 1)
    assert cache.get("a", 2) == 1
    cache.put("c", 3, 3)

    assert cache.keys() == ["a", "c"]
    assert cache.get("b", 3) is None


def test_cache_holds_as_many_entries_as_its_capacity() -> None:
    cache = ExpiringCache(3, 10)

    for moment, key in enumerate("abcd"):
        cache.put(key, moment, moment)

    assert cache.keys() == ["b", "c", "d"]


def test_entry_expires_exactly_after_its_lifetime() -> None:
    cache = ExpiringCache(2, 10)
    cache.put("a", 1, 5)

    assert cache.get("a", 14) == 1
    assert cache.get("a", 15) is None
    assert cache.keys() == []


def test_hit_does_not_restart_the_age() -> None:
    cache = ExpiringCache(2, 10)
    cache.put("a", 1, 0)

    assert cache.get("a", 9) == 1
    assert cache.get("a", 10, "gone") == "gone"


def test_put_restarts_the_age_and_replaces_the_value() -> None:
    cache = ExpiringCache(2, 10)
    cache.put("a", 1, 0)
    cache.put("a", 2, 8)

    assert cache.get("a", 17) == 2
    assert cache.get("a", 18) is None


def test_put_of_a_known_key_makes_it_recent_and_removes_nothing() -> None:
    cache = ExpiringCache(2, 10)
    cache.put("a", 1, 0)
    cache.put("b", 2, 0)

    cache.put("a", 3, 1)

    assert cache.keys() == ["b", "a"]


def test_put_of_a_known_key_keeps_expired_entries() -> None:
    cache = ExpiringCache(2, 5)
    cache.put("a", 1, 0)
    cache.put("b", 2, 4)

    cache.put("b", 3, 6)

    assert cache.keys() == ["a", "b"]


def test_expired_entries_make_room_before_live_ones() -> None:
    cache = ExpiringCache(3, 10)
    cache.put("x", 1, 0)
    cache.put("y", 2, 1)
    cache.put("live", 3, 6)
    cache.get("x", 7)
    cache.get("y", 7)

    cache.put("new", 4, 11)

    assert cache.keys() == ["live", "new"]


def test_nothing_expires_while_there_is_room() -> None:
    cache = ExpiringCache(3, 5)
    cache.put("a", 1, 0)

    cache.put("b", 2, 50)

    assert cache.keys() == ["a", "b"]


def test_counts_hits_and_misses() -> None:
    cache = ExpiringCache(2, 10)
    assert (cache.hits, cache.misses) == (0, 0)
    cache.put("a", 1, 0)

    cache.get("a", 1)
    cache.get("a", 2)
    cache.get("b", 2)
    cache.get("a", 10)
    cache.get("a", 10)

    assert (cache.hits, cache.misses) == (2, 3)


def test_stored_none_is_a_hit() -> None:
    cache = ExpiringCache(1, 10)
    cache.put("a", None, 0)

    assert cache.get("a", 1, "default") is None
    assert cache.hits == 1


def test_purge_returns_how_many_it_removed() -> None:
    cache = ExpiringCache(5, 10)
    cache.put("a", 1, 0)
    cache.put("b", 1, 1)
    cache.put("c", 1, 2)

    assert cache.purge(9) == 0
    assert cache.purge(11) == 2
    assert cache.purge(11) == 0
    assert cache.keys() == ["c"]


def test_capacity_of_one() -> None:
    cache = ExpiringCache(1, 1)
    cache.put("a", 1, -5)
    cache.put("b", 2, -5)

    assert cache.keys() == ["b"]
    assert cache.get("b", -5) == 2
    assert cache.get("b", -4) is None


def test_refuses_sizes_below_one() -> None:
    for capacity, lifetime in [(0, 1), (1, 0), (-1, 5), (5, -1)]:
        try:
            ExpiringCache(capacity, lifetime)
        except ValueError:
            continue
        raise AssertionError(f"accepted {capacity}, {lifetime}")
