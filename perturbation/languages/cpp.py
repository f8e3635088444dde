"""C++: grammar and lexer. Its programs are stored, not run yet."""

from __future__ import annotations

from functools import lru_cache

import tree_sitter_cpp
from tree_sitter import Language as Grammar

from perturbation.languages.base import Language


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_cpp.language())


LANGUAGE = Language(id="cpp", label="C++", pygments_alias="cpp", grammar=grammar)
