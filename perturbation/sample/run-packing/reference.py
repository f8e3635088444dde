"""Pack runs of equal characters into readable marks, and unpack them."""

import re
from itertools import groupby

MARK = "~"
SEPARATOR = "x"
MIN_RUN = 4
MAX_RUN = 999
RUN = re.compile(r"~([1-9][0-9]{0,2})x(.)", re.DOTALL)


def is_worth_marking(character: str, length: int) -> bool:
    """Say whether a run is written as a mark and not as it is."""
    return character == MARK or length >= MIN_RUN


def write_run(character: str, length: int) -> str:
    """Return the packed form of a run that is not longer than the maximum."""
    if is_worth_marking(character, length):
        return f"{MARK}{length}{SEPARATOR}{character}"
    return character * length


def pack(text: str) -> str:
    """Return the text with its long runs written as marks."""
    pieces: list[str] = []
    for character, run in groupby(text):
        full_runs, rest = divmod(sum(1 for _ in run), MAX_RUN)
        pieces.append(write_run(character, MAX_RUN) * full_runs)
        if rest > 0:
            pieces.append(write_run(character, rest))
    return "".join(pieces)


def read_run(packed: str, position: int) -> tuple[str, int]:
    """Return the text of the mark at a position, and the position after it."""
    match = RUN.match(packed, position)
    if match is None:
        raise ValueError(f"malformed mark at position {position}")
    length, character = int(match[1]), match[2]
    if not is_worth_marking(character, length):
        raise ValueError(f"needless mark at position {position}")
    return character * length, match.end()


def unpack(packed: str) -> str:
    """Return the text that was packed; raise ValueError on malformed marks."""
    pieces: list[str] = []
    position = 0
    while position < len(packed):
        mark_start = packed.find(MARK, position)
        if mark_start < 0:
            pieces.append(packed[position:])
            break
        pieces.append(packed[position:mark_start])
        run_text, position = read_run(packed, mark_start)
        pieces.append(run_text)
    return "".join(pieces)
