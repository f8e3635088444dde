"""The source formats by name: one line each. A new format is one module and one line here."""

from __future__ import annotations

from perturbation.importing import Reader, SourceUnreadable, axiom, humaneval, humaneval_x

READERS: dict[str, Reader] = {
    "axiom": axiom.read,
    "humaneval": humaneval.read,
    "humaneval-x": humaneval_x.read,
}


def reader(name: str) -> Reader:
    """Return the reader of a format; SourceUnreadable names the available ones otherwise."""
    try:
        return READERS[name]
    except KeyError:
        available = ", ".join(READERS)
        raise SourceUnreadable(f"format {name} is not available yet; available: {available}.") from None
