"""Ways in and out: files that become notes, names that become links, the feed for feed readers."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.world import World

FILE = """---
title: "Sourdough, week one"
tags: [bread, "Rye Flour", research]
---

# Sourdough, week one

Feed it **twice** a day.
"""
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/markdown" }));
  const main = document.getElementById("main");
  const send = (kind) =>
    main.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  send("dragenter");
  if (!main.classList.contains("dropping")) throw new Error("nothing shows that it may be dropped here");
  send("drop");
}"""


def named(cloud: World, title: str) -> list[dict[str, object]]:
    return [one for one in cloud.get("/notes?limit=100")["notes"] if one["title"] == title]


def test_a_dropped_file_becomes_one_note_however_often(open_page: Open, cloud: World) -> None:
    page = open_page()
    for _ in range(2):
        page.evaluate(DROP, ["week.md", FILE])
        expect(page.locator(".toast").last).to_contain_text("1 note imported")
    expect(page.locator(".feed .title").filter(has_text="Sourdough, week one")).to_have_count(1)
    (note,) = named(cloud, "Sourdough, week one")
    assert (note["body"], note["tags"]) == ("Feed it **twice** a day.", ["bread", "rye-flour"])
    expect(page.locator(".toast").last).to_contain_text("The tag research was left off")


def test_no_imported_file_asks_for_research_however_it_writes_the_tag(open_page: Open, cloud: World) -> None:
    page = open_page()
    page.evaluate(
        DROP, ["odd.md", '---\ntitle: Odd\ntags: ["##research", "research\\u0085", "# research", rye]\n---\nB']
    )
    expect(page.locator(".toast").last).to_contain_text("The tag research was left off")
    expect(page.locator(".feed .title").filter(has_text="Odd")).to_have_count(1)
    (note,) = named(cloud, "Odd")
    assert note["tags"] == ["rye"]


def test_a_file_that_is_no_text_is_refused_by_name(open_page: Open) -> None:
    page = open_page()
    page.evaluate(DROP.replace('type: "text/markdown"', 'type: "image/png"'), ["photo.png", "x"])
    expect(page.locator(".toast")).to_contain_text("Not imported: photo.png")


def test_what_was_exported_comes_in_again(open_page: Open, cloud: World, tmp_path: Path) -> None:
    cloud.note("Export me", "One.\n\n---\n\nTwo.", "kept")
    page = open_page("#/settings")
    with page.expect_download() as exported:
        page.get_by_role("button", name="Export all notes as Markdown").click()
    text = Path(exported.value.path()).read_text()
    assert "Export me" in text
    file = tmp_path / "all.md"
    file.write_text(text.replace('"Export me"', '"Imported"'))
    before = len(cloud.get("/notes?limit=200")["notes"])
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".toast")).to_contain_text(f"{before} notes imported")
    page.goto(f"{cloud.page}/#/notes")
    expect(page.locator(".feed .title").filter(has_text="Imported")).to_have_count(1)
    (note,) = named(cloud, "Imported")
    assert (note["body"], note["tags"]) == ("One.\n\n---\n\nTwo.", ["kept"])


def test_the_settings_tell_the_feed_and_it_opens_without_a_token(open_page: Open, cloud: World) -> None:
    page = open_page("#/settings")
    page.get_by_role("button", name="Show the address of the Atom feed").click()
    address = page.get_by_label("Atom feed").input_value()
    assert address.startswith(f"{cloud.api}/api/v1/feed/") and cloud.token not in address
    answer = httpx.get(address, trust_env=False)
    assert answer.status_code == 200 and "<title>The base loaf</title>" in answer.text
    assert f"{cloud.page}/#/notes/" in answer.text


def test_names_in_brackets_lead_to_the_note_of_that_title_or_say_that_there_is_none(
    open_page: Open, cloud: World
) -> None:
    note = cloud.note("Baking day", "As in [[the base loaf]], not [[The lost loaf]].")
    page = open_page(f"#/notes/{note}")
    reading = page.locator("main .reading")
    expect(reading.locator(".missing")).to_have_text("[[The lost loaf]]")
    reading.get_by_role("link", name="the base loaf").click()
    expect(page.locator("main h1")).to_have_text("The base loaf")


def test_front_matter_of_others_is_understood(open_page: Open) -> None:
    page = open_page("#/help")
    texts = {
        "commas": "---\ntitle: C\ntags: solar, Night rate\n---\nText",
        "list": "---\ntitle: 'A: b'\ntags:\n  - One\n  - two\n---\nText",
        "none": "Just text\n---\nand a rule",
        "open": "---\nno end",
    }
    found = page.evaluate(
        "async texts => { const { notesOf } = await import('/components/importing/frontMatter.js');"
        " return Object.fromEntries(Object.entries(texts).map(([k, v]) => [k, notesOf(v, k + '.md')])); }",
        texts,
    )
    assert found["commas"] == [{"title": "C", "body": "Text", "tags": ["solar", "night-rate"]}], json.dumps(found)
    assert found["list"] == [{"title": "A: b", "body": "Text", "tags": ["one", "two"]}], json.dumps(found)
    assert found["none"] == [{"title": "none", "body": "Just text\n---\nand a rule", "tags": []}]
    assert found["open"] == [{"title": "open", "body": "---\nno end", "tags": []}]
