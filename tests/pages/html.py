"""Reading answers as documents: strict parsing, and what the pages' own rules forbid."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import html5lib
from django.http import HttpResponse

Document = ElementTree.Element
XHTML = "{http://www.w3.org/1999/xhtml}"


def document(answer: HttpResponse) -> Document:
    """Parse an answer as a browser would, and fail on any error of its HTML."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    found: Document = parser.parse(answer.content.decode())
    return found


def fragment(answer: HttpResponse) -> Document:
    """Parse a part of a page, and fail on any error of its HTML."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    found: Document = parser.parseFragment(answer.content.decode())
    return found


def text_of(element: Document) -> str:
    """All text of an element, with single spaces."""
    return " ".join(" ".join(element.itertext()).split())


def by_id(root: Document, name: str) -> Document:
    """The element with this id."""
    found = root.find(f".//*[@id='{name}']")
    assert found is not None, f"no element has the id {name}"
    return found


def inputs(root: Document) -> dict[str, str]:
    """Hidden inputs of the score form, by name."""
    form = by_id(root, "score-form")
    fields = form.iterfind(".//input[@type='hidden']")
    return {field.get("name", ""): field.get("value", "") for field in fields}


def repeated_ids(root: Document) -> list[str]:
    """Ids that more than one element has."""
    counts = Counter(element.get("id") for element in root.iter() if element.get("id"))
    return sorted(str(name) for name, count in counts.items() if count > 1)


def inline_code(root: Document) -> list[str]:
    """Whatever a strict policy would block: inline scripts, style elements and attributes, on... attributes."""
    found: list[str] = []
    for element in root.iter():
        tag = str(element.tag)
        if tag == "style" or (tag == "script" and not element.get("src")):
            found.append(tag)
        found += [f"{tag} {name}" for name in element.attrib if name == "style" or name.startswith(("on", "hx-on"))]
    return found
