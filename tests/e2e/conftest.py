"""Chromium against a live server: one browser a session, one signed-in page a test, console errors fail."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

# Playwright's synchronous interface runs an event loop, in which Django refuses to touch the database otherwise.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

CHROMIUM = os.environ.get("AXIOM_CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OUTPUT = Path(__file__).resolve().parents[2] / "test-output"

OpenAs = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(autouse=True)
def _quick_site(settings: Settings) -> None:
    """Hash passwords cheaply, and have the folder for collected static files, whose absence is a warning."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)


@pytest.fixture
def troubles() -> list[str]:
    """What the browser complained about; a test that provokes a complaint removes it."""
    return []


@pytest.fixture
def open_as(
    browser: Browser, live_server: LiveServer, troubles: list[str], request: pytest.FixtureRequest
) -> Iterator[OpenAs]:
    """Return a page of a new browser context, signed in as the named person (anonymous for an empty name)."""
    contexts = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            troubles.append(f"{message.text} {message.location['url']}")

    def open_page(name: str = "", *, width: int = 1280, height: int = 800, theme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            base_url=live_server.url,
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        if name:
            page.goto("/accounts/login/")
            page.fill("#id_username", name)
            page.fill("#id_password", name)
            page.click("main button")
            page.wait_for_url(lambda url: "login" not in url)
        return page

    yield open_page
    if getattr(request.node, "has_failed", False):
        OUTPUT.mkdir(exist_ok=True)
        for number, context in enumerate(contexts):
            for page in context.pages:
                page.screenshot(path=OUTPUT / f"{request.node.name}-{number}.png")
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Mark a failed test, so that its pages are kept as pictures."""
    report = yield
    if report.when == "call" and report.failed:
        item.has_failed = True  # type: ignore[attr-defined]
    return report
