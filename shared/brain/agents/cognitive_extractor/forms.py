"""The forms of sentences that the rules know, each with what it states: type, property, and words with their places.

The parts in braces are those of vocabulary.py; the groups s, p, o and d are subject, property, object and date. A
property written {p} is the sentence's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.brain.agents.cognitive_extractor.vocabulary import PARTS
from shared.contracts.memory import RecordType

ME = "me"


@dataclass(frozen=True)
class Form:
    """One form of sentence, and what a sentence of this form states."""

    pattern: re.Pattern[str]
    type: RecordType
    property: str
    subject: str = ""
    over: bool = False
    """It says that something has ended."""


def _form(written: str, kind: RecordType, property_: str, subject: str = "", over: bool = False) -> Form:
    for name, part in PARTS.items():
        written = written.replace("{" + name + "}", part)
    return Form(re.compile(f"^{PARTS['lead']}{written}[.!…]*$"), kind, property_, subject, over)


_F, _P, _D, _N = RecordType.FACT, RecordType.PREFERENCE, RecordType.DECISION, RecordType.PLAN
_E, _R, _S = RecordType.EVENT, RecordType.RELATION, RecordType.SKILL

FORMS = (
    _form(r"I {often}prefer (?P<o>.+?)(?: (?:over|to|rather than|instead of) .+)?", _P, "prefers", ME),
    _form(r"I {often}(?:like|love|enjoy|adore) (?P<o>.+)", _P, "likes", ME),
    _form(
        r"I {often}(?:dislike|hate|detest|can(?:['’]?t|not) stand|do(?:n['’]t| not) like) (?P<o>.+)", _P, "dislikes", ME
    ),
    _form(r"[Mm]y favou?rite (?P<p>[\w -]{2,40}?) (?:is|are) (?P<o>.+)", _P, "favourite {p}", ME),
    _form(r"I {often}work (?:at|for) (?P<o>.+?){rest}", _F, "employer", ME),
    _form(r"I{am} {often}working (?:at|for) (?P<o>.+?){rest}", _F, "employer", ME),
    _form(
        r"I{have} {often}(?:started|joined|began)(?: (?:work|working|a (?:new )?job))?(?: (?:at|for|with))? "
        r"(?P<o>[A-Z].+?){rest}",
        _F,
        "employer",
        ME,
    ),
    _form(r"I{have} {often}(?:left|quit|resigned from) [A-Z].+?{rest}", _F, "employer", ME),
    _form(r"I (?:used to work|worked) (?:at|for) (?P<o>[A-Z].*?){rest}", _F, "employer", ME, over=True),
    _form(r"I {often}work (?:there |here )?as (?:an? )?(?P<o>.+?){rest}", _F, "occupation", ME),
    _form(r"I {often}live in (?P<o>.+?){rest}", _F, "residence", ME),
    _form(r"I{have} {often}moved (?:from [^.]{1,60} )?to (?P<o>.+?){rest}", _F, "residence", ME),
    _form(r"I (?:used to live|lived) in (?P<o>.+?){rest}", _F, "residence", ME, over=True),
    _form(r"I was born (?:on|in) (?P<o>.+)", _F, "born", ME),
    _form(r"I{am} {often}(?P<o>{states}.*)", _F, "is", ME),
    _form(r"I{am} {often}(?P<o>an? (?!bit\b|little\b|lot\b|few\b)[\w-]+(?: [\w-]+){0,4})", _F, "is", ME),
    _form(r"I {often}(?:have|own) (?P<o>(?:an?|two|three|four|five|\d+) (?:[\w-]+ ){0,2}{things}\b.*)", _F, "has", ME),
    _form(r"I {often}speak (?P<o>[A-Z].+)", _S, "speaks", ME),
    _form(r"I {often}(?:can (?P<o>(?:play|drive|cook|code|program|sail|swim|ski|juggle)\b.*))", _S, "can", ME),
    _form(r"I {often}know how to (?P<o>.+)", _S, "can", ME),
    _form(r"I{am} {often}learning (?P<o>.+)", _S, "learns", ME),
    _form(r"I (?P<o>(?:always|usually|never|generally) .+)", _F, "habit", ME),
    _form(
        r"{who}{have} {often}(?:decided|agreed|chose|opted|settled)(?: (?:to|on|that|against|for|not to))? (?P<o>.+)",
        _D,
        "decision",
        ME,
    ),
    _form(r"[Dd]ecision: ?(?P<o>.+)", _D, "decision", ME),
    _form(r"{who}(?:{am})? {often}(?:plan|planning|intend|intending|want|aim) to (?P<o>.+)", _N, "plan", ME),
    _form(r"[Oo]n {when},? {who} (?P<o>.+)", _E, "event", ME),
    _form(r"{who} (?P<o>{happened}\b.*?) (?:on |in )?{when}", _E, "event", ME),
    _form(r"[Mm]y {relation}(?: is|'s|’s|,) (?:called |named |name is )?{person}", _R, "{p}", ME),
    _form(r"{person} is my (?:[\w-]+ )?{relation}", _R, "{p}", ME),
    _form(r"[Mm]y {attribute} is (?P<o>.+)", _F, "{p}", ME),
    _form(r"My {owned} {is} (?:called |named )?{value}{rest}", _F, "{p}", ME),
    _form(r"{name}['’]s {relation} is (?:called |named )?(?P<o>.+)", _R, "{p}"),
    _form(r"{name}['’]s {attribute} is (?:on )?(?P<o>.+)", _F, "{p}"),
    _form(r"{name} {often}(?:works|is working) (?:at|for) (?P<o>.+?){rest}", _F, "employer"),
    _form(r"{name} (?:has )?(?:joined|started at) (?P<o>[A-Z].+?){rest}", _F, "employer"),
    _form(r"{name} {often}lives in (?P<o>.+?){rest}", _F, "residence"),
    _form(r"{name} (?:has )?(?:left|quit) [A-Z].+", _F, "employer"),
    _form(r"{name} (?:has )?moved to (?P<o>.+?){rest}", _F, "residence"),
    _form(r"{name} was born (?:on|in) (?P<o>.+)", _F, "born"),
    _form(r"{name} is married to (?P<o>.+)", _R, "spouse"),
    _form(r"{name} {often}(?:likes|loves|enjoys) (?P<o>.+)", _P, "likes"),
    _form(r"{name} {often}(?:dislikes|hates|does(?:n['’]t| not) like) (?P<o>.+)", _P, "dislikes"),
    _form(r"{name} {often}prefers (?P<o>.+?)(?: (?:over|to) .+)?", _P, "prefers"),
    _form(r"{name} {often}speaks (?P<o>[A-Z].+)", _S, "speaks"),
    _form(r"{name} (?:is|are) (?:based|located) in (?P<o>.+)", _F, "location"),
    _form(
        r"{name} {often}(?P<p>uses|leads|manages|owns|founded|teaches|studies|costs|supports|sells|builds|runs on) "
        r"(?P<o>.+)",
        _F,
        "{p}",
    ),
    _form(r"{name} (?P<p>decided|plans|agreed) to (?P<o>.+)", _F, "{p}"),
    _form(r"{name} is (?P<o>{states}.*)", _F, "is"),
    _form(r"{name} is (?P<o>(?:an?|the|our|my|one of) .+)", _F, "is"),
    # What is said of anything else, in the plainest forms; those above are tried first.
    _form(
        r"I (?:can(?:['’]?t|not)|must not|do(?:n['’]t| not)) (?:eat|drink|take|tolerate) "
        r"(?P<o>[^,;:]+?){rest}(?:, .*)?",
        _F,
        "avoids",
        ME,
    ),
    _form(r"I{am} {often}(?P<o>{traits})", _F, "is", ME),
    _form(r"I (?P<o>[a-z]+ (?:{often a}))", _F, "habit", ME),
    _form(r"{who} (?P<o>{past}\b.*?),? (?:on |in |since )?{when}", _E, "event", ME),
    _form(r"I (?P<o>{lasts}\b.+)", _E, "event", ME),
    _form(r"[Oo]n {when},? {name} (?P<o>{past}\b.+)", _E, "event"),
    _form(r"{name} (?P<o>{past}\b.*?),? (?:on |in |since )?{when}", _E, "event"),
    _form(r"{name} (?P<o>{done}\b.+)", _E, "event"),
    _form(r"{name} (?:can(?:['’]?t|not)|does(?:n['’]t| not)) (?:eat|drink|take|tolerate) (?P<o>[^,;:]+)", _F, "avoids"),
    _form(r"{name} {often}(?:has|owns) (?P<o>(?:an?|one|two|three|four|five|\d+) .+)", _F, "has"),
    _form(r"{name} {often}works (?:there |here )?as (?:an? )?(?P<o>.+?){rest}", _F, "occupation"),
    _form(r"{whose} {owned} {is} (?:called |named )?{value}{rest}", _F, "{p}"),
    _form(
        r"{thing} (?:{is}|was moved|starts|begins|takes place|happens)(?: moved)? (?:on |at |in |to )*{timed}",
        _F,
        "time",
    ),
    _form(r"{thing} (?:{is}|costs?) (?P<o>\d[\d.,]*\b.*)", _F, "amount"),
    _form(r"{thing} (?:ends|begins) (?P<o>(?:in|with) .+)", _F, "is"),
    _form(r"{thing} (?:{is}|stands|lies|hangs|sits) {placed}", _F, "place"),
    _form(r"{thing} {is} (?P<o>(?:called|named|made of|from|for|due|open|closed|an?|the)\b.+)", _F, "is"),
    _form(r"The {owned} (?:of|for) (?P<s>(?:the |my |our )?[\w' -]{2,60}?) {is} {value}{rest}", _F, "{p}"),
)
