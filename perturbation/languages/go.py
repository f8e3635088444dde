"""Go: grammar and lexer. Its programs are stored, not run yet."""

from __future__ import annotations

from functools import lru_cache

import tree_sitter_go
from tree_sitter import Language as Grammar

from perturbation.languages.base import Language


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_go.language())


LANGUAGE = Language(id="go", label="Go", pygments_alias="go", grammar=grammar)
