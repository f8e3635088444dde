"""The languages that programs are written in: grammar, parsing, and how their tests are run.

Never runs a program but in the sandbox; knows no database row.
"""

from __future__ import annotations

# All that the pure parts know of languages: their ids, Python first. registry.py has the languages themselves.
IDS = ("python", "cpp", "java", "javascript", "go", "rust")
