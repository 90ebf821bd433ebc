"""The page's files: complete, small, and without a way from content to markup."""

from __future__ import annotations

import re

from infra.local.console.files import FOLDER
from tests.unit.local.console.conftest import Desk

LARGEST = 60_000
FILES = sorted(file for file in FOLDER.rglob("*") if file.is_file())
MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|style=")


def test_every_file_of_the_page_is_served_with_its_type(shared: Desk) -> None:
    assert shared.http.get("/_cloud").headers["Content-Type"] == "text/html; charset=utf-8"
    types = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
    for file in FILES:
        answer = shared.http.get(f"/_cloud/page/{file.relative_to(FOLDER)}")
        assert answer.content == file.read_bytes()
        assert answer.headers["Content-Type"].startswith(types[file.suffix])


def test_what_the_page_names_is_there() -> None:
    for file in FILES:
        for name in re.findall(r'(?:from|href=|src=) ?"((?:\./|\.\./|/_cloud/page/)[^"]+)"', file.read_text()):
            where = FOLDER / name.removeprefix("/_cloud/page/") if name.startswith("/") else file.parent / name
            assert where.resolve().is_file(), f"{file.name} names {name}"
    sections = re.findall(r'^  \["\w*", "[^"]+", "(\w+)"', (FOLDER / "main.js").read_text(), re.MULTILINE)
    assert {f"{name}.js" for name in sections} == {file.name for file in (FOLDER / "views").iterdir()}


def test_the_whole_page_is_small() -> None:
    assert sum(file.stat().st_size for file in FILES) < LARGEST


def test_no_script_makes_markup_of_text_and_no_file_names_another_host() -> None:
    for file in FILES:
        text = file.read_text()
        assert not MARKUP.search(text), file.name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), file.name


def test_an_unchanged_answer_is_not_sent_again(shared: Desk) -> None:
    first = shared.http.get("/_cloud/deliveries")
    again = shared.http.get("/_cloud/deliveries", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_services_and_functions_are_listed_with_their_addresses(desk: Desk) -> None:
    desk.send("POST", "faults", {"kind": "outage", "service": "pubsub", "seconds": 60})
    report = desk.get("services")
    services = {one["name"]: one for one in report["services"]}
    assert set(services) == {"firestore", "pubsub", "workflows", "aiplatform", "functions"}
    assert services["firestore"]["address"] == desk.cloud.place.grpc
    assert services["aiplatform"]["address"] == desk.cloud.place.http
    assert services["pubsub"]["out_seconds"] > 50 and services["firestore"]["out_seconds"] is None
    functions = {one["name"]: one for one in report["functions"]}
    assert functions["on-document"]["called_by"] == "documents written: workspaces/{workspace}/notes/{note}"
    assert {one["state"] for one in functions.values()} == {"off"}


def test_the_summary_counts_what_is_waiting(desk: Desk) -> None:
    before = desk.get("summary")
    desk.write("things/1", a=1)
    desk.send("POST", "faults", {"kind": "lost_answer", "method": "Commit"})
    after = desk.get("summary")
    assert after["change"] == before["change"] + 1
    assert (before["faults"], after["faults"]) == (0, 1)
    assert after["total_usd"] > before["total_usd"]
