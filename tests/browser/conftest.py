"""A browser and a world for all tests here; a page of its own for each, which must not complain."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.world import QUESTION, World, world

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SECONDS = 60
expect.set_options(timeout=SECONDS * 1000)  # a view asks anew every five seconds, and the machine may be slow
EXPECTED = ("Failed to load resource",)
"""The browser says so of every refused request; what the page makes of it is what is tested."""

Open = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them take a minute: slow. Without a Chromium they are skipped, and one line says so."""
    ours = [item for item in items if "tests/browser" in item.nodeid]
    for item in ours:
        item.add_marker(pytest.mark.slow)
        item.add_marker(pytest.mark.timeout(10 * SECONDS))
    if CHROMIUM.is_file() or not ours:
        return
    reason = f"no Chromium at {CHROMIUM}: apt-get install chromium, or set CHROMIUM"
    for item in ours:
        item.add_marker(pytest.mark.skip(reason=reason))
    print(f"tests/browser is skipped: {reason}", file=sys.stderr)  # noqa: T201


@pytest.fixture(scope="module")
def cloud() -> Iterator[World]:
    """One for the tests of a file: those of other files may run before or after, and leave what they wrote."""
    with world() as made:
        yield made


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(cloud: World) -> dict[str, str]:
    """The ids of a note that was researched, of its operation and of its report."""
    note = cloud.note(*QUESTION, "research")
    operation = cloud.researched(note)
    assert operation["status"] == "completed", operation["error"]
    return {"note": note, "operation": operation["id"], "report": operation["result_note_id"]}


@pytest.fixture
def open_page(cloud: World, browser: Browser) -> Iterator[Open]:
    """Opens addresses such as "#/notes", in one context for one test, with the token unless `token` is another."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(EXPECTED):
            complaints.append(message.text)

    def open_(address: str = "#/notes", token: str | None = None, **options: object) -> Page:
        if options or not contexts:
            contexts.append(browser.new_context(**({"service_workers": "block"} | options)))  # type: ignore[arg-type]
            known = {"memex.token": cloud.token if token is None else token}
            known["memex.notices"] = "stay"  # they are closed by what is tested, not by the time
            contexts[-1].add_init_script(
                f"for (const [k, v] of Object.entries({json.dumps(known)}))"
                " if (location.origin !== 'null' && !sessionStorage.getItem('begun')) localStorage.setItem(k, v);"
                " if (location.origin !== 'null') sessionStorage.setItem('begun', 'yes');"
            )
            contexts[-1].set_default_timeout(SECONDS * 1000)
        page = contexts[-1].new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{cloud.page}/{address}")
        page.locator("main:not([aria-busy]) h1").wait_for(state="attached")
        return page

    yield open_
    for context in contexts:
        context.close()
    cloud.let_go()
    assert complaints == []
