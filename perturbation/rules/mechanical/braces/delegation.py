"""Rewrites that move a function's work behind a further function, a mode or a class (ceiling 3).

The function itself keeps its name, its signature and its behaviour.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from perturbation.rules.mechanical.braces.naming import in_convention, words_of
from perturbation.rules.mechanical.braces.rule import BraceRule
from perturbation.rules.mechanical.braces.writing import end, inner, return_type
from perturbation.rules.mechanical.syntax.edits import Edit, Site
from perturbation.rules.mechanical.syntax.layout import indent, moved, stands_alone
from perturbation.rules.mechanical.syntax.scopes import declared, used
from perturbation.rules.mechanical.syntax.tree import Node, Tree
from perturbation.rules.rows import changed_rows

SHORTEST = 1
Written = Callable[["Signature", random.Random], "tuple[str, str, str] | None"]
"""What a rule writes: rows above the function, rows below it, and the value that the function returns."""


@dataclass(frozen=True, eq=False)
class Signature:
    """A function that can be taken apart: its whole text, parameters as written, the names to pass on, its result."""

    tree: Tree
    node: Node
    whole: Node
    name: str
    parameters: str
    arguments: str
    result: str
    modifiers: str
    body: Node
    margin: str

    def named(self, *words: str) -> str | None:
        """A free name made of the function's name and further words, as the language writes function names."""
        parts = [*words_of(self.name), *words]
        name = "_".join(parts) if self.tree.dialect.id in ("cpp", "rust") else in_convention(self.tree, parts)
        return self.tree.fresh([name])

    def typed(self, *words: str) -> str | None:
        """A free name for a type."""
        return self.tree.fresh(["".join(word.capitalize() for word in [*words_of(self.name), *words])])

    def rows(self, margin: str) -> str:
        return moved(self.tree, self.tree.statements(self.body), margin)

    def head(self, name: str, parameters: str, *, margin: str | None = None) -> str:
        """The first row of a function with this result, up to its opening brace."""
        gap = self.margin if margin is None else margin
        match self.tree.dialect.id:
            case "go":
                return f"{gap}func {name}({parameters}) {self.result} {{".replace("  {", " {")
            case "rust":
                return f"{gap}fn {name}({parameters}) -> {self.result} {{"
            case "javascript":
                return f"{gap}function {name}({parameters}) {{"
            case "java":
                return f"{gap}{self.modifiers}{self.result} {name}({parameters}) {{"
            case _:
                return f"{gap}{self.result} {name}({parameters}) {{"

    def with_first(self, parameter: str) -> str:
        return f"{parameter}, {self.parameters}" if self.parameters else parameter

    def calling(self, name: str, first: str = "") -> str:
        return f"{name}({', '.join(part for part in (first, self.arguments) if part)})"


def _sites(written: Written) -> Callable[[Tree, random.Random], Iterator[Site]]:
    def sites(tree: Tree, rng: random.Random) -> Iterator[Site]:
        for function in tree.functions():
            signature = _signature(tree, function)
            made = written(signature, rng) if signature is not None else None
            if signature is None or made is None:
                continue
            above, below, value = made
            if tree.dialect.id == "cpp" and signature.name in used(tree, signature.body):
                above = f"{signature.result} {signature.name}({signature.parameters});\n\n{above.lstrip()}"
            body, margin = signature.body, signature.margin
            call = f"{{\n{inner(tree, margin)}return {value}{end(tree)}\n{margin}}}"
            place = above_documentation(tree, signature.whole)
            edits = [*_string_header(tree, above), Edit(place, place, f"{above.lstrip()}\n\n{margin}" if above else "")]
            edits += [Edit(body.start, body.end, call)]
            edits += [Edit(signature.whole.end, signature.whole.end, f"\n\n{below}")] if below else []
            yield tuple(edits)

    return sites


def _signature(tree: Tree, function: Node) -> Signature | None:
    """The parts of a function of the file or of a class with named parameters and one result; else None."""
    body, name, result = tree.body(function), tree.name(function), return_type(tree, function)
    whole, parameters = _whole(tree, function), _parameters(function)
    if body is None or result is None or whole is None or parameters is None or not re.fullmatch(r"\w+", name):
        return None
    names = list(declared(tree, parameters))
    is_long = len(tree.statements(body)) >= SHORTEST and stands_alone(tree, whole)
    if not is_long or len(names) != _count(parameters) or not _is_plain(tree, function, parameters, result):
        return None
    written = parameters.text[1:-1].strip() if parameters.kind != "identifier" else parameters.text
    modifiers = next((child.text for child in function.named if child.kind == "modifiers"), "")
    hidden = "private " + ("static " if "static" in modifiers.split() else "")
    return Signature(tree, function, whole, name, written, ", ".join(names), result, hidden, body, indent(tree, whole))


def _string_header(tree: Tree, above: str) -> list[Edit]:
    """The include of C++ texts where the new rows need it and it is not there."""
    includes = [node for node in tree.root.named if node.kind == "preproc_include"]
    if "std::string" not in above or any("<string>" in node.text for node in includes):
        return []
    place = includes[-1].end if includes else 0
    row = "#include <string>" + ("" if includes else "\n")
    return [Edit(place, place, f"{row}\n" if place == 0 or tree.text[:place].endswith("\n") else f"\n{row}")]


def above_documentation(tree: Tree, whole: Node) -> int:
    """Where the comments begin that stand right above a function, else where it begins."""
    siblings = whole.parent.children if whole.parent is not None else ()
    place, first = siblings.index(whole), whole
    for node in reversed(siblings[:place]):
        is_near = tree.text[node.end : first.start].count("\n") <= 1
        if node.kind not in tree.dialect.comments | {"attribute_item"} or not is_near or not stands_alone(tree, node):
            break
        first = node
    return first.start


def _whole(tree: Tree, function: Node) -> Node | None:
    """The declaration around a function; None for those inside functions and for methods in JavaScript."""
    if tree.function_of(function) is not None or function.kind in ("function_expression", "method_definition"):
        return function if tree.dialect.id != "javascript" and tree.function_of(function) is None else None
    if function.kind != "arrow_function":
        return function
    holder = function.parent.parent if function.parent is not None else None
    return holder if holder is not None and holder.kind == "lexical_declaration" else None


def _parameters(function: Node) -> Node | None:
    node = function
    while node.field("declarator") is not None:
        node = node.field("declarator") or node
    while node is not function and node.kind != "function_declarator":
        node = node.parent or function
    return node.field("parameters")


def _count(parameters: Node) -> int:
    kinds = ("parameter", "formal_parameter", "parameter_declaration", "identifier")
    found = [child for child in parameters.named if child.kind in kinds]
    plain = [child for child in parameters.named if "comment" not in child.kind]
    names = sum(max(1, len(child.fields("name"))) if child.kind == "parameter_declaration" else 1 for child in found)
    return names if len(found) == len(plain) else -1


def _is_plain(tree: Tree, function: Node, parameters: Node, result: str) -> bool:
    """No generics, receivers, default values, references in results or clauses that the copies would need too."""
    head = tree.text[function.start : parameters.start]
    between = tree.text[parameters.end : (tree.body(function) or parameters).start]
    if tree.dialect.id == "go":
        return function.kind == "function_declaration" and "..." not in parameters.text and "[" not in head
    if tree.dialect.id == "rust":
        return "<" not in head and "self" not in parameters.text and "&" not in result and "where" not in between
    if tree.dialect.id == "java":
        return "<" not in head.split(result)[0] and "throws" not in between and "..." not in parameters.text
    if tree.dialect.id == "cpp":
        return "&" not in result and function.parent is tree.root and "=" not in parameters.text and "*" not in result
    if "await" in function.text or head.startswith("async"):
        return False
    return not re.search(r"[={\[.]", parameters.text) and "this" not in used(tree, function) and "*" not in head[-3:]


def _mode(signature: Signature, rng: random.Random) -> tuple[str, str, str] | None:
    """f(a) { work }  ->  f_in_mode(mode, a) with several jobs, and f asks for one of them."""
    tree, margin = signature.tree, signature.margin
    name = signature.named(*rng.choice((("in", "mode"), ("with", "mode"), ("dispatch",))))
    main, other = rng.choice((("solve", "retry"), ("compute", "recompute"), ("default", "legacy")))
    if name is None or tree.fresh(["mode"]) is None:
        return None
    asked = f'"{main}"'
    deeper = inner(tree, margin)
    deepest = inner(tree, deeper)
    again = f"return {signature.calling(name, asked)}{end(tree)}"
    body = signature.rows(deepest)
    head = signature.head(name, signature.with_first(_mode_parameter(tree)))
    if tree.dialect.id == "rust":
        rows = [head, f"{deeper}match mode {{", f'{deepest}"{other}" => {signature.calling(name, asked)},']
        rows += [f'{deepest}"{main}" => {{', signature.rows(inner(tree, deepest)), f"{deepest}}}"]
        rows += [f'{deepest}_ => panic!("unknown mode"),', f"{deeper}}}", f"{margin}}}"]
    else:
        tests = [tree.dialect.if_head.format(c=_is_mode(tree, word)) for word in (main, other)]
        rows = [head, f"{deeper}{tests[0]}", body, f"{deeper}}}", f"{deeper}{tests[1]}", f"{deepest}{again}"]
        rows += [f"{deeper}}}", f"{deeper}{_unknown(tree)}", f"{margin}}}"]
    return "\n".join(rows), "", signature.calling(name, asked)


def _mode_parameter(tree: Tree) -> str:
    kinds = {"cpp": "std::string mode", "go": "mode string", "java": "String mode", "rust": "mode: &str"}
    return kinds.get(tree.dialect.id, "mode")


def _is_mode(tree: Tree, word: str) -> str:
    match tree.dialect.id:
        case "java":
            return f'mode.equals("{word}")'
        case "javascript":
            return f'mode === "{word}"'
        case _:
            return f'mode == "{word}"'


def _unknown(tree: Tree) -> str:
    match tree.dialect.id:
        case "java":
            return 'throw new IllegalArgumentException("unknown mode");'
        case "javascript":
            return f'throw new Error("unknown mode"){end(tree)}'
        case "go":
            return 'panic("unknown mode")'
        case _:
            return "return {};"


def _indirection(signature: Signature, rng: random.Random) -> tuple[str, str, str] | None:
    """f(a) { work }  ->  f calls f_step, which calls f_core, which does the work."""
    tree, margin = signature.tree, signature.margin
    words = rng.choice((("core", "wrapper"), ("inner", "outer"), ("impl", "helper")))
    core, step = (signature.named(word) for word in words)
    if core is None or step is None:
        return None
    deeper = inner(tree, margin)
    first = [signature.head(core, signature.parameters), signature.rows(deeper), f"{margin}}}", ""]
    second = [signature.head(step, signature.parameters)]
    second += [f"{deeper}return {signature.calling(core)}{end(tree)}", f"{margin}}}"]
    return "\n".join([*first, *second]), "", signature.calling(step)


def _generality(signature: Signature, rng: random.Random) -> tuple[str, str, str] | None:
    """f(a) { work }  ->  an abstract base with a single subclass that works, made and asked by f."""
    tree = signature.tree
    base = signature.typed(rng.choice(("strategy", "solver", "engine")))
    only = signature.typed("default", rng.choice(("strategy", "worker", "engine")))
    if base is None or only is None or base == only:
        return None
    deeper = inner(tree, signature.margin)
    lines = {"cpp": _cpp, "go": _go, "java": _java, "javascript": _javascript, "rust": _rust}
    step = deeper[len(signature.margin) :]
    rows, value = lines[tree.dialect.id](signature, base, only, signature.rows(inner(tree, deeper)), step)
    return (
        "\n".join(f"{signature.margin}{row}" if row and not row.startswith("\0") else row[1:] for row in rows),
        "",
        value,
    )


def _cpp(signature: Signature, base: str, only: str, body: str, step: str) -> tuple[list[str], str]:
    head = f"{signature.result} run({signature.parameters})"
    rows = [f"struct {base} {{", f"{step}virtual {head} = 0;", f"{step}virtual ~{base}() {{}}", "};", ""]
    rows += [f"struct {only} : {base} {{", f"{step}{head} override {{", f"\0{body}", f"{step}}}", "};"]
    return rows, f"{only}().run({signature.arguments})"


def _java(signature: Signature, base: str, only: str, body: str, step: str) -> tuple[list[str], str]:
    static = "static " if "static" in signature.modifiers else ""
    head = f"{signature.result} run({signature.parameters})"
    rows = [f"private {static}abstract class {base} {{", f"{step}abstract {head};", "}", ""]
    rows += [f"private {static}class {only} extends {base} {{", f"{step}@Override", f"{step}{head} {{"]
    return [*rows, f"\0{body}", f"{step}}}", "}"], f"new {only}().run({signature.arguments})"


def _javascript(signature: Signature, base: str, only: str, body: str, step: str) -> tuple[list[str], str]:
    stop = f'{step}{step}throw new Error("not implemented"){end(signature.tree)}'
    rows = [f"class {base} {{", f"{step}run({signature.parameters}) {{", stop, f"{step}}}", "}", ""]
    rows += [f"class {only} extends {base} {{", f"{step}run({signature.parameters}) {{", f"\0{body}", f"{step}}}", "}"]
    return rows, f"new {only}().run({signature.arguments})"


def _go(signature: Signature, base: str, only: str, body: str, step: str) -> tuple[list[str], str]:
    head = f"Run({signature.parameters}) {signature.result}"
    dedented = signature.rows(signature.margin + step)
    rows = [f"type {base} interface {{", f"{step}{head}", "}", "", f"type {only} struct{{}}", ""]
    rows += [f"func (worker {only}) {head} {{", f"\0{dedented}", "}"]
    return rows, f"{base}({only}{{}}).Run({signature.arguments})"


def _rust(signature: Signature, base: str, only: str, body: str, step: str) -> tuple[list[str], str]:
    plain = re.sub(r"\bmut (?=\w+\s*:)", "", signature.parameters)
    heads = [f"fn run(&self, {parameters}) -> {signature.result}" for parameters in (plain, signature.parameters)]
    rows = [f"trait {base} {{", f"{step}{heads[0]};", "}", "", f"struct {only};", "", f"impl {base} for {only} {{"]
    return [*rows, f"{step}{heads[1]} {{", f"\0{body}", f"{step}}}", "}"], f"{only}.run({signature.arguments})"


REWRITES: Mapping[str, BraceRule] = {
    "mode-parameter": BraceRule(_sites(_mode), rows=changed_rows),
    "needless-indirection": BraceRule(_sites(_indirection), rows=changed_rows),
    "speculative-generality": BraceRule(_sites(_generality), rows=changed_rows),
}
