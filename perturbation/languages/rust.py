"""Rust: grammar and lexer. Its programs are stored, not run yet."""

from __future__ import annotations

from functools import lru_cache

import tree_sitter_rust
from tree_sitter import Language as Grammar

from perturbation.languages.base import Language


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_rust.language())


LANGUAGE = Language(id="rust", label="Rust", pygments_alias="rust", grammar=grammar)
