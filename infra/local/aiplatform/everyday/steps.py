"""What each kind of ask does: the calls it makes, one after the other, and what it says in the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from infra.local.aiplatform.digesting import summary_of, tags_of
from infra.local.aiplatform.everyday import online
from infra.local.aiplatform.everyday.asks import Ask
from infra.local.aiplatform.everyday.replay import Answer, Call, Talk
from infra.local.aiplatform.everyday.wording import ABILITIES, cited, day_text, failed, link
from infra.local.aiplatform.terms import term_list, terms

_FOUND, _LISTED = 8, 100
_GOOD = 0.5
"""Share of the words of an ask that a title or a task must have to be the one that is meant."""
_REPORTS = ("research", "report", "answer")
_Found = Generator[Sequence[Call], Sequence[Answer], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Room:
    """Where an ask works: today, the tools there are, and what it may lean on."""

    today: date
    tools: frozenset[str]
    before: Ask | None = None
    earlier: Mapping[str, Any] | None = None
    """The note that an earlier answer was about."""


def begun(ask: Ask, room: Room) -> Talk:
    """The ask at work; one without its tool only says so."""
    tool, talk = _STEPS[ask.kind]
    if tool and tool not in room.tools:
        return _unable(tool)
    return talk(ask, room)


def _unable(tool: str) -> Talk:
    yield from ()
    return f"I cannot do that here: there is no tool {tool}."


def _words(text: str) -> str:
    """What to search for: the words that say something."""
    return " ".join(word for _term, word in term_list(text))[:300] or text[:300]


def _search(text: str, *, reports: bool = False) -> _Found:
    (answer,) = yield [Call("search_notes", {"query": _words(text), "limit": _FOUND})]
    notes = [note for note in answer.get("notes") or () if isinstance(note, Mapping) and note.get("note_id")]
    wanted = [note for note in notes if note.get("kind") in _REPORTS] if reports else notes
    return wanted or notes


def _leant_on(before: Ask) -> _Found:
    """The notes that the ask before this one found or made."""
    if before.kind == "note":
        (answer,) = yield [_creation(before)]
        return [_named(before, answer)] if "note_id" in answer else []
    return (yield from _search(before.text, reports="report" in before.words))


def _meant(ask: Ask, room: Room) -> _Found:
    if room.before is not None:
        return (yield from _leant_on(room.before))
    if ask.leans and room.earlier is not None:
        return [room.earlier]
    return (yield from _search(ask.text)) if ask.text else []


def _find(ask: Ask, room: Room) -> Talk:
    notes = yield from _meant(ask, room) if ask.leans else _search(ask.text, reports="report" in ask.words)
    if not notes:
        return f"I found nothing about “{ask.text}” in your notes."
    items = cited(ask.text, notes)
    return f"This is what your notes say about {_topic(ask.text)}:\n\n" + "\n".join(items)


def _topic(text: str) -> str:
    return "that" if text.endswith("?") else f"**{text}**"


def _creation(ask: Ask) -> Call:
    title = ask.words[0] if ask.words else ""
    return Call("create_note", {"title": title[:200], "body": ask.text})


def _note(ask: Ask, room: Room) -> Talk:
    (answer,) = yield [_put(_creation(ask), ask, room)]
    return _done(f"Noted: {link(_named(ask, answer))}.", "Writing the note", answer)


def _named(ask: Ask, answer: Answer) -> Mapping[str, Any]:
    """The note that was made, with the beginning of its text for a title where it has none."""
    return {**answer, "title": answer.get("title") or (ask.words[0] if ask.words else ask.text[:60])}


def _task(ask: Ask, room: Room) -> Talk:
    task: dict[str, Any] = {"title": ask.text[:200]}
    source: Mapping[str, Any] | None = None
    if ask.leans:
        notes = yield from _meant(ask, room)
        if not notes:
            return "I added no task: I found nothing to add one from."
        source = notes[0]
        task = {"title": (ask.text or f"Follow up on “{source.get('title') or 'the note'}”")[:200]}
        task["source_note_id"] = str(source["note_id"])
    if not task["title"]:
        return "Tell me what the task is: “add a task to call Anna by friday”."
    if ask.day:
        task["due"] = ask.day.isoformat()
    (answer,) = yield [_put(Call("create_tasks", {"tasks": [task]}), ask, room)]
    origin = f", from {link(source)}" if source else ""
    return _done(f"Added the task **{task['title']}**{day_text(ask.day)}{origin}.", "Adding the task", answer)


def _tasks(ask: Ask, room: Room) -> Talk:
    args: dict[str, Any] = {"done": "done" in ask.words, "limit": _LISTED}
    if ask.day:
        args["due_before"] = (ask.day + timedelta(days=1)).isoformat()
    (answer,) = yield [Call("list_tasks", args)]
    if "error" in answer:
        return failed("Listing the tasks", answer)
    return _listed(answer.get("tasks") or (), "No tasks are due then." if ask.day else "There are no such tasks.")


def _listed(tasks: Sequence[Mapping[str, Any]], none: str) -> str:
    lines = [
        f"- {'~~' if task.get('done') else ''}{task.get('title')}{'~~' if task.get('done') else ''}" for task in tasks
    ]
    lines = [line + day_text(task.get("due")) for line, task in zip(lines, tasks, strict=True)]
    return "Your tasks:\n\n" + "\n".join(lines) if lines else none


def _finish(ask: Ask, room: Room) -> Talk:
    (listed,) = yield [Call("list_tasks", {"done": False, "limit": _LISTED})]
    if "error" in listed:
        return failed("Listing the tasks", listed)
    tasks = [task for task in listed.get("tasks") or () if isinstance(task, Mapping)]
    task = _best(ask.text, tasks)
    if task is None:
        return f"I found no open task like “{ask.text}”. {_listed(tasks, 'No task is open.')}"
    call = Call("update_task", {"task_id": task["task_id"], "changes": {"done": True}})
    (answer,) = yield [_put(call, ask, room)]
    return _done(f"Done: **{task.get('title')}**.", "Marking the task", answer)


def _best(text: str, candidates: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The one whose title has most of the words, the first of several; None when none has enough of them."""
    wanted = terms(text)
    shares = [len(wanted & terms(str(each.get("title") or ""))) / len(wanted) if wanted else 0.0 for each in candidates]
    best = max(shares, default=0.0)
    return candidates[shares.index(best)] if best >= _GOOD else None


def _tag(ask: Ask, room: Room) -> Talk:
    notes = yield from _meant(ask, room)
    if not notes:
        return f"I found no note about “{ask.text}” to tag."
    note = _best(ask.text, notes) or notes[0]
    tags = list(dict.fromkeys([*(note.get("tags") or ()), *ask.words]))
    call = Call("update_note", {"note_id": note["note_id"], "changes": {"tags": tags}})
    (answer,) = yield [_put(call, ask, room)]
    return _done(f"Tagged {link(note)} with {', '.join(ask.words)}.", "Tagging the note", answer)


def _summary(ask: Ask, room: Room) -> Talk:
    notes = yield from _meant(ask, room)
    if not notes:
        return f"I found no note about “{ask.text}” to summarise."
    note = _best(ask.text, notes) or notes[0]
    text = str(note.get("passage") or "")
    if "read_note" in room.tools:
        (whole,) = yield [Call("read_note", {"note_id": note["note_id"]})]
        text = str(whole.get("body") or text)
    summary = summary_of(text)
    if not summary:
        return f"{link(note)} is too short to be summarised."
    call = Call("update_note", {"note_id": note["note_id"], "changes": {"summary": summary}})
    (answer,) = yield [_put(call, ask, room)]
    return _done(f"Summary of {link(note)}: {summary}", "Storing the summary", answer)


def _research(ask: Ask, room: Room) -> Talk:
    notes = yield from _meant(ask, room)
    captured = [note for note in notes if note.get("kind", "capture") == "capture"]
    note = captured[0] if ask.leans and captured else _best(ask.text, captured)
    if note is None and ask.text:
        title = ask.text[:1].upper() + ask.text[1:200]
        (made,) = yield [Call("create_note", {"title": title, "body": ask.text})]
        if "error" in made:
            return failed("Writing the note", made)
        note = {**made, "title": title}
    if note is None or not note.get("note_id"):
        return "I found no note of yours to research."
    first = {"plan_first": True} if "plan" in ask.words else {}
    (answer,) = yield [Call("start_research", {"note_id": note["note_id"], **first})]
    begun = f"Research on {link(note)} has begun; its report will come as a note."
    planned = (
        f"A plan for the research on {link(note)} is being made; it waits for your approval, and nothing runs before."
    )
    return _done(planned if first else begun, "Starting the research", answer)


def _recent(_ask: Ask, _room: Room) -> Talk:
    (answer,) = yield [Call("list_recent_notes", {"limit": 10})]
    if "error" in answer:
        return failed("Listing the notes", answer)
    notes = answer.get("notes") or ()
    return (
        "Your newest notes:\n\n" + "\n".join(f"- {link(note)}" for note in notes)
        if notes
        else "There are no notes yet."
    )


def _digest(ask: Ask, room: Room) -> Talk:
    if "make_digest" not in room.tools:
        return (yield from _composed(room))
    kind = "review" if re.search(r"\b(?:review|week|weekly)\b", ask.text, re.IGNORECASE) else "digest"
    (answer,) = yield [Call("make_digest", {"kind": kind})]
    if "note_id" in answer:
        return f"Here it is: {link(answer)}."
    return _done(str(answer.get("message") or f"There is nothing for a {kind} yet."), f"Making the {kind}", answer)


def _composed(room: Room) -> Talk:
    """Where there is no tool that makes one: what the period was about; the list of it is made by whoever asks."""
    recent, due = yield [
        Call("list_recent_notes", {"limit": 20}),
        Call("list_tasks", {"done": False, "limit": _LISTED}),
    ]
    notes, tasks = recent.get("notes") or (), due.get("tasks") or ()
    said = [_about(notes), f"{len(tasks)} {'task is' if len(tasks) == 1 else 'tasks are'} open." if tasks else ""]
    return " ".join(filter(None, said)) or "There is little to tell."


def _about(notes: Sequence[Mapping[str, Any]]) -> str:
    if not notes:
        return ""
    titles = " ".join(str(note.get("title") or "") for note in notes)
    themes = tags_of(titles, " ".join(str(note.get("excerpt") or "") for note in notes))[:3]
    begin = f"The newest note is {link(notes[0])}."
    return f"{begin} What was written comes back most to {_enumerated(themes)}." if themes else begin


def _enumerated(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _talk(ask: Ask, _room: Room) -> Talk:
    yield from ()
    text = ask.text.lower()
    if "thank" in text or text.startswith("thx"):
        return "You are welcome."
    if text.startswith(("bye", "good night")):
        return "Good bye."
    if text.startswith(("hi", "hello", "hey", "good ")):
        return f"Hello. {ABILITIES}"
    return ABILITIES if "?" in text or text.startswith(("help", "what", "who", "how")) else "All right."


def _put(call: Call, ask: Ask, room: Room) -> Call:
    """The call itself, or where a proposal was asked for and can be made, the call that proposes it."""
    if not ask.proposed or "queue_approval" not in room.tools:
        return call
    args = {"tool": call.name, "arguments": dict(call.args), "reason": f"You said: {ask.text[:120]}"}
    return Call("queue_approval", args)


def _done(text: str, what: str, answer: Answer) -> str:
    if "error" in answer:
        return failed(what, answer)
    return f"Proposed, and waiting for your decision: {text}" if "approval_id" in answer else text


_STEPS: Mapping[str, tuple[str, Callable[[Ask, Room], Talk]]] = {
    "find": ("search_notes", _find),
    "note": ("create_note", _note),
    "task": ("create_tasks", _task),
    "tasks": ("list_tasks", _tasks),
    "done": ("update_task", _finish),
    "tag": ("update_note", _tag),
    "summary": ("update_note", _summary),
    "research": ("start_research", _research),
    "recent": ("list_recent_notes", _recent),
    "digest": ("list_recent_notes", _digest),
    "web": ("web_search", online.search),
    "page": ("fetch_url", online.page),
    "clip": ("fetch_url", online.clip),
    "run": ("start_run", online.run),
    "talk": ("", _talk),
}
