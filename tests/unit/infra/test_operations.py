"""The book for whoever is woken knows each alert, and each alert listens for something that is said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ALERTS = json.loads((ROOT / "infra" / "terraform" / "modules" / "watching" / "alerts.json").read_text())
BOOK = (ROOT / "docs" / "operations.md").read_text()
SOURCES = "\n".join(path.read_text() for path in (ROOT / "shared").rglob("*.py"))


def anchors() -> set[str]:
    headings = re.findall(r"^#+ (.+)$", BOOK, re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_each_alert_has_its_heading_and_each_heading_its_alert() -> None:
    part = BOOK.partition("\n## Alerts\n")[2].partition("\n## ")[0]
    headings = re.findall(r"^### (.+)$", part, re.MULTILINE)
    assert sorted(headings) == sorted([*ALERTS, "Spending (the budget)"])
    for text in re.split(r"^### .+$", part, flags=re.MULTILINE)[1:]:
        assert len(text.split()) > 20, text


def test_the_places_that_it_points_to_are_there() -> None:
    assert set(re.findall(r"\]\(#([a-z0-9-]+)\)", BOOK)) <= anchors()
    for name in re.findall(r"\]\(([a-z-]+\.md)\)", BOOK):
        assert (ROOT / "docs" / name).exists()


@pytest.mark.parametrize("name", [name for name, alert in ALERTS.items() if "log" in alert])
def test_what_an_alert_listens_for_is_what_the_code_says(name: str) -> None:
    phrases = re.findall(r'jsonPayload\.message:"([^"]+)"', ALERTS[name]["log"])
    assert phrases
    said = re.sub(r"%s|\{[^}]*\}", "", SOURCES)
    for phrase in phrases:
        assert phrase.removesuffix("paused") in said, phrase


def test_the_document_that_pauses_by_hand_is_the_one_that_is_read() -> None:
    from shared.store.spending import FIELD, PROJECT

    assert f"`{PROJECT}`" in BOOK and f"`{FIELD}`" in BOOK and f"documents/{PROJECT}?" in BOOK
