"""Seeded perturbations of real Python programs with known line identity: what the diff is measured on."""

from __future__ import annotations

import keyword
import random
import re
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

SLICE = 250

MODULES = (
    "argparse", "ast", "bisect", "calendar", "cgi", "cmd", "configparser", "copy", "csv", "dataclasses", "datetime",
    "difflib", "dis", "doctest", "enum", "fileinput", "fractions", "ftplib", "functools", "getopt", "gettext", "glob",
    "gzip", "heapq", "imaplib", "inspect", "ipaddress", "locale", "lzma", "mailbox", "mimetypes", "netrc", "nntplib",
    "numbers", "optparse", "pathlib", "pdb", "pickle", "pickletools", "platform", "plistlib", "poplib", "pprint",
    "profile", "pstats", "pydoc", "queue", "random", "sched", "selectors", "shelve", "shlex", "shutil", "smtplib",
    "socket", "statistics", "string", "tarfile", "tempfile", "textwrap", "threading", "timeit", "trace",
    "traceback", "turtle", "types", "typing", "unittest/case", "unittest/mock", "urllib/parse", "urllib/request",
    "uuid", "warnings", "weakref", "zipfile", "email/message", "http/client", "http/server", "json/decoder",
    "logging/handlers",
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A line and its history: `parent` is its 1-based number in p0, None where it was born later."""

    text: str
    parent: int | None
    steps: tuple[int, ...] = ()


@dataclass(frozen=True)
class Case:
    """A chain of programs, the true history of every last line, and the step that removed each lost parent line."""

    kind: str
    chain: tuple[str, ...]
    lines: tuple[Line, ...]
    removed: dict[int, int]


def programs(count: int, *, seed: str) -> list[str]:
    """Slices of the standard library of about 250 lines that start at a definition."""
    rng = random.Random(f"{seed}|programs")
    folder = Path(sysconfig.get_paths()["stdlib"])
    paths = [path for name in MODULES if (path := folder / f"{name}.py").exists()]
    rng.shuffle(paths)
    found: list[str] = []
    for path in paths * (count // len(paths) + 1):
        lines = path.read_text(encoding="utf-8").split("\n")
        starts = [index for index, line in enumerate(lines) if re.match(r"(def|class) ", line)]
        usable = [index for index in starts if index + 60 < len(lines)] or [0]
        start = rng.choice(usable)
        found.append("\n".join(lines[start : start + SLICE]).rstrip() + "\n")
    return found[:count]


def make_case(program: str, kind: str, *, seed: str) -> Case:
    """One program perturbed in one way; `mixed chain` takes five steps of other kinds."""
    rng = random.Random(f"{seed}|{kind}|{program}")
    lines = [Line(text, number) for number, text in enumerate(program.split("\n")[:-1], start=1)]
    names = [rng.choice(list(KINDS)) for _ in range(5)] if kind == MIXED else [kind]
    texts, removed = [program], dict[int, int]()
    for step, name in enumerate(names, start=1):
        before = {line.parent for line in lines if line.parent}
        old = lines
        lines = KINDS[name](old, rng)
        lines = _with_steps(old, lines, step)
        for lost in sorted(before - {line.parent for line in lines}):
            if lost is not None:
                removed[lost] = step
        texts.append("".join(f"{line.text}\n" for line in lines))
    return Case(kind, tuple(texts), tuple(lines), removed)


def _with_steps(old: list[Line], new: list[Line], step: int) -> list[Line]:
    """Adds `step` to what is new or reads differently; object identity tells what was left alone."""
    kept = {id(line) for line in old}
    return [line if id(line) in kept else replace(line, steps=(*line.steps, step)) for line in new]


def _born(text: str) -> Line:
    return Line(text, None)


_NUMBER = re.compile(r"\b\d+\b")
_OPERATOR = re.compile(r"(?<=\s)(==|!=|<=|>=|<|>|\+|-|and|or)(?=\s)")
_NAME = re.compile(rf"\b(?!(?:self|{'|'.join(keyword.kwlist)})\b)[a-z_]\w{{2,}}\b")


def edit(line: Line, rng: random.Random) -> Line:
    """A local change of one line; the line itself where it offers no site."""
    ways = [
        way
        for way in (_number, _operator, _name, _wrapped, _jump)
        if way(line.text, random.Random("probe")) != line.text
    ]
    return replace(line, text=rng.choice(ways)(line.text, rng)) if ways else line


def _number(text: str, rng: random.Random) -> str:
    return _NUMBER.sub(lambda found: str(int(found[0]) + rng.randint(1, 9)), text, count=1)


def _operator(text: str, rng: random.Random) -> str:
    swaps = {
        "==": "!=",
        "!=": "==",
        "<=": "<",
        ">=": ">",
        "<": "<=",
        ">": ">=",
        "+": "-",
        "-": "+",
        "and": "or",
        "or": "and",
    }
    return _OPERATOR.sub(lambda found: swaps[found[0]], text, count=1)


def _name(text: str, rng: random.Random) -> str:
    names = sorted(set(_NAME.findall(text)))
    if not names or text.lstrip().startswith(("#", '"', "'")):
        return text
    chosen = rng.choice(names)
    return re.sub(rf"\b{chosen}\b", rng.choice(["tmp", "value", f"{chosen}_2", f"new_{chosen}"]), text)


def _wrapped(text: str, rng: random.Random) -> str:
    wrappers = ["int({})", "({} or None)", "not {}", "list({})"]
    return re.sub(r"^(\s*return )(.+[^\\(\[{,])$", lambda m: m[1] + rng.choice(wrappers).format(m[2]), text)


def _jump(text: str, rng: random.Random) -> str:
    swaps = {"break": "continue", "continue": "break", "pass": "return", "True": "False", "False": "True"}
    return re.sub(r"\b(break|continue|pass|True|False)\b", lambda found: swaps[found[0]], text, count=1)


def _run(lines: list[Line], rng: random.Random, *, least: int = 3, most: int = 6) -> tuple[int, int]:
    length = rng.randint(least, most)
    starts = [i for i in range(len(lines) - length) if all(line.text.strip() for line in lines[i : i + length])]
    start = rng.choice(starts or [0])
    return start, start + length


def _edited_run(lines: list[Line], rng: random.Random) -> tuple[list[Line], int, int]:
    start, end = _run(lines, rng)
    return [edit(line, rng) if start <= index < end else line for index, line in enumerate(lines)], start, end


def _new_line(lines: list[Line], near: int, rng: random.Random) -> Line:
    around = lines[near].text
    indent = around[: len(around) - len(around.lstrip())]
    donor = rng.choice([line.text.strip() for line in lines if line.text.strip()])
    return _born(indent + rng.choice([donor, f"count = {rng.randint(0, 99)}", "log.debug('here')", "self.calls += 1"]))


def _single(lines: list[Line], rng: random.Random) -> list[Line]:
    start, _ = _run(lines, rng, least=1, most=1)
    return [edit(line, rng) if index == start else line for index, line in enumerate(lines)]


def _several(lines: list[Line], rng: random.Random) -> list[Line]:
    return _edited_run(lines, rng)[0]


def _insert_beside(lines: list[Line], rng: random.Random) -> list[Line]:
    edited, start, end = _edited_run(lines, rng)
    at = rng.randint(start, end - 1)
    return [*edited[:at], _new_line(lines, at, rng), *edited[at:]]


def _delete_inside(lines: list[Line], rng: random.Random) -> list[Line]:
    edited, start, end = _edited_run(lines, rng)
    at = rng.randint(start, end - 1)
    return [*edited[:at], *edited[at + 1 :]]


def _wrap_in_block(lines: list[Line], rng: random.Random) -> list[Line]:
    start, end = _run(lines, rng)
    text = lines[start].text
    head = _born(text[: len(text) - len(text.lstrip())] + rng.choice(["if self.ready:", "try:", "while True:"]))
    inner = [replace(line, text="    " + line.text) for line in lines[start:end]]
    at = rng.randrange(len(inner))
    inner[at] = edit(inner[at], rng)
    return [*lines[:start], head, *inner, *lines[end:]]


def _rename(lines: list[Line], rng: random.Random) -> list[Line]:
    names = sorted({name for line in lines for name in _NAME.findall(line.text)})
    chosen = re.compile(rf"\b{rng.choice(names)}\b")
    new = rng.choice(["x", "tmp", "data", "renamed_value"])
    return [replace(line, text=chosen.sub(new, line.text)) if chosen.search(line.text) else line for line in lines]


def blocks(lines: list[Line]) -> list[tuple[int, int]]:
    """Functions and methods as (start, end) with the blank lines after them."""
    heads = [
        (i, len(line.text) - len(line.text.lstrip())) for i, line in enumerate(lines) if re.match(r"\s*def ", line.text)
    ]
    found = []
    for start, indent in heads:
        end = start + 1
        while end < len(lines) and (
            not lines[end].text.strip() or len(lines[end].text) - len(lines[end].text.lstrip()) > indent
        ):
            end += 1
        if end < len(lines):
            found.append((start, end))
    return found


def _remove_function(lines: list[Line], rng: random.Random) -> list[Line]:
    found = blocks(lines)
    if len(found) < 2:
        return _delete_inside(lines, rng)
    start, end = rng.choice(found)
    return [*lines[:start], *lines[end:]]


def _add_function(lines: list[Line], rng: random.Random) -> list[Line]:
    """A near copy of a function after itself, the hardest case for a sliding hunk."""
    found = blocks(lines)
    if not found:
        return _insert_beside(lines, rng)
    start, end = rng.choice(found)
    name = rf"def \1_again{rng.randint(2, 999)}"
    copy = [_born(re.sub(r"def (\w+)", name, line.text)) for line in lines[start:end]]
    return [*lines[:end], *copy, *lines[end:]]


def _scattered(lines: list[Line], rng: random.Random) -> list[Line]:
    chosen = set(rng.sample(range(len(lines)), min(8, len(lines))))
    edited = [edit(line, rng) if index in chosen else line for index, line in enumerate(lines)]
    at = rng.randrange(len(edited))
    return [*edited[:at], _new_line(lines, at, rng), *edited[at:]]


MIXED = "mixed chain"
KINDS: dict[str, Callable[[list[Line], random.Random], list[Line]]] = {
    "one line edited": _single,
    "run edited": _several,
    "insert beside edits": _insert_beside,
    "delete inside edits": _delete_inside,
    "wrap in block": _wrap_in_block,
    "rename": _rename,
    "function removed": _remove_function,
    "function added": _add_function,
    "scattered edits": _scattered,
}
ALL_KINDS = (*KINDS, MIXED)


def cases(kind: str, *, count: int, seed: str) -> Iterator[Case]:
    """`count` programs perturbed in the same way."""
    for program in programs(count, seed=seed):
        yield make_case(program, kind, seed=seed)
