"""Cut spreadsheet formulas into tokens."""

import re

START_MARK = "="
TOKEN = re.compile(
    r"""
      (?P<number>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?![0-9.A-Za-z_]))
    | (?P<text>"(?:[^"]|"")*+")
    | (?P<cell>\$?[A-Za-z]{1,3}\$?[1-9][0-9]*(?![A-Za-z0-9_.(]|\s+\())
    | (?P<function>[A-Za-z][A-Za-z0-9_.]*(?=\s*\())
    | (?P<name>[A-Za-z][A-Za-z0-9_.]*)
    | (?P<operator><=|>=|<>|[-+*/^&=<>:%])
    | (?P<comma>,)
    | (?P<open>\()
    | (?P<close>\))
    """,
    re.VERBOSE,
)
UPPER_CASE_KINDS = {"cell", "function"}

Token = tuple[str, str]


def token_text(kind: str, raw: str) -> str:
    """Return the text of a token without its quotes and in its usual case."""
    if kind == "text":
        return raw[1:-1].replace('""', '"')
    return raw.upper() if kind in UPPER_CASE_KINDS else raw


def skip_blanks(formula: str, position: int) -> int:
    """Return the first position from here on that holds no white space."""
    while position < len(formula) and formula[position].isspace():
        position += 1
    return position


def tokenise(formula: str) -> list[Token]:
    """Return the (kind, text) pairs of a formula.

    Raises ValueError with the position of what cannot be read or balanced.
    """
    if not formula.startswith(START_MARK):
        raise ValueError("position 0: a formula starts with =")
    tokens: list[Token] = []
    open_positions: list[int] = []
    position = skip_blanks(formula, len(START_MARK))
    while position < len(formula):
        match = TOKEN.match(formula, position)
        if match is None or match.lastgroup is None:
            raise ValueError(f"position {position}: cannot read this")
        kind = match.lastgroup
        if kind == "open":
            open_positions.append(position)
        elif kind == "close":
            if not open_positions:
                raise ValueError(f"position {position}: nothing to close")
            open_positions.pop()
        tokens.append((kind, token_text(kind, match.group())))
        position = skip_blanks(formula, match.end())
    if open_positions:
        raise ValueError(f"position {open_positions[-1]}: never closed")
    return tokens
