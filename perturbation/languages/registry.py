"""The languages by id. A new language is one module and one line here."""

from __future__ import annotations

from perturbation.languages import cpp, go, java, javascript, python, rust
from perturbation.languages.base import Language

_LANGUAGES = {
    language.id: language
    for language in (
        python.LANGUAGE,
        cpp.LANGUAGE,
        java.LANGUAGE,
        javascript.LANGUAGE,
        go.LANGUAGE,
        rust.LANGUAGE,
    )
}


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
