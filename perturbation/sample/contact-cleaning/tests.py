def _name(text: str) -> str:
    return clean_contacts([{"name": text, "phone": "123456"}])[0][0]["name"]


def _email(text: str) -> str:
    return clean_contacts([{"email": text, "phone": "123456"}])[0][0]["email"]


def _phone(text: str) -> str:
    return clean_contacts([{"email": "a@b.cd", "phone": text}])[0][0]["phone"]


def test_merges_rows_with_equal_email() -> None:
    rows = [{"email": " Ann@x.org "}, {"email": "ann@x.org", "name": "Ann  Lee"}, {}]

    assert clean_contacts(rows) == (
        [{"name": "Ann Lee", "email": "ann@x.org", "phone": ""}],
        [2],
    )


def test_first_value_of_a_field_is_kept() -> None:
    rows = [
        {"email": "a@b.cd", "name": "First"},
        {"email": "a@b.cd", "name": "Second", "phone": "123456"},
        {"email": "a@b.cd", "name": "Third", "phone": "654321"},
    ]

    assert clean_contacts(rows) == (
        [{"name": "First", "email": "a@b.cd", "phone": "123456"}],
        [],
    )


def test_merges_by_phone_only_without_email() -> None:
    rows = [
        {"phone": "123 456"},
        {"phone": "123456", "email": "a@b.cd"},
        {"phone": "123-456", "name": "Bo"},
    ]

    assert clean_contacts(rows) == (
        [
            {"name": "Bo", "email": "", "phone": "123456"},
            {"name": "", "email": "a@b.cd", "phone": "123456"},
        ],
        [],
    )


def test_different_phones_are_different_contacts() -> None:
    rows = [{"phone": "111111"}, {"phone": "222222"}, {"phone": "+111111"}]

    contacts, _ = clean_contacts(rows)

    assert [contact["phone"] for contact in contacts] == [
        "111111",
        "222222",
        "+111111",
    ]


def test_different_contacts_keep_their_order() -> None:
    rows = [{"email": "z@x.yz"}, {"phone": "777777"}, {"email": "a@x.yz"}]

    contacts, rejected = clean_contacts(rows)

    assert [c["email"] or c["phone"] for c in contacts] == ["z@x.yz", "777777", "a@x.yz"]
    assert rejected == []


def test_rejects_rows_by_index() -> None:
    rows = [{"name": "No one"}, {"phone": "123456"}, {"phone": "12345"}, {"email": "x"}]

    assert clean_contacts(rows)[1] == [0, 2, 3]
    assert clean_contacts([]) == ([], [])


def test_cleans_names() -> None:
    assert _name("  Zoë \t van\n Dijk ") == "Zoë van Dijk"
    assert _name("   ") == ""
    assert _name("iOS Team") == "iOS Team"


def test_accepts_valid_emails() -> None:
    assert _email(" John.Doe+tag@Mail.Example.COM ") == ("john.doe+tag@mail.example.com")
    assert _email("a@b.c") == "a@b.c"


def test_drops_invalid_emails() -> None:
    invalid = ["", "  ", "a", "@b.cd", "a@", "a@b", "a@.b", "a@b.", "a@@b.cd"]
    invalid += ["a@b@c.de", "a b@c.de", "a@c .de", "a@.b.c", "a@b.c.", "a@.", "b.cd"]

    assert [text for text in invalid if _email(text)] == []


def test_cleans_phones() -> None:
    assert _phone(" (030) 12-34 56 ") == "030123456"
    assert _phone(" +49 30 123456") == "+4930123456"
    assert _phone("0049 30 123456") == "+4930123456"
    assert _phone("12+34567") == "1234567"
    assert _phone("123456 ext. X") == "123456"
    assert _phone("+00 123456") == "+00123456"


def test_phone_needs_six_digits() -> None:
    assert _phone("123456") == "123456"
    assert _phone("12345") == ""
    assert _phone("+123456") == "+123456"
    assert _phone("+12345") == ""
    assert _phone("00123456") == "+123456"
    assert _phone("0012345") == ""
    assert _phone("") == ""


def test_phone_ignores_digits_outside_ascii() -> None:
    assert _phone("12345٦") == ""


def test_unknown_keys_are_dropped() -> None:
    rows = [{"email": "a@b.cd", "city": "Ulm"}]

    assert clean_contacts(rows)[0] == [{"name": "", "email": "a@b.cd", "phone": ""}]


def test_leaves_its_input_alone() -> None:
    rows = [{"email": "A@b.cd"}, {"email": "a@b.cd", "name": "x "}]

    clean_contacts(rows)

    assert rows == [{"email": "A@b.cd"}, {"email": "a@b.cd", "name": "x "}]
