"""Place bookings into the smallest rooms that hold them."""

Booking = tuple[str, int, int, int]

MIN_PEOPLE = 1


def check_bookings(bookings: list[Booking]) -> None:
    """Raise ValueError on repeated titles, empty times and bookings for nobody."""
    seen_titles: set[str] = set()
    for title, start, end, people in bookings:
        if title in seen_titles:
            raise ValueError(f"two bookings are called {title!r}")
        if end <= start:
            raise ValueError(f"{title!r} ends before it starts")
        if people < MIN_PEOPLE:
            raise ValueError(f"{title!r} is for {people} people")
        seen_titles.add(title)


def placing_order(booking: Booking) -> tuple[int, int, str]:
    """Return the sort key by which bookings are placed."""
    title, start, _, people = booking
    return start, -people, title


def plan_rooms(rooms: dict[str, int], bookings: list[Booking]) -> tuple[dict[str, str], list[str]]:
    """Return the room of every placed title, and the titles without a room.

    Raises ValueError when a booking makes no sense or a title is used twice.
    """
    check_bookings(bookings)
    rooms_by_size = sorted(rooms, key=lambda room: (rooms[room], room))
    busy_until: dict[str, int] = {}
    placed: dict[str, str] = {}
    refused: list[str] = []

    for title, start, end, people in sorted(bookings, key=placing_order):
        # Bookings come in order of start, so only the last end of a room matters.
        suitable = (room for room in rooms_by_size if rooms[room] >= people and busy_until.get(room, start) <= start)
        room = next(suitable, None)
        if room is None:
            refused.append(title)
            continue
        busy_until[room] = end
        placed[title] = room
    return placed, refused
