"""Reflow plain-text mail so that quoted passages keep their marks."""

QUOTE_MARK = ">"
MIN_WIDTH = 20
MIN_ROOM = 8

Paragraph = tuple[int, list[str]]


def split_quote(line: str) -> tuple[int, list[str]]:
    """Return the quote depth of a line and the words after its marks."""
    depth = 0
    rest = line
    while rest.startswith(QUOTE_MARK):
        depth += 1
        rest = rest.removeprefix(QUOTE_MARK).removeprefix(" ")
    return depth, rest.split()


def group_paragraphs(text: str) -> list[Paragraph]:
    """Join neighbouring lines of equal depth; a paragraph without words is a gap."""
    paragraphs: list[Paragraph] = []
    for line in text.splitlines():
        depth, words = split_quote(line)
        last_depth, last_words = paragraphs[-1] if paragraphs else (-1, [])
        same_kind = bool(words) == bool(last_words)
        if depth == last_depth and same_kind:
            last_words.extend(words)
        else:
            paragraphs.append((depth, words))
    return paragraphs


def fill_words(words: list[str], room: int) -> list[str]:
    """Pack words into lines of at most room characters; long words stand alone."""
    lines: list[str] = []
    current = ""
    for word in words:
        candidate = f"{current} {word}" if current else word
        if current and len(candidate) > room:
            lines.append(current)
            current = word
        else:
            current = candidate
    # A gap has no words and still takes up one line.
    return [*lines, current]


def reflow_mail(text: str, width: int = 72) -> str:
    """Refill the text to lines of at most width characters, quote by quote.

    Raises ValueError when width is too small to hold a readable line.
    """
    if width < MIN_WIDTH:
        raise ValueError(f"width must be at least {MIN_WIDTH}, not {width}")
    output: list[str] = []
    for depth, words in group_paragraphs(text):
        prefix = QUOTE_MARK * depth + " " if depth > 0 else ""
        room = max(width - len(prefix), MIN_ROOM)
        output.extend((prefix + line).rstrip() for line in fill_words(words, room))
    return "\n".join(output).rstrip("\n")
