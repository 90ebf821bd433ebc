"""What one clause asks for, by the words it begins with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from infra.local.aiplatform.everyday.clauses import clauses, plain
from infra.local.aiplatform.everyday.days import find_day

Kind = Literal[
    "find",
    "note",
    "task",
    "tasks",
    "done",
    "tag",
    "summary",
    "research",
    "recent",
    "digest",
    "web",
    "page",
    "clip",
    "run",
    "talk",
]


@dataclass(frozen=True)
class Ask:
    """One thing that is asked for. `text` is what it is about; `leans`: about what the ask before it found or made."""

    kind: Kind
    text: str = ""
    day: date | None = None
    words: tuple[str, ...] = ()
    """Tags; or the title of a note; or "plan" where one is to be shown first."""
    leans: bool = False
    proposed: bool = False
    """To be put before a person instead of being done."""


_IT = r"(?:it|that|this|them|those|(?:the|that|this) (?:report|note|result|answer)s?)"
_TODO = r"(?:task|to-?do|reminder)"
_NOTE = r"(?:note|memo)"
_Reading = tuple[str, Callable[[re.Match[str], date], Ask | None]]


def asks(message: str, today: date, *, earlier: bool = False) -> list[Ask]:
    """Everything that a message asks for, in its order; empty when no rule understands it.

    `earlier`: there is something from before the message that "it" may mean.
    """
    dictated = _first(_DICTATED, plain(message), today)
    if dictated is not None:
        return [dictated]
    found: list[Ask] = []
    for clause in clauses(message):
        ask = _proposal(clause, today) or _first(_READINGS, clause.rstrip(" .!"), today)
        if ask is not None:
            found.append(replace(ask, leans=ask.leans and (earlier or any(map(_can_be_leant_on, found)))))
    if not found and _is_talk(message):
        return [Ask("talk", message)]
    if len(found) > 1:
        found = [ask for ask in found if ask.kind != "talk"] or found[:1]
    return found


def _can_be_leant_on(ask: Ask) -> bool:
    return ask.kind in ("find", "note", "research", "summary", "tag")


def _first(readings: tuple[_Reading, ...], clause: str, today: date) -> Ask | None:
    for pattern, read in readings:
        match = re.search(pattern, clause, re.IGNORECASE | re.DOTALL)
        ask = read(match, today) if match else None
        if ask is not None:
            return ask
    return None


def _proposal(clause: str, today: date) -> Ask | None:
    match = re.match(r"(?:propose|suggest)\s+(?:to\s+|that (?:i|we)\s+)?(.+)", clause, re.IGNORECASE | re.DOTALL)
    ask = _first(_READINGS, match[1].rstrip(" ."), today) if match else None
    return replace(ask, proposed=True) if ask is not None and ask.kind in ("task", "note", "tag", "done") else None


def _task(match: re.Match[str], today: date) -> Ask | None:
    day, text = find_day(match["what"] or "", today)
    leaning = re.match(rf"^(?:from|out of|about|for|based on|on) {_IT}\b[\s:,]*(?:to\s+)?", text, re.IGNORECASE)
    if leaning:
        return Ask("task", _unquoted(text[leaning.end() :]), day, leans=True)
    trailing = re.search(rf"\s+(?:from|out of|based on) {_IT}$", text, re.IGNORECASE)
    title = _unquoted(text[: trailing.start()] if trailing else text)
    return Ask("task", title, day, leans=trailing is not None) if title else None


def _tasks(match: re.Match[str], today: date) -> Ask:
    day, _rest = find_day(match.string, today)
    if re.search(r"\boverdue\b", match.string, re.IGNORECASE):
        day = today - timedelta(days=1)
    done = ("done",) if re.search(r"\b(?:done|finished|completed) (?:task|to-?do)", match.string, re.IGNORECASE) else ()
    return Ask("tasks", day=day, words=done)


def _note(match: re.Match[str], _today: date) -> Ask | None:
    named = match.groupdict().get("title")
    body = (match["what"] or "").strip()
    if not body and not named:
        return None
    return Ask("note", body or str(named), words=(_unquoted(str(named)),) if named else ())


def _tag(match: re.Match[str], _today: date) -> Ask | None:
    tags = tuple(word.lower() for word in re.findall(r"[\w-]+", match["tags"]) if word.lower() not in ("and", "tag"))
    text = _unquoted(match["what"])
    leans = re.fullmatch(_IT, text, re.IGNORECASE) is not None
    return Ask("tag", "" if leans else text, words=tags, leans=leans) if tags else None


def _about(kind: Kind) -> Callable[[re.Match[str], date], Ask | None]:
    def read(match: re.Match[str], _today: date) -> Ask | None:
        text = _unquoted(match["what"])
        if re.fullmatch(rf"{_IT}(?: for me)?", text, re.IGNORECASE):
            return Ask(kind, leans=True)
        return Ask(kind, text) if text else None

    return read


_PLAN_FIRST = re.compile(r"[\s,;–-]*\b(?:but|and|with)\b[^.?!]{0,30}?\bplan\b(?: \w+){0,2}? ?first\W*$", re.IGNORECASE)


def _research(match: re.Match[str], today: date) -> Ask | None:
    """A plan that is wanted first is said behind what is to be researched."""
    found = _PLAN_FIRST.search(match["what"])
    if found is None:
        return _about("research")(match, today)
    about = re.fullmatch(r"(?P<what>.+)", match["what"][: found.start()])
    ask = _about("research")(about, today) if about is not None else None
    return replace(ask, words=("plan",)) if ask is not None else None


def _find(match: re.Match[str], today: date) -> Ask | None:
    ask = _about("find")(match, today)
    report = re.search(r"\breports?\b", match.string, re.IGNORECASE)
    return replace(ask, words=("report",)) if ask is not None and report else ask


def _question(match: re.Match[str], today: date) -> Ask | None:
    return None if _is_talk(match.string) else _find(match, today)


def _unquoted(text: str) -> str:
    """Without what stands around it; quotes go when they are around all of it."""
    bare = text.strip(" \t\n,:")
    whole = re.fullmatch(r"[\"“„«`]([^\"“”„«»`]*)[\"”“»`]", bare)
    return whole[1].strip() if whole else bare


def _only(kind: Kind) -> Callable[[re.Match[str], date], Ask]:
    return lambda match, _today: Ask(kind, match.string)


# What comes after a colon is dictated: nothing in it asks for anything.
_DICTATED: tuple[_Reading, ...] = (
    (
        rf"^(?:(?:write|make|create|add|take|save)(?: me)?(?: down)? (?:a |this )?(?:new |quick )?{_NOTE}|{_NOTE}"
        rf"(?: to self)?|remember(?: this)?|save this|jot(?: this)? down)"
        r"(?: (?:about|on|titled|called|named) (?P<title>[^:\n]{1,120}?))?\s*(?::\s|:?\n)\s*(?P<what>.+)$",
        _note,
    ),
    (
        r"^(?:please )?(?:start|begin|launch) an? (?:new )?(?:agent )?run\b\s*"
        r"(?:(?:to|that|which|on|about|for)\b\s*)?:?\s*(?P<what>.+)$",
        lambda match, _today: Ask("run", match["what"].strip()),
    ),
)
_OPEN = rf"(?:the |my )?(?:{_TODO} )?"
_THE_NOTE = rf"(?:the |my |this )?(?:{_NOTE} )?(?:about |on |called |titled )?"
_WRITE = rf"^(?:write|make|create|add|take|save)(?: me)?(?: down)? (?:a |this )?(?:new |quick )?{_NOTE} "
_OF_TASKS: tuple[_Reading, ...] = (
    (r"^remember to (?P<what>.+)$", _task),
    (r"^remind me (?:to|about|of|that i (?:have|need) to|that) (?P<what>.+)$", _task),
    (rf"^{_TODO}s?: *(?P<what>.+)$", _task),
    (
        rf"^(?:add|create|make|set|put|give me)\b(?: up)?(?: me)?[^:]{{0,24}}?\b{_TODO}s?\b"
        r"(?:\s*(?:to|that says|called|named|:)\b)?:?\s*(?P<what>.+)$",
        _task,
    ),
    (r"^(?:add|put) (?P<what>.+?) (?:to|on) (?:my|the) (?:tasks?|to-?do(?:s| list)?|list)$", _task),
    (
        r"\bwhat(?:'s| is| are)?\b.{0,20}\b(?:due|overdue|to do|on my (?:list|plate))\b|\bto-?do list\b|"
        rf"\b(?:list|show|what|which|any|my|open|overdue)\b.{{0,30}}\b{_TODO}s\b",
        _tasks,
    ),
    (
        rf"^(?:mark|set|check|tick)(?: off)? {_OPEN}(?P<what>.+?) (?:as |to |off as )?(?:done|completed?|finished)$",
        _about("done"),
    ),
    (rf"^(?:complete|finish|check off|tick off|close) {_OPEN}(?P<what>.+)$", _about("done")),
    (rf"^i(?: have|'ve)? (?:already )?(?:done|finished|completed) {_OPEN}(?P<what>.+)$", _about("done")),
)
_OF_NOTES: tuple[_Reading, ...] = (
    (rf"^(?:tag|label) {_THE_NOTE}(?P<what>.+?) (?:with|as)(?: the tags?)? (?P<tags>.+)$", _tag),
    (rf"^add (?:the )?tags? (?P<tags>.+?) to {_THE_NOTE}(?P<what>.+)$", _tag),
    (
        r"^(?:start|begin|run|do)\b.{0,24}?\bresearch\b(?: run)?(?: (?:on|into|about|of|for))?\s*(?P<what>.+)$",
        _research,
    ),
    (r"^research (?P<what>.+)$", _research),
    (r"\b(?:digest|weekly review|review (?:of )?(?:the|my) week)\b", _only("digest")),
    (
        r"\b(?:recent|latest|newest|last)\b.{0,20}\bnotes?\b|"
        r"\bwhat did i (?:write|note)(?: down)? (?:lately|recently|today|this week)",
        _only("recent"),
    ),
    (rf"{_WRITE}(?:that|saying|:)\s*(?P<what>.+)$", _note),
    (rf"{_WRITE}(?:about|on|titled|called|named)\s*(?P<title>(?P<what>.+))$", _note),
    (rf"^(?:{_NOTE}(?: down)?|remember|save|jot down) (?:that |this )?(?P<what>.+)$", _note),
    (rf"^summari[sz]e (?:the |my |this )?{_NOTE} (?:about |on |called |titled )?(?P<what>.+)$", _about("summary")),
    (r"^summari[sz]e (?P<what>it|that|this)$", _about("summary")),
)
_URL = r"(?P<what>https?://[^\s<>\"“”]*[^\s<>\"“”.,;:!?)])"
_ON_THE_WEB = r"(?:on |in |through )?(?:the (?:web|internet)|online)"
_OF_THE_WEB: tuple[_Reading, ...] = (
    (rf"^(?:save|clip|keep|note)\b.{{0,40}}?{_URL}", _about("clip")),
    (rf"^(?:read|open|fetch|get|summari[sz]e|look at|what (?:does|is|do)|what's)\b.{{0,60}}?{_URL}", _about("page")),
    (rf"^(?:search|look|find)\b(?: out| up)? {_ON_THE_WEB}\b(?: for| about|:)?\s*(?P<what>.+)$", _about("web")),
    (rf"^(?:search(?: for)?|look up|look for|find(?: out)?) (?P<what>.+?) {_ON_THE_WEB}$", _about("web")),
    (r"^google (?P<what>.+)$", _about("web")),
    (r"^what (?:is|does) (?:on )?the (?:web|internet) (?:say )?(?:about|on) (?P<what>.+?)\??$", _about("web")),
)
_OF_WHAT_IS_KNOWN: tuple[_Reading, ...] = (
    (r"^summari[sz]e (?P<what>.+)$", _find),
    (
        r"^(?:find|list|search|look up|look for|show(?: me)?|tell me|open|get)\b(?: me| out)?"
        r"(?: (?:in |through )?(?:my|the|all|any)(?: notes?| reports?)?)?(?: (?:for|about|on|what|which))?"
        r"\s*(?P<what>.+)$",
        _find,
    ),
    (
        r"^(?:what|which|where|when) (?:do|does|did|have|has|of)? ?(?:my|i|the)? ?"
        r"(?:notes?|reports?|know|write|written|note)? ?(?:say|says|said|tell|mentions?|down)? ?(?:me )?"
        r"(?:about|on|for) (?P<what>.+?)\??$",
        _find,
    ),
    (r"^(?P<what>.*\?)$", _question),
    (r"^(?P<what>(?:what|which|who|when|where|why|how|do|does|did|is|are|can|should)\b.+)$", _question),
    (r"^.+$", lambda match, _today: Ask("talk", match.string) if _is_talk(match.string) else None),
)
_READINGS = _OF_TASKS + _OF_THE_WEB + _OF_NOTES + _OF_WHAT_IS_KNOWN
_TALK = re.compile(
    r"^(?:hi|hello|hey|good (?:morning|evening|afternoon|night)|thanks?|thank you|thx|bye|ok(?:ay)?|great|cool|nice|"
    r"yes|no|sure|how are you|how do you do|who are you|what are you|what(?: else)? can you do|how do you work|help|"
    r"what's up|are you there|test)\b(?:\W+\w+){0,4}\W*$",
    re.IGNORECASE,
)


def _is_talk(clause: str) -> bool:
    return _TALK.match(clause.strip()) is not None


def leaned_on(found: list[Ask]) -> Iterator[tuple[Ask, Ask | None]]:
    """Each ask, with the one before it that it leans on."""
    last: Ask | None = None
    for ask in found:
        yield ask, last if ask.leans else None
        if _can_be_leant_on(ask) and not ask.leans:
            last = ask
