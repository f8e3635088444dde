"""Compute what a paginated list shows around its current page."""

FIRST_PAGE = 1

Link = int | None


def count_pages(item_count: int, page_size: int) -> int:
    """Return how many pages the items fill, at least one."""
    full_pages, rest = divmod(item_count, page_size)
    return max(full_pages + (1 if rest else 0), FIRST_PAGE)


def page_links(page: int, pages: int, around: int) -> list[Link]:
    """Return the page numbers to show, with None for a gap of several pages."""
    near = range(max(page - around, FIRST_PAGE), min(page + around, pages) + 1)
    shown = sorted({FIRST_PAGE, pages, *near})
    links: list[Link] = []
    previous = 0
    for number in shown:
        hidden = number - previous - 1
        if hidden == 1:
            # A gap sign would take as much room as the page it hides.
            links.append(number - 1)
        elif hidden > 1:
            links.append(None)
        links.append(number)
        previous = number
    return links


def page_window(item_count: int, page_size: int, page: int, around: int = 1) -> dict[str, object]:
    """Return the items, neighbours and links of a page, clamped into range.

    Raises ValueError on negative counts and on pages without room for an item.
    """
    if item_count < 0 or around < 0:
        raise ValueError("item_count and around must not be negative")
    if page_size < 1:
        raise ValueError("a page must hold at least one item")

    pages = count_pages(item_count, page_size)
    current = min(max(page, FIRST_PAGE), pages)
    items_before = (current - 1) * page_size
    return {
        "page": current,
        "pages": pages,
        "first": items_before + 1 if item_count else 0,
        "last": min(items_before + page_size, item_count),
        "previous": current - 1 if current > FIRST_PAGE else None,
        "next": current + 1 if current < pages else None,
        "links": page_links(current, pages, around),
    }
