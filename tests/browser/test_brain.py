"""The brain and what it remembers: how its agents fare, why a record is there, what a person may do to it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from infra.local.aiplatform.model_script import call, say
from tests.browser.answering import Brain
from tests.browser.chatting import answered, ask
from tests.browser.conftest import Open
from tests.browser.remembered import AGENTS, EDGES, NODES, REASON
from tests.browser.test_accessibility import violations
from tests.browser.world import World
from tests.support.waiting import wait_until

ADDRESSES = (
    "#/brain",
    "#/brain/queue",
    "#/brain/picture",
    "#/memory",
    "#/memory?q=anna",
    "#/memory/short",
    "#/memory/graph",
    "#/memory/contradictions",
    "#/memory/rejected",
    "#/records/works",
)


def go(page: Page, address: str) -> None:
    page.evaluate("a => { location.hash = a; document.getElementById('main').ariaBusy = 'true'; }", address)
    page.locator("main:not([aria-busy]) h1").wait_for(state="attached")


def shown(open_page: Open, cloud: World, address: str, **options: object) -> tuple[Page, Brain]:
    """The view of an address, of a brain that is made up."""
    page = open_page("#/help", **options)
    brain = Brain(page, cloud.page)
    go(page, address)
    return page, brain


def row(page: Page, words: str) -> Locator:
    return page.locator("main [data-row]").filter(has_text=words)


def overlap(a: FloatRect, b: FloatRect) -> bool:
    beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return not beside and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (820, "dark"), (390, "dark")])
def test_axe_finds_nothing_on_any_part(open_page: Open, cloud: World, width: int, scheme: str) -> None:
    screen = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}, "reduced_motion": "reduce"}
    page, brain = shown(open_page, cloud, "#/memory", **screen)
    found = {}
    for address in ADDRESSES:
        go(page, address)
        found[address] = violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
            f"{address} is wider than the screen"
        )
    brain.records, brain.open, brain.refused, brain.nodes = {}, [], [], ()
    for address in ("#/memory/graph", "#/memory/contradictions", "#/memory/rejected", "#/memory"):
        go(page, address)
        expect(page.locator("main .empty")).to_be_visible()
        found[f"empty {address}"] = violations(page)
    assert {address: lines for address, lines in found.items() if lines} == {}


def test_agents_show_how_they_fare_and_lead_to_their_jobs(open_page: Open, cloud: World) -> None:
    page, brain = shown(open_page, cloud, "#/memory")
    page.keyboard.press("g")
    page.keyboard.press("b")
    expect(page.locator("main h1")).to_have_text("Brain")
    expect(page.locator("#nav a[aria-current]")).to_have_text("Brain")
    expect(page.locator("main [data-row]")).to_have_count(len(AGENTS))
    expect(row(page, "Committer")).to_contain_text("by rule, needs no model")
    expect(row(page, "Committer")).to_contain_text("refuses 41 %")
    expect(row(page, "Contradiction checker")).to_contain_text("mostly failing")
    expect(row(page, "Evidence seeker")).to_contain_text("not run yet")
    expect(row(page, "Focus shift judge")).to_contain_text("gemini-3-flash")
    row(page, "Memory deduper").get_by_role("link", name="Memory deduper").click()
    expect(page.get_by_label("Agent")).to_have_value("memory_deduper")
    expect(page.locator("main [data-row]")).to_have_count(1)
    assert brain.queries[-1]["kind"] == "memory_deduper"


def test_the_picture_stands_below_what_it_waits_for_and_its_twin_says_the_same(open_page: Open, cloud: World) -> None:
    page, _ = shown(open_page, cloud, "#/brain/picture")
    picture = page.get_by_role("img", name="The agents of the brain")
    expect(picture.locator("path")).to_have_count(sum(len(one.depends_on) for one in AGENTS))
    places: dict[str, FloatRect | None] = {}
    for one in AGENTS:
        name = one.id.replace("_", " ").capitalize()
        expect(
            page.locator(".twin li").filter(has=page.locator("strong", has_text=re.compile(f"^{name}$")))
        ).to_have_count(1)
        places[one.id] = picture.locator("g").nth(len(places)).bounding_box()
    tops = {name: box["y"] for name, box in places.items() if box}
    assert all(tops[before] < tops[one.id] for one in AGENTS for before in one.depends_on)
    boxes = [box for box in places.values() if box]
    assert len(boxes) == len(AGENTS)
    assert not [(a, b) for n, a in enumerate(boxes) for b in boxes[:n] if overlap(a, b)]
    expect(page.locator(".twin li").filter(has_text="Evidence seeker").first).to_contain_text(
        "waits for Contradiction checker; reads blackboard, notes, and documents; writes blackboard"
    )


def test_a_job_is_cancelled_with_a_way_back_and_one_that_failed_is_tried_again(open_page: Open, cloud: World) -> None:
    page, brain = shown(open_page, cloud, "#/brain/queue")
    waiting = row(page, "Memory deduper")
    expect(waiting).to_contain_text("waits for 1 job before it")
    waiting.get_by_role("button", name="Cancel Memory deduper").click()
    expect(waiting).to_contain_text("cancelled")
    page.locator("main h1").click()
    page.keyboard.press("z")
    expect(waiting).to_contain_text("pending")
    failed = row(page, "Contradiction checker")
    expect(failed).to_contain_text("3 of 3 attempts failed")
    expect(failed).to_contain_text("The model did not answer in 60 seconds.")
    failed.get_by_role("button", name="Retry Contradiction checker").click()
    expect(failed).to_contain_text("pending")
    assert [path for _, path, _ in brain.asked] == ["jobs/j2/cancel", "jobs/j2/retry", "jobs/j3/retry"]
    page.get_by_label("State").select_option("done")
    expect(page.locator("main [data-row]")).to_have_count(1)
    row(page, "Committer").get_by_text("Input and output").click()
    expect(row(page, "Committer").locator("pre").first).to_contain_text("item-works")


def test_records_are_narrowed_recalled_and_say_why_they_were(open_page: Open, cloud: World) -> None:
    page, brain = shown(open_page, cloud, "#/memory")
    expect(page.locator("main [data-row]")).to_have_count(4)
    expect(row(page, "early train").locator(".quoted")).to_contain_text("You")
    expect(row(page, "early train").get_by_role("link", name="Travel")).to_have_attribute("href", "#/chat/s1")
    page.get_by_label("Type").select_option("preference")
    expect(page.locator("main [data-row]")).to_have_count(1)
    page.get_by_label("Type").select_option("")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("anna")
    expect(row(page, "Anna works at the university").locator("mark")).to_have_text("Anna")
    expect(row(page, "Anna works at the university")).to_contain_text("Why now: It names the person you ask about.")
    expect(page.locator("main [data-row]")).to_have_count(3)
    page.get_by_label("As of").fill("2021-05-01")
    page.get_by_label("As of").blur()
    expect(page).to_have_url(re.compile(r"#/memory\?q=anna&as_of=2021-05-01$"))
    assert {"q": "anna", "as_of": "2021-05-01"}.items() <= brain.queries[-1].items()


def test_a_record_is_pinned_left_out_and_retracted_with_a_way_back(open_page: Open, cloud: World) -> None:
    page, brain = shown(open_page, cloud, "#/memory")
    one = row(page, "early train")
    one.get_by_role("button", name="Pin").focus()
    page.keyboard.press("Enter")
    expect(one).to_contain_text("pinned")
    expect(one.get_by_role("button", name="Unpin")).to_be_focused()
    one.get_by_role("button", name="Exclude").click()
    expect(one).to_contain_text("excluded from recall")
    one.get_by_role("link", name="early train").focus()
    page.keyboard.press("#")
    expect(one).to_have_count(0)
    page.locator("main h1").click()
    page.keyboard.press("z")
    expect(one).to_have_count(1)
    assert brain.asked == [
        ("PATCH", "records/train", {"pinned": True}),
        ("PATCH", "records/train", {"excluded": True}),
        ("POST", "records/train/retract", None),
        ("POST", "records/train/restore", None),
    ]


def test_a_record_says_why_it_is_here_down_to_the_words_that_were_said(open_page: Open, cloud: World) -> None:
    page, _ = shown(open_page, cloud, "#/memory")
    row(page, "Anna works at the university").get_by_role("link").first.click()
    expect(page.locator("main h1")).to_have_text("Anna works at the university.")
    assert page.locator(".trail h3").all_inner_texts() == [
        "The record",
        "Put forward",
        "What was said of it",
        "Put there by",
        "From",
    ]
    expect(page.locator(".trail")).to_contain_text("Memory deduper supports it: Nothing like it is known.")
    expect(page.locator(".trail")).to_contain_text("Contradiction checker says that it contradicts another")
    expect(page.locator(".trail").get_by_role("link", name="Cognitive extractor")).to_be_visible()
    words = page.locator(".trail").get_by_role("link", name="Talk with Anna")
    expect(words).to_have_attribute("href", re.compile(r"^#/notes/n1\?passage=Anna\+works"))
    expect(page.locator("main")).to_contain_text("Anna lived in Bern.")
    page.get_by_role("link", name="The other record").click()
    expect(page.locator("main h1")).to_have_text("Anna works at the city library.")


def test_a_correction_becomes_a_note_and_the_record_is_retracted_and_both_come_back(
    open_page: Open, cloud: World
) -> None:
    page, brain = shown(open_page, cloud, "#/records/other")
    page.keyboard.press("e")
    expect(page.get_by_label("How it is")).to_have_value("Anna works at the city library.")
    page.get_by_label("How it is").fill("Anna works at the university library.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("main header")).to_contain_text("retracted")
    (note,) = cloud.get("/notes?tag=correction")["notes"]
    assert note["body"] == "Anna works at the university library."
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("main header").get_by_role("button", name="Retract")).to_be_visible()
    assert cloud.get("/notes?tag=correction")["notes"] == []
    assert [path for _, path, _ in brain.asked] == ["records/other/retract", "records/other/restore"]


def test_what_was_refused_can_be_read_with_its_reason(open_page: Open, cloud: World) -> None:
    page, _ = shown(open_page, cloud, "#/memory/rejected")
    refused = row(page, "I want answers in three sentences.")
    expect(refused).to_contain_text(REASON)
    expect(refused.locator("blockquote")).to_have_text("answer in three sentences this time")


def test_of_two_that_contradict_the_person_keeps_one_once_the_notice_has_gone(open_page: Open, cloud: World) -> None:
    page, brain = shown(open_page, cloud, "#/memory")
    page.get_by_role("link", name="Contradictions 1 open").click()
    expect(page.locator("main article")).to_have_count(2)
    keep = page.get_by_role("button", name="Keep this: Anna works at the university.")
    keep.click()
    expect(page.locator("main article")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("main article")).to_have_count(2)
    assert brain.asked == []
    keep.click()
    page.locator(".toast").get_by_role("button", name="Close").click()
    expect(page.locator("main .empty")).to_be_visible()
    page.wait_for_function("document.querySelectorAll('.toast').length === 0")
    assert brain.asked == [("POST", "contradictions/x1/settle", {"keep": "works"})]


def test_the_graph_is_walked_by_keys_and_its_twin_says_the_same(open_page: Open, cloud: World) -> None:
    page, brain = shown(open_page, cloud, "#/memory/graph")
    picture = page.get_by_role("group", name="Around You")
    expect(picture.get_by_role("link")).to_have_count(len(NODES))
    expect(picture.locator("path")).to_have_count(len(EDGES))
    said = page.locator(".twin li").filter(has_text="works at")
    expect(said).to_have_text(re.compile(r"Anna: works at\s+University of Basel\s+why"))
    expect(said.get_by_role("link", name="Why: Anna works at University of Basel")).to_have_attribute(
        "href", "#/records/works"
    )
    expect(page.locator(".twin li").filter(has_text="Reykjavík")).to_have_count(1)
    page.get_by_label("In the middle").focus()
    page.keyboard.press("Tab")
    expect(picture.get_by_role("link", name="You, person")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name=re.compile("Around (Anna|Basel|Ben)"))).to_be_visible()
    assert brain.queries[-1]["path"] != "graph" or "about" in brain.queries[-1]
    page.get_by_label("In the middle").select_option("Ben")
    expect(page.get_by_role("group", name="Around Ben")).to_be_visible()


READ_SECONDS = 150
"""A note is due ten seconds after its last word, a drain sleeps for a minute at most, and the machine may be slow."""


def until(cloud: World, path: str, name: str, words: str, count: int) -> None:
    """Return once a list has so many items with these words."""
    told = f"{count} {name} of {words}"
    wait_until(lambda: sum(words in str(one) for one in cloud.get(path)[name]) >= count, READ_SECONDS, told)


@pytest.fixture(scope="module")
def talks(cloud: World) -> World:
    """Notes that the brain has read: two that contradict, and some more."""
    cloud.note("A talk with Clara", "Clara's birthday is 3 May. Clara works at the observatory.")
    cloud.note("About Emil", "Emil works at the harbour.")
    cloud.note("About Franz", "Franz works at the mill.")
    until(cloud, "/brain/records", "records", "Clara", 2)
    cloud.note("Another talk", "Clara's birthday is 4 June.")
    until(cloud, "/brain/contradictions", "contradictions", "Clara", 1)
    until(cloud, "/brain/records", "records", "Franz", 1)
    until(cloud, "/brain/graph", "nodes", "Emil", 1)
    return cloud


def test_what_notes_say_is_remembered_and_where_it_contradicts_the_person_decides(
    open_page: Open, talks: World
) -> None:
    page = open_page("#/memory", viewport={"width": 820, "height": 900})
    expect(row(page, "Clara")).to_have_count(3)
    page.get_by_role("link", name=re.compile(r"Contradictions \d open")).click()
    expect(page.get_by_role("heading", name="About Clara: birthday")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Keep this: Clara's birthday is 4 June.").click()
    with page.expect_response(lambda answer: answer.url.endswith("/settle")) as settled:
        page.locator(".toast").get_by_role("button", name="Close").click()
    assert settled.value.status == 200
    page.get_by_role("link", name="Records", exact=True).click()
    page.get_by_label("Recall").fill("When is Clara's birthday?")
    expect(row(page, "4 June")).to_contain_text("Why now:")
    current = talks.get("/brain/records?status=current")["records"]
    assert [one["text"] for one in current if "Clara's birthday" in one["text"]] == ["Clara's birthday is 4 June."]
    row(page, "4 June").get_by_role("link").first.click()
    trail = page.locator(".trail").first
    expect(trail).to_contain_text("Contradiction checker")
    expect(trail).to_contain_text("Evidence seeker")
    assert violations(page) == []
    trail.get_by_role("link", name="Another talk").click()
    expect(page.locator("main .reading mark")).to_have_text("Clara's birthday is 4 June.")


def test_a_job_that_waits_is_cancelled_in_the_real_queue_and_taken_up_again(open_page: Open, talks: World) -> None:
    until(talks, "/brain/jobs?status=pending", "jobs", "identity_distiller", 1)
    page = open_page("#/brain")
    expect(row(page, "Identity distiller")).to_contain_text("1 pending")
    assert violations(page) == []
    row(page, "Identity distiller").get_by_role("link").click()
    one = page.locator("main [data-row]").first
    one.get_by_role("button", name="Cancel Identity distiller").click()
    expect(one).to_contain_text("cancelled")
    page.get_by_role("button", name="Undo").click()
    expect(one.locator(".state")).not_to_have_text(re.compile("cancelled"))
    page.get_by_role("link", name="Picture").click()
    expect(page.locator(".twin li")).to_have_count(len(talks.get("/brain/agents")["agents"]))
    assert violations(page) == []


def test_people_of_real_records_are_in_the_graph(open_page: Open, talks: World) -> None:
    page = open_page("#/memory/graph")
    page.get_by_label("In the middle").select_option("Emil")
    picture = page.get_by_role("group", name="Around Emil")
    expect(picture.get_by_role("link")).to_have_count(2)
    assert violations(page) == []
    page.get_by_role("link", name=re.compile("^Why: Emil")).click()
    expect(page.locator("main h1")).to_have_text("Emil works at the harbour.")


def test_what_the_chat_has_recalled_is_seen_with_its_words_and_leads_to_its_record(
    open_page: Open, talks: World
) -> None:
    talks.script(call("recall_memory", query="Where does Franz work?"))
    talks.script(say("At the mill."))
    page = open_page("#/chat?new")
    turn = ask(page, "Where does Franz work?")
    answered(turn)
    line = turn.locator(".call").first
    line.locator("summary").click()
    memory = line.locator(".recalled li").filter(has_text="mill")
    expect(memory.locator("blockquote").first).to_have_text("Franz works at the mill.")
    expect(memory.get_by_role("link", name="About Franz")).to_be_visible()
    assert violations(page) == []
    memory.get_by_role("link", name="Franz works at the mill.").click()
    expect(page.locator("main h1")).to_have_text("Franz works at the mill.")
