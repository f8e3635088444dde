def _refused_line(text: str) -> int:
    try:
        read_settings(text)
    except ValueError as error:
        start, _, _ = str(error).partition(":")
        return int(start.removeprefix("line "))
    raise AssertionError(f"{text!r} was accepted")


def test_reads_sections_and_settings() -> None:
    text = "[web]\nport = 80\nhost=localhost\n\n[db]\nport = 5432\n"

    assert read_settings(text) == {
        "web": {"port": "80", "host": "localhost"},
        "db": {"port": "5432"},
    }


def test_inherits_and_extends() -> None:
    assert read_settings("[a]\nx = 1\n[b : a]\nx += 2") == {
        "a": {"x": "1"},
        "b": {"x": "1 2"},
    }


def test_own_keys_override_inherited_ones_in_place() -> None:
    sections = read_settings("[a]\nx=1\ny=2\n[b:a]\nz=3\nx=9\n[c:b]\ny=8")

    assert list(sections["b"].items()) == [("x", "9"), ("y", "2"), ("z", "3")]
    assert list(sections["c"].items()) == [("x", "9"), ("y", "8"), ("z", "3")]
    assert sections["a"] == {"x": "1", "y": "2"}


def test_ignores_blank_lines_and_comments() -> None:
    assert read_settings("# [x]\n\n[a]\n   # y = 1\n\t\nz = 1 # kept\n") == {"a": {"z": "1 # kept"}}


def test_drops_white_space() -> None:
    assert read_settings("  [  a.b-c  ]  \n\t key_1\t=  some  value \n[ d  :  a.b-c ]") == {
        "a.b-c": {"key_1": "some  value"},
        "d": {"key_1": "some  value"},
    }


def test_only_the_first_sign_separates() -> None:
    assert read_settings("[a]\nx = y=z += 1\nv =") == {"a": {"x": "y=z += 1", "v": ""}}


def test_extends_own_values_again_and_again() -> None:
    assert read_settings("[a]\nx = 1\nx += 2\nx += 3") == {"a": {"x": "1 2 3"}}


def test_extending_an_empty_value_adds_no_blank() -> None:
    assert read_settings("[a]\nx =\nx += 2\ny = 1\ny +=") == {"a": {"x": "2", "y": "1"}}


def test_joins_continued_lines() -> None:
    assert read_settings("[a]\nx = 1 \\\n   2\\\n 3\ny = 4") == {"a": {"x": "1 2 3", "y": "4"}}
    assert read_settings("[a]\nx = 1 \\") == {"a": {"x": "1"}}
    assert read_settings("[a]\nx = \\\n \\\n 1") == {"a": {"x": "1"}}


def test_empty_files_and_sections() -> None:
    assert read_settings("") == {}
    assert read_settings("[a]\n[b:a]") == {"a": {}, "b": {}}


def test_refuses_settings_before_a_section() -> None:
    assert _refused_line("\nx = 1\n[a]") == 2
    assert _refused_line("x += 1") == 1


def test_refuses_repeated_sections_and_keys() -> None:
    assert _refused_line("[a]\n[b]\n[a]") == 3
    assert _refused_line("[a]\nx = 1\nx = 1") == 3
    assert _refused_line("[a]\nx = 1\n[b:a]\nx += 1\nx = 2\nx = 3") == 6
    assert read_settings("[a]\nx = 1\n[b]\nx = 2")["b"] == {"x": "2"}


def test_refuses_unknown_parents() -> None:
    assert _refused_line("[a : b]\n[b]") == 1
    assert _refused_line("[a : a]") == 1


def test_refuses_to_extend_unknown_keys() -> None:
    assert _refused_line("[a]\nx = 1\n[b]\nx += 2") == 4


def test_refuses_malformed_lines() -> None:
    for line in ["[]", "[a b]", "[b", "[b:]", "[b : a : a]", "= 1", "x", "k y = 1", "ü = 1"]:
        assert _refused_line(f"[a]\n{line}") == 2, line


def test_reports_where_a_joined_line_starts() -> None:
    assert _refused_line("[a]\nx = 1 \\\n2\nbad \\\n\\\nline\n") == 4
