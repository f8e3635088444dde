"""Aider Polyglot: a directory tree in Exercism's layout, `<language>/exercises/practice/<exercise>/`.

The path may be the whole tree, one language's folder, or one exercise. `.meta/config.json` gives the files their
roles (files.solution: the stubs, test, example, editor). The statement is .docs/introduction.md, instructions.md and
instructions.append.md. The reference is what `example` lists (.meta/example.*, .meta/proof.ci.js) or lies in
.meta/src/reference/java, put in the place of the stubs, since the tests name those. The tests are the files of the
role `test` and what they need beside them. Program and tests are several files in one text (perturbation/files.py).
Tests stay as published: those that are switched off (xtest, @Disabled, #[ignore], EXERCISM_RUN_ALL_TESTS) the
languages' runners switch on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from perturbation.files import SourceFile, join, split
from perturbation.importing import FieldRefused, Place, Refusal, Row, SourceUnreadable
from perturbation.importing.folders import bytes_of, text_of, visible_folders
from perturbation.importing.lines import parse_object
from perturbation.importing.values import (
    check_text,
    crlf_note,
    known_language,
    plain_lines,
    text_list,
    title_from,
    with_last_line_ended,
)
from perturbation.languages import registry

CONFIG = ".meta/config.json"
PRACTICE = ("exercises", "practice")
STATEMENT = (".docs/introduction.md", ".docs/instructions.md", ".docs/instructions.append.md")
JAVA_REFERENCE = ".meta/src/reference/java"
EXAMPLES = (".meta/example.*", ".meta/proof.ci.js")
KEPT_FACTS = ("blurb", "source", "source_url")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a language's exercises lie: the suffixes of its sources, and where files that tests need may be."""

    suffixes: tuple[str, ...]
    support: tuple[str, ...]


LAYOUTS = {
    "python": Layout((".py",), ("*.py",)),
    "cpp": Layout((".cpp", ".h", ".hpp"), ("*.h", "*.hpp", "test/*.hpp", "test/*.h", "test/*.cpp")),
    "java": Layout((".java",), ("src/test/java/**/*.java", "src/main/java/**/*.java")),
    "javascript": Layout((".js", ".mjs"), ("*.js", "lib/**/*.js")),
    "go": Layout((".go",), ("*.go", "go.mod")),
    "rust": Layout((".rs",), ("tests/**/*.rs", "src/**/*.rs")),
}
LANGUAGE_OF_SUFFIX = {suffix: language for language, layout in LAYOUTS.items() for suffix in layout.suffixes}


def read(path: Path) -> Iterator[Row | Refusal]:
    """Yield one row for each exercise, languages and exercises in the order of their names."""
    if not path.is_dir():
        raise SourceUnreadable(f"{path} is no folder: give the tree, one language's folder, or one exercise.")
    exercises = _exercises(path.resolve())
    if not exercises:
        raise SourceUnreadable(
            f"{path} holds no exercises: <language>/{'/'.join(PRACTICE)}/<exercise>/{CONFIG} is expected."
        )
    return _rows(exercises)


def _rows(exercises: list[Path]) -> Iterator[Row | Refusal]:
    for folder in exercises:
        place = Place(folder="/".join([*_language_folder(folder), folder.name]))
        try:
            check_text(folder.name, "folder name")
            yield _row(folder, place)
        except FieldRefused as refused:
            yield Refusal(place, refused.field, refused.message)


def _exercises(path: Path) -> list[Path]:
    if (path / CONFIG).is_file():
        return [path]
    practice = path.joinpath(*PRACTICE)
    if practice.is_dir():
        return visible_folders(practice)
    languages = [language for language in visible_folders(path) if language.joinpath(*PRACTICE).is_dir()]
    if languages:
        return [exercise for language in languages for exercise in visible_folders(language.joinpath(*PRACTICE))]
    return [folder for folder in visible_folders(path) if (folder / CONFIG).is_file()]


def _language_folder(exercise: Path) -> list[str]:
    """The name of the language's folder, where the exercise lies in one."""
    return [exercise.parts[-4]] if exercise.parts[-3:-1] == PRACTICE and len(exercise.parts) > 4 else []


def _row(folder: Path, place: Place) -> Row:
    config = parse_object(bytes_of(folder / CONFIG, required=True, name=CONFIG))
    roles = config.get("files")
    if not isinstance(roles, dict):
        raise FieldRefused(CONFIG, "has no object `files` with the roles solution, test and example.")
    stubs = text_list(roles, "solution")
    language = _language(folder, stubs)
    exercise = _Exercise(folder, language, stubs, roles)
    program = exercise.reference()
    tests = exercise.tests(taken={file.path for file in program})
    statement = [text_of(folder / name, required=name == STATEMENT[1], name=name) for name in STATEMENT]
    if not statement[1].strip():
        raise FieldRefused(STATEMENT[1], "empty: write the statement that annotators read.")
    texts = [file.text for file in (*program, *tests)]
    return Row(
        external_id=f"{language}/{folder.name}",
        language=language,
        text="\n\n".join(plain_lines(part).strip() for part in statement if part.strip()) + "\n",
        reference=_joined(program, language),
        tests=_joined(tests, language),
        title=title_from(folder.name.replace("-", "_")),
        metadata={name: config[name] for name in KEPT_FACTS if name in config} | {"files": roles},
        notes=crlf_note(*texts),
        place=place,
    )


def _language(folder: Path, stubs: list[str]) -> str:
    if named := _language_folder(folder):
        return known_language(named[0])
    found = [
        LANGUAGE_OF_SUFFIX[suffix] for stub in stubs if (suffix := PurePosixPath(stub).suffix) in LANGUAGE_OF_SUFFIX
    ]
    if not found:
        raise FieldRefused(CONFIG, f"files.solution names no source of {', '.join(LAYOUTS)}: {', '.join(stubs)[:80]}.")
    return found[0]


def _joined(files: list[SourceFile], language: str) -> str:
    if not files:
        return ""
    plain = [SourceFile(file.path, plain_lines(with_last_line_ended(file.text))) for file in files]
    text = join(plain, comment=registry.get(language).comment)
    if split(text) != tuple(plain):
        names = ", ".join(file.path for file in plain)
        raise FieldRefused("files", f"a line or a path of {names[:200]} looks like the heading of a file: change it.")
    return text


@dataclass(frozen=True, slots=True)
class _Exercise:
    """One folder with the roles of its files."""

    folder: Path
    language: str
    stubs: list[str]
    roles: Mapping[str, object]

    def reference(self) -> list[SourceFile]:
        """The reference in the places of the stubs; files that stand for no stub keep their own names beside them."""
        sources = self._example_paths()
        left = [stub for stub in self.stubs if self._is_source(stub)]
        beside = PurePosixPath(left[0]).parent if left else PurePosixPath()
        places = {}
        for source in sources:
            same = [stub for stub in left if PurePosixPath(stub).name == PurePosixPath(source).name]
            if same:
                places[source] = same[0]
                left.remove(same[0])
        for source in sources:
            if source in places:
                continue
            alike = [stub for stub in left if PurePosixPath(stub).suffix == PurePosixPath(source).suffix]
            if alike:
                places[source] = alike[0]
                left.remove(alike[0])
            else:
                places[source] = str(beside / _own_name(source))
        return [SourceFile(places[source], self._text(source)) for source in sources]

    def _example_paths(self) -> list[str]:
        listed = [path for path in text_list(self.roles, "example") if self._is_there(path)]
        if not listed:
            listed = self._found(EXAMPLES)
        return list(dict.fromkeys(path for path in [*listed, *self._java_files()] if self._is_source(path)))

    def _java_files(self) -> list[str]:
        return self._found([f"{JAVA_REFERENCE}/**/*.java"]) if self.language == "java" else []

    def tests(self, *, taken: set[str]) -> list[SourceFile]:
        """The files of the role `test` and those that they need, but for stubs and what the reference has."""
        listed = text_list(self.roles, "test")
        for path in listed:
            if not self._is_there(path):
                raise FieldRefused(CONFIG, f"files.test names {path!r}, which is not there.")
        if not listed:
            return []
        needed = [path for path in text_list(self.roles, "editor") if self._is_there(path) and self._is_source(path)]
        needed += self._found(LAYOUTS[self.language].support)
        others = [path for path in dict.fromkeys(needed) if path not in {*listed, *self.stubs, *taken}]
        return [*(SourceFile(path, self._text(path)) for path in [*listed, *others]), *self._crates()]

    def _crates(self) -> list[SourceFile]:
        """Rust's Cargo.toml: it names the crate, and the one beside the example has the crates that it needs."""
        if self.language != "rust":
            return []
        given = [path for path in (".meta/Cargo-example.toml", "Cargo.toml") if self._is_there(path)]
        return [SourceFile("Cargo.toml", self._text(path)) for path in given[:1]]

    def _is_source(self, path: str) -> bool:
        return PurePosixPath(path).suffix in LAYOUTS[self.language].suffixes

    def _found(self, patterns: tuple[str, ...] | list[str]) -> list[str]:
        found = [path for pattern in patterns for path in sorted(self.folder.glob(pattern))]
        # babel.config.js and its like set up tools; no test reads them.
        paths = [path for path in found if path.is_file() and ".config." not in path.name]
        return [path.relative_to(self.folder).as_posix() for path in paths]

    def _is_there(self, path: str) -> bool:
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts:
            raise FieldRefused(CONFIG, f"{path[:80]!r} leads out of the exercise: name files inside it.")
        return (self.folder / path).is_file()

    def _text(self, path: str) -> str:
        if not (self.folder / path).resolve().is_relative_to(self.folder):
            raise FieldRefused(path, "lies behind a symbolic link: put the file itself there.")
        return text_of(self.folder / path, required=True, name=path)


def _own_name(source: str) -> str:
    """The path of a reference's file in its own folder."""
    prefix = f"{JAVA_REFERENCE}/"
    return source.removeprefix(prefix) if source.startswith(prefix) else PurePosixPath(source).name
