"""The formats of a release: one module each, registered here. What is final is decided elsewhere."""

from __future__ import annotations

from annotation.exporting import axiombench, full, spreadsheet
from annotation.exporting.records import Format

FORMATS: dict[str, Format] = {each.name: each for each in (axiombench.FORMAT, full.FORMAT, spreadsheet.FORMAT)}
