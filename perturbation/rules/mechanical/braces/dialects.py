"""The five brace languages: what their grammars call things and how new code is written in them."""

from __future__ import annotations

from perturbation.rules.mechanical.syntax.dialect import Dialect

_WORDS = (
    "auto bool break case char class const continue default delete do double else enum false final float for goto if "
    "import int interface long new private protected public return short static struct super switch this throw true "
    "try catch union unsigned using void volatile while namespace template typename operator std string vector map set "
    "max min abs sort var let function package func type chan defer go select fallthrough nil len cap append make copy "
    "print println error rune byte any yield await async in of null undefined NaN String Object List Map Set Math "
    "Array Number fn mut pub mod use impl trait match loop where self Self crate move dyn unsafe extern ref as box str "
    "not and or xor abstract synchronized transient native assert throws extends implements instanceof record with "
    "typeof delete export debugger range signed register inline explicit friend virtual mutable this sizeof alignof"
)
_KEYWORDS = frozenset(_WORDS.split())

CPP = Dialect(
    id="cpp",
    grammar="cpp",
    functions=frozenset({"function_definition", "lambda_expression"}),
    named=frozenset({"function_definition"}),
    blocks=frozenset({"compound_statement"}),
    if_kind="if_statement",
    while_kind="while_statement",
    for_each=frozenset({"for_range_loop"}),
    for_classic=frozenset({"for_statement"}),
    loops=frozenset({"for_statement", "for_range_loop", "while_statement", "do_statement"}),
    returns="return_statement",
    breaks="break_statement",
    continues="continue_statement",
    throws=frozenset({"throw_statement"}),
    local=frozenset({"declaration"}),
    assignments=frozenset({"assignment_expression"}),
    updates=frozenset({"update_expression"}),
    effects=frozenset(
        {"new_expression", "delete_expression", "throw_statement", "return_statement", "break_statement"}
    ),
    calls=frozenset({"call_expression"}),
    members=frozenset({"field_identifier", "namespace_identifier", "type_identifier", "statement_identifier"}),
    integers=frozenset({"number_literal"}),
    strings=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
    comments=frozenset({"comment"}),
    declared=(
        ("declaration", "declarator"),
        ("parameter_declaration", "declarator"),
        ("optional_parameter_declaration", "declarator"),
        ("for_range_loop", "declarator"),
    ),
    keywords=_KEYWORDS,
    if_head="if ({c}) {{",
    while_head="while ({c}) {{",
    constant="const auto {n} = {v};",
    variable="auto {n} = {v};",
    flag="bool {n} = {v};",
    typed="{t} {n} = {v};",
    log="std::cout << {v} << std::endl;",
    ternary="conditional_expression",
)

JAVA = Dialect(
    id="java",
    grammar="java",
    functions=frozenset({"method_declaration", "constructor_declaration", "lambda_expression"}),
    named=frozenset({"method_declaration"}),
    blocks=frozenset({"block", "constructor_body"}),
    if_kind="if_statement",
    while_kind="while_statement",
    for_each=frozenset({"enhanced_for_statement"}),
    for_classic=frozenset({"for_statement"}),
    loops=frozenset({"for_statement", "enhanced_for_statement", "while_statement", "do_statement"}),
    returns="return_statement",
    breaks="break_statement",
    continues="continue_statement",
    throws=frozenset({"throw_statement"}),
    local=frozenset({"local_variable_declaration"}),
    assignments=frozenset({"assignment_expression"}),
    updates=frozenset({"update_expression"}),
    effects=frozenset(
        {"object_creation_expression", "throw_statement", "return_statement", "break_statement", "continue_statement"}
    ),
    calls=frozenset({"method_invocation"}),
    members=frozenset({"type_identifier", "labeled_statement", "method_reference", "marker_annotation", "annotation"}),
    integers=frozenset({"decimal_integer_literal"}),
    strings=frozenset({"string_literal", "character_literal"}),
    comments=frozenset({"line_comment", "block_comment"}),
    declared=(
        ("variable_declarator", "name"),
        ("formal_parameter", "name"),
        ("enhanced_for_statement", "name"),
        ("catch_formal_parameter", "name"),
    ),
    keywords=_KEYWORDS,
    if_head="if ({c}) {{",
    while_head="while ({c}) {{",
    constant="final var {n} = {v};",
    variable="var {n} = {v};",
    flag="boolean {n} = {v};",
    typed="{t} {n} = {v};",
    log="System.out.println({v});",
    ternary="ternary_expression",
)

JAVASCRIPT = Dialect(
    id="javascript",
    grammar="javascript",
    functions=frozenset(
        {
            "function_declaration",
            "function_expression",
            "arrow_function",
            "method_definition",
            "generator_function",
            "generator_function_declaration",
        }
    ),
    named=frozenset({"function_declaration", "arrow_function", "method_definition", "function_expression"}),
    blocks=frozenset({"statement_block"}),
    if_kind="if_statement",
    while_kind="while_statement",
    for_each=frozenset({"for_in_statement"}),
    for_classic=frozenset({"for_statement"}),
    loops=frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"}),
    returns="return_statement",
    breaks="break_statement",
    continues="continue_statement",
    throws=frozenset({"throw_statement"}),
    local=frozenset({"lexical_declaration", "variable_declaration"}),
    assignments=frozenset({"assignment_expression", "augmented_assignment_expression"}),
    updates=frozenset({"update_expression"}),
    effects=frozenset(
        {"new_expression", "await_expression", "yield_expression", "throw_statement", "return_statement"}
        | {"break_statement", "continue_statement"}
    ),
    calls=frozenset({"call_expression"}),
    members=frozenset({"property_identifier", "shorthand_property_identifier", "labeled_statement"}),
    integers=frozenset({"number"}),
    strings=frozenset({"string", "template_string"}),
    comments=frozenset({"comment"}),
    declared=(
        ("variable_declarator", "name"),
        ("formal_parameters", ""),
        ("arrow_function", "parameter"),
        ("for_in_statement", "left"),
        ("catch_clause", "parameter"),
    ),
    keywords=_KEYWORDS | {"arguments", "eval", "console", "name", "module", "exports", "process", "global"},
    if_head="if ({c}) {{",
    while_head="while ({c}) {{",
    constant="const {n} = {v};",
    variable="let {n} = {v};",
    flag="let {n} = {v};",
    typed="let {n} = {v};",
    log="console.log({v});",
    ternary="ternary_expression",
)

GO = Dialect(
    id="go",
    grammar="go",
    functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    named=frozenset({"function_declaration", "method_declaration"}),
    blocks=frozenset({"block"}),
    if_kind="if_statement",
    while_kind="for_statement",
    for_each=frozenset({"range_clause"}),
    for_classic=frozenset({"for_clause"}),
    loops=frozenset({"for_statement"}),
    returns="return_statement",
    breaks="break_statement",
    continues="continue_statement",
    throws=frozenset(),
    local=frozenset({"short_var_declaration", "var_declaration", "const_declaration"}),
    assignments=frozenset({"assignment_statement", "short_var_declaration"}),
    updates=frozenset({"inc_statement", "dec_statement"}),
    effects=frozenset(
        {"go_statement", "defer_statement", "send_statement", "return_statement", "break_statement"}
        | {"continue_statement", "goto_statement"}
    ),
    calls=frozenset({"call_expression"}),
    members=frozenset({"field_identifier", "package_identifier", "type_identifier", "label_name"}),
    integers=frozenset({"int_literal"}),
    strings=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    comments=frozenset({"comment"}),
    declared=(
        ("short_var_declaration", "left"),
        ("var_spec", "name"),
        ("const_spec", "name"),
        ("parameter_declaration", "name"),
        ("range_clause", "left"),
    ),
    keywords=_KEYWORDS | {"t", "testing", "assert", "fmt", "math", "strings", "sort", "strconv", "complex", "real"},
    if_head="if {c} {{",
    while_head="for {c} {{",
    constant="{n} := {v}",
    variable="{n} := {v}",
    flag="{n} := {v}",
    typed="var {n} {t} = {v}",
    log="fmt.Println({v})",
    containers=frozenset({"statement_list"}),
    end="",
)

RUST = Dialect(
    id="rust",
    grammar="rust",
    functions=frozenset({"function_item", "closure_expression"}),
    named=frozenset({"function_item"}),
    blocks=frozenset({"block"}),
    if_kind="if_expression",
    while_kind="while_expression",
    for_each=frozenset({"for_expression"}),
    for_classic=frozenset(),
    loops=frozenset({"for_expression", "while_expression", "loop_expression"}),
    returns="return_expression",
    breaks="break_expression",
    continues="continue_expression",
    throws=frozenset(),
    local=frozenset({"let_declaration"}),
    assignments=frozenset({"assignment_expression", "compound_assignment_expr"}),
    updates=frozenset(),
    effects=frozenset(
        {"macro_invocation", "try_expression", "await_expression", "return_expression", "break_expression"}
        | {"continue_expression"}
    ),
    calls=frozenset({"call_expression"}),
    members=frozenset({"field_identifier", "type_identifier", "shorthand_field_initializer", "lifetime", "label"}),
    integers=frozenset({"integer_literal"}),
    strings=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
    comments=frozenset({"line_comment", "block_comment"}),
    declared=(
        ("let_declaration", "pattern"),
        ("parameter", "pattern"),
        ("for_expression", "pattern"),
        ("closure_parameters", ""),
    ),
    keywords=_KEYWORDS | {"super", "tests", "test", "char", "vec", "iter", "slice", "replace", "drop", "u8", "i8"},
    if_head="if {c} {{",
    while_head="while {c} {{",
    constant="let {n} = {v};",
    variable="let mut {n} = {v};",
    flag="let mut {n} = {v};",
    typed="let mut {n}: {t} = {v};",
    log='println!("{{:?}}", {v});',
)

ALL = (CPP, GO, JAVA, JAVASCRIPT, RUST)
