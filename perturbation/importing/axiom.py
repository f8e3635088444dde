"""The product's own interchange format `axiom`, version 1: JSON lines (plain or gzip), or a tree of folders.

A line is one object:
    external_id     string, required: unique in the file, at most 200 characters
    language        string, required: python, cpp, java, javascript, go or rust
    requirement     string, required: the statement that annotators read
    entry_point     string: the function that the tests call
    reference       string or null: a complete program that passes the tests
    tests           string or null: a text that runs after the program, in the same namespace for Python
    title           string: a short heading
    metadata        object: anything else, kept as it is
    schema_version  integer: 1, the only version so far
A folder of a tree holds requirement.md, reference.EXT, tests.EXT and metadata.json, which has `language` and may have
`external_id` (else the folder's name), `entry_point`, `title` and `schema_version`; its other keys are metadata.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perturbation.importing import FieldRefused, Place, Refusal, Row, SourceUnreadable
from perturbation.importing.folders import bytes_of, text_of, visible_folders
from perturbation.importing.lines import parse_object, read_rows
from perturbation.importing.values import check_text, ended, known_language, optional_text, required_text, type_name
from perturbation.languages import registry

SCHEMA_VERSION = 1
ROW_KEYS = (
    "external_id",
    "language",
    "requirement",
    "entry_point",
    "reference",
    "tests",
    "title",
    "metadata",
    "schema_version",
)
FOLDER_KEYS = {"external_id", "language", "entry_point", "title", "schema_version"}


def read(path: Path) -> Iterator[Row | Refusal]:
    """Yield the rows of a file of JSON lines, or of a tree of folders in the order of their names."""
    return _read_tree(path) if path.is_dir() else read_rows(path, _row)


def _row(values: dict[str, object], place: Place) -> Row:
    _check_version(values)
    external_id = required_text(values, "external_id")
    language = known_language(required_text(values, "language"))
    metadata = values.get("metadata", {})
    if not isinstance(metadata, dict):
        raise FieldRefused("metadata", f"must be an object, not {type_name(metadata)}: leave it out if there is none.")
    unknown = tuple(name for name in values if name not in ROW_KEYS)
    if both := [name for name in unknown if name in metadata]:
        raise FieldRefused(both[0], "unknown key, and metadata has one of the same name: keep the one in metadata.")
    return Row(
        external_id=external_id,
        language=language,
        text=required_text(values, "requirement"),
        entry_point=optional_text(values, "entry_point").strip(),
        reference=ended(optional_text(values, "reference")),
        tests=ended(optional_text(values, "tests")),
        title=optional_text(values, "title").strip(),
        metadata=metadata | {name: values[name] for name in unknown},
        unknown_keys=unknown,
        place=place,
    )


def _check_version(values: dict[str, object]) -> None:
    version = values.get("schema_version", SCHEMA_VERSION)
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise FieldRefused("schema_version", f"{version!r} is not known here: this program reads version 1.")


def _read_tree(path: Path) -> Iterator[Row | Refusal]:
    folders = visible_folders(path)
    if not folders:
        raise SourceUnreadable(
            f"{path} holds no folders: a tree has one folder a requirement, with requirement.md and metadata.json."
        )
    for folder in folders:
        place = Place(folder=folder.name)
        try:
            yield _row_of_folder(folder, place)
        except FieldRefused as refused:
            yield Refusal(place, refused.field, refused.message)


def _row_of_folder(folder: Path, place: Place) -> Row:
    check_text(folder.name, "folder name")
    facts = parse_object(bytes_of(folder / "metadata.json", required=True))
    _check_version(facts)
    language = known_language(required_text(facts, "language"))
    program, tests = (f"{name}.{registry.get(language).ending}" for name in ("reference", "tests"))
    requirement = text_of(folder / "requirement.md", required=True)
    if not requirement.strip():
        raise FieldRefused("requirement.md", "empty: write the statement that annotators read.")
    return Row(
        external_id=required_text(facts, "external_id") if "external_id" in facts else folder.name,
        language=language,
        text=requirement,
        entry_point=optional_text(facts, "entry_point").strip(),
        reference=ended(text_of(folder / program)),
        tests=ended(text_of(folder / tests)),
        title=optional_text(facts, "title").strip(),
        metadata={name: value for name, value in facts.items() if name not in FOLDER_KEYS},
        unknown_keys=_other_files(folder, {"metadata.json", "requirement.md", program, tests}),
        place=place,
    )


def _other_files(folder: Path, expected: set[str]) -> tuple[str, ...]:
    names = {entry.name for entry in folder.iterdir() if not entry.name.startswith((".", "__"))}
    return tuple(sorted(names - expected))
