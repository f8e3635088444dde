"""Bring polygon outlines on an integer grid into a normal form."""

Point = tuple[int, int]

MIN_VERTICES = 3


def cross_product(origin: Point, first: Point, second: Point) -> int:
    """Return the cross product of the ways from origin to the two points.

    It is positive for a turn to the left, and 0 on a straight line.
    """
    first_x, first_y = first[0] - origin[0], first[1] - origin[1]
    second_x, second_y = second[0] - origin[0], second[1] - origin[1]
    return first_x * second_y - first_y * second_x


def find_needless(outline: list[Point]) -> int | None:
    """Return the index of the first vertex that adds nothing to the shape."""
    for index, vertex in enumerate(outline):
        before = outline[index - 1]
        after = outline[(index + 1) % len(outline)]
        # A vertex equal to a neighbour lies on any line through both of them.
        if cross_product(before, vertex, after) == 0:
            return index
    return None


def doubled_area(outline: list[Point]) -> int:
    """Return twice the signed area; it is positive for counter-clockwise."""
    origin = (0, 0)
    following = outline[1:] + outline[:1]
    return sum(cross_product(origin, vertex, after) for vertex, after in zip(outline, following, strict=True))


def tidy_outline(points: list[Point]) -> list[Point]:
    """Return the outline without needless vertices, counter-clockwise.

    It starts at the lowest, then leftmost vertex. A shape without area gives
    an empty list.
    """
    outline = list(points)
    while outline:
        needless = find_needless(outline)
        if needless is None:
            break
        del outline[needless]

    area = doubled_area(outline)
    if len(outline) < MIN_VERTICES or area == 0:
        return []
    if area < 0:
        outline.reverse()
    start = min(range(len(outline)), key=lambda index: (outline[index][1], outline[index][0]))
    return outline[start:] + outline[:start]
