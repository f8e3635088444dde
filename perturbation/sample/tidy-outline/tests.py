SQUARE = [(0, 0), (2, 0), (2, 2), (0, 2)]


def test_removes_points_on_a_straight_side() -> None:
    assert tidy_outline([(0, 2), (2, 2), (2, 0), (1, 0), (0, 0), (0, 2)]) == SQUARE


def test_keeps_a_tidy_outline() -> None:
    assert tidy_outline(SQUARE) == SQUARE
    assert tidy_outline([(0, 0), (3, 0), (0, 1)]) == [(0, 0), (3, 0), (0, 1)]


def test_turns_clockwise_into_counter_clockwise() -> None:
    assert tidy_outline([(0, 0), (0, 2), (2, 2), (2, 0)]) == SQUARE
    assert tidy_outline([(0, 0), (0, 1), (3, 0)]) == [(0, 0), (3, 0), (0, 1)]


def test_starts_at_the_lowest_then_leftmost_vertex() -> None:
    assert tidy_outline([(2, 2), (0, 2), (0, 0), (2, 0)]) == SQUARE
    assert tidy_outline([(-5, 1), (0, 0), (4, 3)]) == [(0, 0), (4, 3), (-5, 1)]
    assert tidy_outline([(5, -1), (9, 3), (1, -1)]) == [(1, -1), (5, -1), (9, 3)]


def test_removes_repeated_points() -> None:
    assert tidy_outline([(0, 0), (0, 0), (2, 0), (2, 2), (2, 2), (0, 2)]) == SQUARE
    assert tidy_outline([*SQUARE, (0, 0), (0, 0)]) == SQUARE


def test_removes_several_points_on_one_side() -> None:
    points = [(1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0)]

    assert tidy_outline(points) == SQUARE


def test_removes_spikes() -> None:
    assert tidy_outline([(0, 0), (2, 0), (5, 0), (2, 0), (2, 2), (0, 2)]) == SQUARE
    assert tidy_outline([(0, 0), (5, 0), (2, 0), (2, 2), (0, 2)]) == SQUARE


def test_removes_a_needless_point_at_the_ends_of_the_list() -> None:
    assert tidy_outline([(1, 0), (2, 0), (2, 2), (0, 2), (0, 0)]) == SQUARE
    assert tidy_outline([(2, 0), (2, 2), (0, 2), (0, 0), (1, 0)]) == SQUARE


def test_keeps_inward_corners() -> None:
    shape = [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]

    assert tidy_outline(shape) == shape
    assert tidy_outline(shape[::-1]) == shape


def test_shapes_without_area_give_nothing() -> None:
    assert tidy_outline([]) == []
    assert tidy_outline([(1, 1)]) == []
    assert tidy_outline([(1, 1), (2, 3)]) == []
    assert tidy_outline([(0, 0), (1, 1), (3, 3)]) == []
    assert tidy_outline([(4, 4)] * 5) == []


def test_balanced_figure_eight_gives_nothing() -> None:
    assert tidy_outline([(0, 0), (2, 2), (2, 0), (0, 2)]) == []


def test_is_exact_for_large_and_negative_numbers() -> None:
    far = 10**18
    thin = [(-far, -far), (far, far - 1), (far, far)]

    assert tidy_outline(thin) == thin


def test_leaves_its_input_alone() -> None:
    points = [(0, 0), (0, 2), (0, 2), (2, 2), (2, 0)]

    tidy_outline(points)

    assert points == [(0, 0), (0, 2), (0, 2), (2, 2), (2, 0)]
