"""The page in Chromium: the first paint of the feed with nothing cached, and how large its files are."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench import servers
from bench.lab import Lab
from bench.row import Row, own_row

STATIC = Path(__file__).resolve().parents[2] / "web_static"
CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
GOAL_MS = 500.0
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def run(lab: Lab) -> Iterator[Row]:
    files = [path.read_bytes() for path in STATIC.rglob("*") if path.is_file() and path.suffix != ".md"]
    yield own_row("page", "all files, as they are", "KB", [sum(map(len, files)) / 1000])
    yield own_row("page", "all files, as they are sent", "KB", [sum(len(gzip.compress(file)) for file in files) / 1000])
    if not CHROMIUM.is_file():
        print(f"page: no Chromium at {CHROMIUM}, so no first paint", file=sys.stderr)
        return
    server = lab.running(servers.memex_up)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        times = [_first_paint(browser, server.facts) for _ in range(lab.rounds(12) + 2)][2:]
        browser.close()
    server.stop()
    yield own_row("page", "first paint, nothing cached", "ms", times, GOAL_MS)


def _first_paint(browser: Browser, facts: Mapping[str, Any]) -> float:
    """In milliseconds, in a browser context of its own."""
    context = browser.new_context()
    token = json.dumps(facts["token"])
    context.add_init_script(f"if (location.origin !== 'null') localStorage.setItem('memex.token', {token})")
    page = context.new_page()
    page.goto(f"{facts['http']}/#/notes")
    page.locator("main h1").wait_for()
    paint = float(page.evaluate(PAINT))
    context.close()
    return paint
