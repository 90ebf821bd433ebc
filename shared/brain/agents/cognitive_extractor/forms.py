"""The forms of sentences that the rules know, each with what it states: type, property, and words with their places.

In a form stands {often} for adverbs, {name} for a name or a thing (the subject), {who} for "I" or "we", {when} for a
date; the groups s, p, o and d are subject, property, object and date. A property written {p} is the sentence's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.brain.dates import WHEN
from shared.contracts.memory import RecordType

ME = "me"
_RELATIONS = (
    "wife|husband|partner|spouse|girlfriend|boyfriend|son|daughter|child|sister|brother|mother|father|mum|mom|dad|"
    "grandmother|grandfather|aunt|uncle|cousin|niece|nephew|friend|best friend|colleague|boss|manager|teacher|mentor|"
    "doctor|dentist|therapist|lawyer|accountant|landlord|neighbou?r|cat|dog|horse"
)
_ATTRIBUTES = (
    "name|birthday|address|phone(?: number)?|e-?mail(?: address)?|blood type|shoe size|height|weight|salary|job|role|"
    "occupation|profession|employer|company|job title|hometown|mother tongue|native language|goal|car|bike|bicycle|"
    "licen[cs]e plate|allergy|time ?zone|budget|deadline|status|owner|ceo|capital|version|price|release date|"
    "headquarters|founder|favou?rite [\\w -]{2,30}"
)
_THINGS = (
    "son|daughter|child|children|kids?|sisters?|brothers?|cats?|dogs?|horse|car|house|flat|garden|boat|allergy|degree|"
    "phd|licen[cs]e|piano|guitar|bike|twins?"
)
_STATES = (
    "allergic to|afraid of|intolerant to|married to|engaged to|divorced|vegetarian|vegan|left-handed|colou?r-?blind|"
    "diabetic|responsible for|interested in|fluent in"
)
_HAPPENED = (
    "met|visited|saw|bought|sold|signed|finished|attended|graduated|married|won|ran|gave|got|sent|shipped|launched|"
    "started|opened|closed|passed|published"
)
_PERSON_NAME = r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2}"
_PARTS = {
    "lead": r"(?:(?:and|but|so|also|note|fyi|ps|by the way|btw|reminder|actually|as of now|now)[,:]? )*",
    "often": r"(?:(?:also|now|currently|really|still|just|mostly|usually|always|generally|recently) )*",
    "name": (
        r"(?P<s>(?:The |Our |My )?[A-ZÀ-Þ][\w'’&-]*(?:(?: of| de| van| von)? [A-ZÀ-Þ][\w'’&-]*){0,3}"
        r"|(?:The|Our|My) (?:[\w-]+ ){0,2}[\w-]+)"
    ),
    "who": r"(?:I|[Ww]e)",
    "have": r"(?:'ve|’ve| have)?",
    "am": r"(?:'m|’m| am|'re|’re| are)",
    "when": rf"(?P<d>{WHEN})",
    "rest": r"(?:,? (?:since|as|from|in|on|at|with|until|till|between|before|for) [^.]{1,120}?)?",
    "person": rf"(?P<o>{_PERSON_NAME})",
    "relation": rf"(?P<p>{_RELATIONS})",
    "attribute": rf"(?P<p>{_ATTRIBUTES})",
    "things": f"(?:{_THINGS})",
    "states": f"(?:{_STATES})",
    "happened": f"(?:{_HAPPENED})",
}


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
    for name, part in _PARTS.items():
        written = written.replace("{" + name + "}", part)
    return Form(re.compile(f"^{_PARTS['lead']}{written}[.!…]*$"), kind, property_, subject, over)


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
    _form(r"I {often}work as (?:an? )?(?P<o>.+?){rest}", _F, "occupation", ME),
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
    _form(r"I (?:always|usually|never|generally) (?P<o>.+)", _F, "habit", ME),
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
    _form(r"{name}['’]s {relation} is (?:called |named )?(?P<o>.+)", _R, "{p}"),
    _form(r"{name}['’]s {attribute} is (?:on )?(?P<o>.+)", _F, "{p}"),
    _form(r"{name} {often}(?:works|is working) (?:at|for) (?P<o>.+?){rest}", _F, "employer"),
    _form(r"{name} (?:has )?(?:joined|started at) (?P<o>[A-Z].+?){rest}", _F, "employer"),
    _form(r"{name} {often}lives in (?P<o>.+?){rest}", _F, "residence"),
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
)
