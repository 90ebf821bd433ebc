"""A turn of the chat, from the question to its end: what is shown, stopped, failed, copied."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from infra.local.aiplatform.model_script import call, endless, say, think
from tests.browser.chatting import BOX, answered, ask, session, trace, types
from tests.browser.conftest import Open
from tests.browser.world import World


def test_a_question_is_answered_with_its_steps_and_its_cost(open_page: Open, cloud: World) -> None:
    page = open_page("#/chat?new")
    turn = ask(page, "What do my notes say about the battery?")
    assert "nothing is billed" in answered(turn).inner_text()
    expect(turn.locator(".call summary").first).to_contain_text(re.compile(r"Search notes battery.*done.*\d m?s", re.S))
    expect(turn.locator(".call").first).not_to_have_attribute("open", "")
    turn.locator(".call summary").first.click()
    expect(turn.locator(".call pre").first).to_contain_text('"query"')
    expect(page.locator(".chat .name").first).to_contain_text("What do my notes say about the battery?")
    assert types(cloud, session(page))[-1] == "turn_ended"


def test_a_note_that_is_named_is_a_chip_with_its_passage_and_one_that_is_not_there_is_struck(
    open_page: Open, cloud: World
) -> None:
    note = cloud.loaf()
    lines = f"- Autolyse one hour ([The base loaf](#/notes/{note}))", "- Nothing ([Gone](#/notes/absent))"
    cloud.script(say("\n".join([*lines, "- As in [[The base loaf|the recipe]]"])))
    page = open_page("#/chat?new")
    turn = ask(page, "How long is the autolyse?")
    answered(turn)
    expect(turn.locator(".unverified")).to_have_text("Gone unverified")
    expect(turn.get_by_role("link", name="the recipe")).to_have_attribute("href", "#/notes?q=The+base+loaf")
    chip = turn.locator("a.cite")
    chip.focus()
    page.keyboard.press("Shift")
    chip.hover()
    expect(page.locator("#popover blockquote")).to_contain_text("Autolyse one hour")
    page.keyboard.press("Escape")
    expect(page.locator("#popover")).to_be_hidden()
    chip.click()
    expect(page.locator("main .reading mark")).to_contain_text("Autolyse one hour")


def test_text_is_shown_as_it_is_written_and_finished_blocks_stay_what_they_are(open_page: Open, cloud: World) -> None:
    gate = cloud.gate()
    cloud.script(
        say("# First\n\n"),
        say("A *second* "),
        say("one.\n\nThe <b onclick=alert(1)>third"),
        gate.item,
        say(" one.\n"),
    )
    page = open_page("#/chat?new")
    turn = ask(page, "Write three blocks.")
    expect(turn.locator(".answer em")).to_have_text("second")
    expect(turn.locator(".answer .tail")).to_contain_text("The <b onclick=alert(1)>third")
    turn.locator(".answer > :first-child").evaluate("element => (element.mark = 'kept')")
    gate.open()
    answered(turn)
    assert turn.locator(".answer > :first-child").evaluate("element => element.mark") == "kept"
    assert turn.locator(".answer [onclick]").count() == 0 and turn.locator(".answer .tail").count() == 0


def test_a_running_step_opens_a_failed_one_stays_open_and_thoughts_are_folded(open_page: Open, cloud: World) -> None:
    cloud.script(think("Let me look."), call("read_note", note_id="absent"), call("list_tasks"))
    cloud.script(say("It is not there."))
    page = open_page("#/chat?new")
    turn = ask(page, "Read the note that is not there.")
    answered(turn)
    failed, done = turn.locator(".call").nth(0), turn.locator(".call").nth(1)
    expect(failed).to_have_attribute("open", "")
    expect(failed).to_contain_text("failed")
    expect(done).not_to_have_attribute("open", "")
    expect(turn.locator(".thought")).not_to_have_attribute("open", "")
    assert turn.locator(".calls").count() == 1


def test_many_steps_fold_when_the_turn_is_over_and_what_was_opened_stays_open(open_page: Open, cloud: World) -> None:
    cloud.script(*(call("list_tasks", limit=n + 1) for n in range(5)))
    cloud.script(say("Five times.\n\n"), say("Done."))
    page = open_page("#/chat?new")
    turn = ask(page, "List my tasks five times.")
    answered(turn)
    group = turn.locator(".calls")
    expect(group).not_to_have_attribute("open", "")
    group.locator("> summary").click()
    expect(group.locator("> summary")).to_have_text("5 steps")
    turn.locator(".call summary").nth(2).click()
    answered(ask(page, "Thank you."))
    expect(turn.locator(".call").nth(2)).to_have_attribute("open", "")


def test_stop_keeps_what_was_said_and_retry_asks_again(open_page: Open, cloud: World) -> None:
    cloud.script(say("This much.\n\n"), endless("And so on. "), pace=0.1)
    page = open_page("#/chat?new")
    turn = ask(page, "Go on for ever.")
    expect(turn.locator(".answer")).to_contain_text("And so on.")
    page.get_by_role("button", name="Stop").click()
    end = answered(turn, "Stopped")
    expect(turn.locator(".answer")).to_contain_text("This much.")
    assert types(cloud, session(page))[-2:] == ["model_text", "turn_ended"]
    cloud.script(say("Only once now."))
    end.get_by_role("button", name="Retry").click()
    answered(page.locator(".turn").last)
    expect(page.locator(".turn .question")).to_have_text(["Go on for ever.", "Go on for ever."])


def test_the_chat_can_be_used_with_the_keyboard_alone(open_page: Open, cloud: World) -> None:
    cloud.script(say("Without end. "), endless("More. "), pace=0.1)
    page = open_page("#/settings")
    for key in "gc":
        page.keyboard.press(key)
    expect(page.get_by_label(BOX)).to_be_focused()
    page.keyboard.type("One line")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("and another")
    page.keyboard.press("Enter")
    turn = page.locator(".turn").last
    expect(turn.locator(".answer")).to_contain_text("More.")
    page.keyboard.press("Escape")
    page.keyboard.press(".")
    answered(turn, "Stopped")
    assert trace(cloud, session(page))[0]["data"]["text"] == "One line\nand another"


def test_a_composition_sends_nothing(open_page: Open) -> None:
    page = open_page("#/chat?new")
    box = page.get_by_label(BOX)
    box.fill("にほん")
    composing = "{ key: 'Enter', isComposing: true, bubbles: true, cancelable: true }"
    box.evaluate(f"box => box.dispatchEvent(new KeyboardEvent('keydown', {composing}))")
    expect(box).to_have_value("にほん")
    assert page.locator(".turn").count() == 0


def test_a_failed_turn_says_why_and_can_be_asked_again(open_page: Open, cloud: World) -> None:
    for _ in range(3):
        cloud.script(call("no_such_tool"))
    page = open_page("#/chat?new")
    turn = ask(page, "Do what cannot be done.")
    answered(turn, "Failed").get_by_role("button", name="Retry").wait_for()
    expect(turn.locator(".problem")).not_to_be_empty()


def test_the_reader_who_scrolls_up_is_left_alone_and_comes_back_by_the_pill(open_page: Open, cloud: World) -> None:
    cloud.script(
        *(say(f"Paragraph {n} of what is long.\n\n") for n in range(40)), endless("Still more.\n\n"), pace=0.05
    )
    page = open_page("#/chat?new")
    turn = ask(page, "Tell me all.")
    log = page.locator(".log")
    top = "turn => turn.getBoundingClientRect().top - turn.closest('.log').getBoundingClientRect().top"
    assert turn.evaluate(top) < 32
    expect(turn.locator(".answer")).to_contain_text("Still more.")

    def below(holds: str) -> None:
        """How far the end is away, in pixels, once it is so."""
        far = "log => log.scrollHeight - log.clientHeight - log.scrollTop"
        page.wait_for_function(f"log => ({far})(log) {holds}", arg=log.element_handle())

    below("< 48")
    log.hover()
    page.mouse.wheel(0, -600)
    pill = page.get_by_role("button", name="↓ New")
    expect(pill).to_be_visible()
    below("> 300")
    pill.click()
    expect(pill).to_be_hidden()
    page.get_by_role("button", name="Stop").click()
    answered(turn, "Stopped")
    below("< 48")


def test_copy_writes_markdown_and_html_without_the_reasoning(open_page: Open, cloud: World) -> None:
    note = cloud.loaf()
    cloud.script(think("Secret reasoning."), say(f"See **[the loaf](#/notes/{note})**."))
    page = open_page("#/chat?new", permissions=["clipboard-read", "clipboard-write"])
    turn = ask(page, "Where is the recipe?")
    answered(turn).get_by_role("button", name="Copy").click()
    expect(page.locator(".toast")).to_contain_text("Copied")
    read = "async kind => (await (await navigator.clipboard.read())[0].getType(kind)).text()"
    plain, rich = page.evaluate(read, "text/plain"), page.evaluate(read, "text/html")
    assert plain == f"See **[the loaf]({cloud.page}/#/notes/{note})**."
    assert f'href="{cloud.page}/#/notes/{note}"' in rich and "<strong>" in rich and "Secret" not in rich


def test_the_transcript_is_silent_and_a_status_speaks(open_page: Open) -> None:
    page = open_page("#/chat?new")
    expect(page.get_by_role("log")).to_have_attribute("aria-live", "off")
    answered(ask(page, "What do my notes say about salt?"))
    expect(page.locator("#status")).to_have_text("The answer is there.")
