"""Java: grammar and lexer. Its programs are stored, not run yet."""

from __future__ import annotations

from functools import lru_cache

import tree_sitter_java
from tree_sitter import Language as Grammar

from perturbation.languages.base import Language


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_java.language())


LANGUAGE = Language(id="java", label="Java", pygments_alias="java", grammar=grammar)
