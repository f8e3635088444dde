"""The languages by id. A new language is one module and one line here."""

from __future__ import annotations

from perturbation.languages.base import Language
from perturbation.languages.cpp import LANGUAGE as CPP
from perturbation.languages.go import LANGUAGE as GO
from perturbation.languages.java import LANGUAGE as JAVA
from perturbation.languages.javascript import LANGUAGE as JAVASCRIPT
from perturbation.languages.python import LANGUAGE as PYTHON
from perturbation.languages.rust import LANGUAGE as RUST

_LANGUAGES = {language.id: language for language in (PYTHON, CPP, JAVA, JAVASCRIPT, GO, RUST)}


class UnknownLanguage(LookupError):
    """No language has this id."""


def get(language_id: str) -> Language:
    """The language of this id; raises UnknownLanguage that names the known ones."""
    try:
        return _LANGUAGES[language_id]
    except KeyError:
        known = ", ".join(_LANGUAGES)
        raise UnknownLanguage(f"unknown language {language_id!r}; known are {known}") from None


def all_languages() -> tuple[Language, ...]:
    """Every language, Python first."""
    return tuple(_LANGUAGES.values())
