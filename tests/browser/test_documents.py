"""Documents: put in by dropping and choosing, read, searched, refused with a reason, deleted with a way back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fpdf import FPDF
from playwright.sync_api import Locator, Page, expect

from tests.browser.chatting import answered, ask
from tests.browser.conftest import Open
from tests.browser.test_accessibility import violations
from tests.browser.world import World

DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const main = document.getElementById("main");
  for (const kind of ["dragenter", "drop"])
    main.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def lease() -> bytes:
    """A contract of two pages."""
    made = FPDF()
    made.set_font("Helvetica", size=11)
    for text in ("The tenant gives notice by 30 September 2026.", "The deposit of 4,200 falls due on 15 October 2026."):
        made.add_page()
        made.multi_cell(0, 6, text)
    return bytes(made.output())


def row(page: Page, name: str) -> Locator:
    return page.locator("main li").filter(has_text=name)


def put_in(cloud: World, name: str, content: bytes) -> str:
    answer = cloud.http.post("/api/v1/documents", files={"file": (name, content)})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["document"]["id"])


def test_files_that_are_dropped_are_read_and_shown(open_page: Open) -> None:
    page = open_page("#/documents")
    page.evaluate(DROP, ["readings.csv", "day,kWh\n2026-11-01,3\n2026-11-02,6\n"])
    one = row(page, "readings.csv")
    expect(one).to_contain_text("ready")
    assert violations(page) == []
    one.get_by_role("link", name="readings.csv").click()
    expect(page.locator("main h1")).to_have_text("readings.csv")
    expect(page.locator("thead th")).to_have_text([re.compile("day"), re.compile("kWh")])
    expect(page.locator("tbody tr")).to_have_count(2)
    assert violations(page) == []
    with page.expect_download() as got:
        page.get_by_role("button", name="Download").click()
    assert Path(got.value.path()).read_text().startswith("day,kWh")


def test_a_file_that_is_chosen_shows_its_way_and_its_passages(open_page: Open, tmp_path: Path) -> None:
    file = tmp_path / "lease.pdf"
    file.write_bytes(lease())
    page = open_page("#/documents")
    page.locator("input[type=file]").set_input_files(file)
    one = row(page, "lease.pdf")
    expect(one).to_contain_text("2 pages")
    one.get_by_role("link", name="lease.pdf").click()
    page.get_by_label("Search in this document").fill("deposit")
    found = page.locator(".passages li").first
    expect(found).to_contain_text("15 October 2026")
    expect(found).to_contain_text("Page 2")
    expect(found.locator("mark").first).to_have_text("deposit")
    assert page.url.endswith("?q=deposit")
    page.reload()
    expect(found).to_contain_text("Page 2")


def test_what_cannot_be_taken_stays_with_its_reason_and_what_is_broken_says_so(open_page: Open) -> None:
    page = open_page("#/documents")
    page.evaluate(DROP, ["photo.png", "\u0089PNG\r\n\u001a\n not one of ours"])
    refused = row(page, "photo.png")
    expect(refused.get_by_role("alert")).not_to_have_text("")
    refused.get_by_role("button", name="Leave photo.png out").click()
    expect(refused).to_have_count(0)
    page.evaluate(DROP, ["broken.pdf", "%PDF-1.7\nnonsense"])
    expect(row(page, "broken.pdf")).to_contain_text("not readable")


def test_an_upload_that_breaks_off_is_one_document_after_retry(open_page: Open, cloud: World) -> None:
    page = open_page("#/documents")
    page.route(
        "**/api/v1/documents", lambda route: route.abort() if route.request.method == "POST" else route.fallback()
    )
    page.evaluate(DROP, ["plan.md", "# A plan"])
    failed = row(page, "plan.md")
    expect(failed).to_contain_text("Not taken")
    page.unroute("**/api/v1/documents")
    failed.get_by_role("button", name="Retry").click()
    expect(row(page, "plan.md").get_by_role("link", name="plan.md")).to_be_visible()
    assert [one["name"] for one in cloud.get("/documents")["documents"]].count("plan.md") == 1


def test_a_deleted_document_comes_back_by_undo(open_page: Open, cloud: World) -> None:
    put_in(cloud, "old.txt", b"Old words.")
    page = open_page("#/documents")
    one = row(page, "old.txt")
    one.get_by_role("button", name="Delete old.txt").click()
    expect(one).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(one).to_have_count(1)
    one.get_by_role("button", name="Delete old.txt").click()
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.locator(".toast").get_by_role("button", name="Close").click()
    assert "old.txt" not in [one["name"] for one in cloud.get("/documents")["documents"]]


@pytest.mark.parametrize("width", [1280, 390])
def test_an_answer_cites_a_page_of_a_document(open_page: Open, cloud: World, width: int) -> None:
    from infra.local.aiplatform.model_script import say

    document = put_in(cloud, f"contract-{width}.pdf", lease())
    page = open_page("#/documents", viewport={"width": width, "height": 800})
    expect(row(page, f"contract-{width}.pdf")).to_contain_text("ready")
    cloud.script(say(f"The deposit falls due on 15 October 2026 ([contract](#/documents/{document}?page=2))."))
    page.goto(f"{cloud.page}/#/chat?new")
    turn = ask(page, "When does the deposit fall due?")
    answered(turn)
    chip = turn.locator(".cite.named")
    chip.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.locator("#popover")).to_contain_text("page 2")
    expect(page.locator("#popover blockquote")).to_contain_text("15 October 2026")
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text(f"contract-{width}.pdf")
    expect(page.locator(".passages .wanted")).to_contain_text("15 October 2026")
    assert violations(page) == []


def test_a_plot_that_the_chat_has_drawn_is_seen_beside_its_answer(open_page: Open, cloud: World) -> None:
    from infra.local.aiplatform.model_script import call, say

    document = put_in(cloud, "kwh.csv", b"day,kWh\n2026-11-01,3\n2026-11-02,6\n")
    page = open_page("#/documents")
    expect(row(page, "kwh.csv")).to_contain_text("ready")
    encoding = {"x": {"field": "day", "type": "ordinal"}, "y": {"field": "kWh", "type": "quantitative"}}
    spec = {"mark": "bar", "encoding": encoding}
    cloud.script(call("make_plot", document_id=document, spec=spec, title="kWh a day"))
    cloud.script(call("analyse_dataframe", document_id=document, sql="select sum(kWh) as together from data"))
    cloud.script(say("Nine kWh together."))
    page.goto(f"{cloud.page}/#/chat?new")
    turn = ask(page, "Draw the kWh of each day")
    answered(turn)
    picture = turn.get_by_role("img", name="kWh a day")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 50")
    turn.locator(".call summary").last.click()
    expect(turn.get_by_role("region", name="Rows").locator("td")).to_have_text("9")
    assert violations(page) == []
    with page.expect_download() as got:
        turn.get_by_role("button", name="Save as PNG").click()
    assert Path(got.value.path()).read_bytes().startswith(b"\x89PNG")
