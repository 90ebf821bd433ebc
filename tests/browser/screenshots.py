"""Pictures of every view with real content, in three widths, light and dark: make screenshots, and look at them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from infra.cli.demo.memex import sample_notes
from infra.local.aiplatform.model_script import call, say
from shared.contracts.members import Role
from tests.browser.answering import Brain
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.deciding import Deciding
from tests.browser.world import World, world
from tests.support.command import ROOT
from tests.support.waiting import wait_until

WIDTHS, SCHEMES = (390, 820, 1280), ("light", "dark")
HEIGHT, TALLEST = 900, 2400
CONTRACTS = ROOT / "infra" / "cli" / "demo" / "contracts"
GOAL = "Look into night charging of the battery and into the base loaf, and put it in a table"
JSON = {"Accept": "application/json"}
ENDED = ("succeeded", "failed", "cancelled", "completed", "ready")


def filled(cloud: World) -> dict[str, str]:
    """Put in what a person may have after some weeks; the ids that addresses need."""
    for note in sample_notes():
        cloud.note(note.title, note.body, *note.tags)
    asked = cloud.note("Battery in winter", "What does the cold do to the battery in the garage?", "research")
    operation = cloud.researched(asked)
    cloud.hold_research()
    cloud.note("Rye in the winter", "How long should a dough with rye rest when it is cold?", "research")
    document = [_upload(cloud, path) for path in sorted(CONTRACTS.glob("*.pdf"))][-1]
    for title, due in (("Order panels", "2026-11-20"), ("Feed the starter", "2026-12-01"), ("Read the lease", None)):
        cloud.http.post("/api/v1/tasks", json={"title": title, "due": due, "source_note_id": asked}).raise_for_status()
    for text in ("What do my notes say about the battery?", "Add a task to measure the battery by friday"):
        session = _said(cloud, text, locals().get("session", ""))
    run = cloud.http.post("/api/v1/agent_runs", json={"goal": GOAL}).raise_for_status().json()["run"]["id"]
    _wait(cloud, f"/agent_runs/{run}", "run")
    _proposed(cloud, cloud.loaf())
    gone = cloud.note("Bicycle", "The chain was replaced.")
    cloud.http.delete(f"/api/v1/notes/{gone}").raise_for_status()
    return {
        "note": asked,
        "report": operation["result_note_id"],
        "operation": operation["id"],
        "session": session,
        "run": run,
        "document": document,
    }


def _upload(cloud: World, path: Path) -> str:
    answer = cloud.http.post("/api/v1/documents", files={"file": (path.name, path.read_bytes())}).raise_for_status()
    document = str(answer.json()["document"]["id"])
    _wait(cloud, f"/documents/{document}", "document")
    return document


def _wait(cloud: World, path: str, name: str) -> None:
    wait_until(lambda: cloud.get(path)[name]["status"] in ENDED, what=f"the end of {path}")


def _said(cloud: World, text: str, session: str) -> str:
    if not session:
        session = cloud.http.post("/api/v1/chat/sessions", json={}).raise_for_status().json()["session"]["id"]
    path = f"/api/v1/chat/sessions/{session}/messages"
    cloud.http.post(path, json={"text": text}, headers=JSON).raise_for_status()
    return session


def _proposed(cloud: World, note: str) -> None:
    changes = {"body": "Flour 900 g, water 650 g, salt 18 g. Autolyse one hour, then fold five times.", "tags": ["rye"]}
    arguments = {"note_id": note, "changes": changes}
    cloud.script(call("queue_approval", tool="update_note", arguments=arguments, reason="The log says it was too dry."))
    cloud.script(say("A quiet week."))
    cloud.http.post("/api/v1/routines/review/run").raise_for_status()


VIEWS = {
    "feed": "#/notes",
    "search": "#/notes?q=battery",
    "note": "#/notes/{note}",
    "report": "#/notes/{report}",
    "edit": "#/notes/{note}?edit",
    "chat": "#/chat/{session}",
    "chat-new": "#/chat?new",
    "tasks": "#/tasks",
    "approvals": "#/approvals",
    "operations": "#/operations",
    "operation": "#/operations/{operation}",
    "runs": "#/runs",
    "run": "#/runs/{run}",
    "documents": "#/documents",
    "document": "#/documents/{document}?q=notice",
    "memory": "#/memory",
    "short": "#/memory/short",
    "graph": "#/memory/graph",
    "contradictions": "#/memory/contradictions",
    "record": "#/records/works",
    "brain": "#/brain",
    "queue": "#/brain/queue",
    "picture": "#/brain/picture",
    "usage": "#/usage",
    "trash": "#/trash",
    "settings": "#/settings",
    "help": "#/help",
    "not-there": "#/notes/absent",
    "plan": "#/operations/planned",
    "plan-edit": "#/operations/planned",
    "plans": "#/approvals",
    "paused": "#/usage",
    "paused-chat": "#/chat/{session}",
    "reader": "#/notes/{note}",
    "welcome": "#/notes",
}
"""The last one is what is seen without a token."""


def context(browser: Browser, cloud: World, width: int, scheme: str) -> BrowserContext:
    """A window of that form, with the token."""
    made = browser.new_context(
        viewport={"width": width, "height": HEIGHT},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        service_workers="block",
        is_mobile=width < 500,
        has_touch=width < 500,
    )
    made.add_init_script(f"localStorage.setItem('memex.token', '{cloud.token}')")
    return made


def pictures(
    page: Page, cloud: World, ids: Mapping[str, str], names: list[str], deciding: Deciding
) -> Iterator[tuple[str, bytes]]:
    """(view, PNG) of each of these, as high as it is up to a bound."""
    for name in names:
        deciding.paused = "workspace" if name.startswith("paused") else ""
        deciding.role = Role.READER if name == "reader" else Role.OWNER
        deciding.status = "awaiting_approval" if name.startswith("plan") else "running"
        if name == "welcome":
            page.add_init_script("localStorage.removeItem('memex.token')")
        page.goto("about:blank")
        page.set_viewport_size({"width": page.viewport_size["width"], "height": HEIGHT})  # type: ignore[index]
        page.goto(f"{cloud.page}/{VIEWS[name].format(**ids)}")
        page.locator("main:not([aria-busy]) h1").wait_for(state="attached")
        if name == "plan-edit":
            page.get_by_role("button", name="Edit").click()
        page.wait_for_timeout(400)  # a picture is for eyes: what comes later than this is not in it
        high = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": page.viewport_size["width"], "height": min(max(high, HEIGHT), TALLEST)})  # type: ignore[index]
        yield name, page.screenshot()


def sheet(paths: list[Path], across: int, wide: int) -> Image.Image:
    """Pictures side by side, made small."""
    small = []
    for path in paths:
        with Image.open(path) as one:
            small.append(one.convert("RGB").resize((wide, round(one.height * wide / one.width))))
    rows = [small[n : n + across] for n in range(0, len(small), across)]
    made = Image.new("RGB", (across * (wide + 8), sum(max(one.height for one in row) + 8 for row in rows)), "#888")
    top = 0
    for row in rows:
        for n, one in enumerate(row):
            made.paste(one, (n * (wide + 8), top))
        top += max(one.height for one in row) + 8
    return made


def take(folder: Path, names: list[str], forms: list[tuple[int, str]]) -> None:
    """Write folder/WIDTH-SCHEME/VIEW.png, and a sheet of each form."""
    with world() as cloud, sync_playwright() as playwright:
        ids = filled(cloud)
        browser: Any = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for width, scheme in forms:
            made = context(browser, cloud, width, scheme)
            page = made.new_page()
            Brain(page, cloud.page)
            deciding = Deciding(page, cloud.page)
            place = folder / f"{width}-{scheme}"
            place.mkdir(parents=True, exist_ok=True)
            for name, png in pictures(page, cloud, ids, names, deciding):
                (place / f"{name}.png").write_bytes(png)
            made.close()
            sheet([place / f"{name}.png" for name in names], 4, 400).save(folder / f"{width}-{scheme}.png")
        browser.close()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("views", nargs="*", help=f"of {', '.join(VIEWS)}; all when none is named")
    asked.add_argument("--to", type=Path, default=ROOT / "screenshots", help="the folder for them")
    asked.add_argument("--width", type=int, choices=WIDTHS, help="one width alone")
    asked.add_argument("--scheme", choices=SCHEMES, help="light or dark alone")
    given = asked.parse_args()
    forms = [(w, s) for w in WIDTHS for s in SCHEMES if given.width in (None, w) and given.scheme in (None, s)]
    take(given.to, given.views or list(VIEWS), forms)


if __name__ == "__main__":
    main()
