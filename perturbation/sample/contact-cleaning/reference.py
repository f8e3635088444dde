"""Normalise contact rows and merge those that describe the same contact."""

FIELDS = ("name", "email", "phone")
MIN_PHONE_DIGITS = 6
ASCII_DIGITS = "0123456789"
INTERNATIONAL_PREFIX = "00"

Contact = dict[str, str]


def clean_name(text: str) -> str:
    """Return the name with single blanks between its words."""
    return " ".join(text.split())


def clean_email(text: str) -> str:
    """Return the address in lower case, or an empty text if it is invalid."""
    address = text.strip().lower()
    if len(address.split()) != 1 or address.count("@") != 1:
        return ""
    local_part, domain = address.split("@")
    has_inner_dot = "." in domain[1:-1]
    has_outer_dot = domain.startswith(".") or domain.endswith(".")
    if not local_part or not has_inner_dot or has_outer_dot:
        return ""
    return address


def clean_phone(text: str) -> str:
    """Return the digits with an optional plus, or an empty text if too short."""
    digits = "".join(character for character in text if character in ASCII_DIGITS)
    is_international = text.strip().startswith("+")
    if not is_international and digits.startswith(INTERNATIONAL_PREFIX):
        is_international = True
        digits = digits.removeprefix(INTERNATIONAL_PREFIX)
    if len(digits) < MIN_PHONE_DIGITS:
        return ""
    return "+" + digits if is_international else digits


def clean_contacts(rows: list[Contact]) -> tuple[list[Contact], list[int]]:
    """Return the merged contacts and the indexes of rows without any address."""
    contacts: dict[tuple[str, str], Contact] = {}
    rejected: list[int] = []
    for index, row in enumerate(rows):
        contact = {
            "name": clean_name(row.get("name", "")),
            "email": clean_email(row.get("email", "")),
            "phone": clean_phone(row.get("phone", "")),
        }
        if not contact["email"] and not contact["phone"]:
            rejected.append(index)
            continue
        # The phone identifies a contact only where there is no e-mail.
        identity = (contact["email"], "" if contact["email"] else contact["phone"])
        known = contacts.setdefault(identity, contact)
        for field in FIELDS:
            known[field] = known[field] or contact[field]
    return list(contacts.values()), rejected
