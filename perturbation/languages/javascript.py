"""JavaScript: grammar and lexer. Its programs are stored, not run yet."""

from __future__ import annotations

from functools import lru_cache

import tree_sitter_javascript
from tree_sitter import Language as Grammar

from perturbation.languages.base import Language


@lru_cache(maxsize=1)
def grammar() -> Grammar:
    return Grammar(tree_sitter_javascript.language())


LANGUAGE = Language(id="javascript", label="JavaScript", pygments_alias="javascript", grammar=grammar)
