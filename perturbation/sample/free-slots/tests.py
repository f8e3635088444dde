DAY = (540, 720)


def _is_refused(day: tuple[int, int], busy: list[tuple[int, int]], length: int, pause: int = 0) -> bool:
    try:
        free_slots(day, busy, length, pause)
    except ValueError:
        return True
    return False


def test_finds_slots_around_overlapping_appointments() -> None:
    busy = [(600, 630), (615, 660)]

    assert free_slots(DAY, busy, 30, 10) == [(540, 590), (670, 720)]
    assert free_slots(DAY, busy, 60, 10) == []


def test_slot_of_the_exact_length_counts() -> None:
    busy = [(600, 660)]

    assert free_slots(DAY, busy, 60) == [(540, 600), (660, 720)]
    assert free_slots(DAY, busy, 61) == []


def test_day_without_appointments_is_one_slot() -> None:
    assert free_slots(DAY, [], 30, 15) == [(540, 720)]
    assert free_slots(DAY, [], 180) == [(540, 720)]
    assert free_slots(DAY, [], 181) == []


def test_order_of_appointments_does_not_matter() -> None:
    busy = [(700, 710), (560, 570), (600, 620)]

    assert free_slots(DAY, busy, 1) == [(540, 560), (570, 600), (620, 700), (710, 720)]
    assert busy == [(700, 710), (560, 570), (600, 620)]


def test_touching_appointments_leave_nothing_between() -> None:
    assert free_slots(DAY, [(560, 600), (600, 640)], 1) == [(540, 560), (640, 720)]
    assert free_slots(DAY, [(560, 600), (601, 640)], 1) == [
        (540, 560),
        (600, 601),
        (640, 720),
    ]


def test_appointment_inside_another_changes_nothing() -> None:
    assert free_slots(DAY, [(560, 700), (570, 580)], 10) == [(540, 560), (700, 720)]
    assert free_slots(DAY, [(560, 700), (560, 700)], 10) == [(540, 560), (700, 720)]


def test_appointments_are_cut_at_the_ends_of_the_day() -> None:
    assert free_slots(DAY, [(500, 560), (700, 800)], 10) == [(560, 700)]
    assert free_slots(DAY, [(540, 560), (700, 720)], 10) == [(560, 700)]


def test_appointments_outside_the_day_do_not_matter() -> None:
    assert free_slots(DAY, [(0, 500), (720, 800), (900, 950)], 10) == [(540, 720)]


def test_pause_reaches_into_the_day() -> None:
    assert free_slots(DAY, [(500, 535), (725, 800)], 10, 15) == [(550, 710)]
    assert free_slots(DAY, [(500, 530), (730, 800)], 10, 10) == [(540, 720)]


def test_pauses_may_close_a_gap() -> None:
    busy = [(540, 600), (630, 720)]

    assert free_slots(DAY, busy, 1, 14) == [(614, 616)]
    assert free_slots(DAY, busy, 1, 15) == []


def test_day_may_be_full() -> None:
    assert free_slots(DAY, [(500, 800)], 1) == []
    assert free_slots(DAY, [(540, 720)], 1) == []


def test_appointment_without_length_blocks_only_its_pauses() -> None:
    assert free_slots(DAY, [(600, 600)], 10, 5) == [(540, 595), (605, 720)]
    assert free_slots(DAY, [(600, 600)], 10) == [(540, 720)]


def test_day_without_length_has_no_slot() -> None:
    assert free_slots((600, 600), [], 1) == []


def test_works_with_negative_times() -> None:
    assert free_slots((-60, 60), [(-10, 10)], 50) == [(-60, -10), (10, 60)]


def test_refuses_bad_arguments() -> None:
    assert _is_refused((600, 599), [], 1)
    assert _is_refused(DAY, [(600, 599)], 1)
    assert _is_refused(DAY, [(560, 570), (650, 640)], 1)
    assert _is_refused(DAY, [], 0)
    assert _is_refused(DAY, [], 1, -1)
    assert not _is_refused(DAY, [], 1, 0)
