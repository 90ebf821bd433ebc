"""The words that the forms of sentences are made of: relations, things, verbs, and places for names and values."""

from __future__ import annotations

from shared.brain.dates import WHEN

RELATIONS = (
    "wife|husband|partner|spouse|girlfriend|boyfriend|son|daughter|child|sister|brother|mother|father|mum|mom|dad|"
    "grandmother|grandfather|aunt|uncle|cousin|niece|nephew|friend|best friend|colleague|boss|manager|teacher|mentor|"
    "doctor|dentist|therapist|lawyer|accountant|landlord|neighbou?r|cat|dog|horse"
)
_ATTRIBUTES = (
    "birthday|blood type|shoe size|height|weight|salary|job|role|occupation|profession|job title|hometown|"
    "mother tongue|native language|goal|diet|hobby|allergy|time ?zone|budget|deadline|status|"
    "release date|favou?rite [\\w -]{2,30}"
)
"""Properties whose value may be any words; that of others has to look like a name, a thing or a number."""
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
_PAST = (
    "[a-z]{2,}ed|went|met|saw|bought|sold|won|ran|gave|got|sent|left|quit|lent|lost|found|broke|began|became|built|took|"
    "made|came|paid|taught|wrote|read|had|put|drove|flew|grew|chose|hired|moved"
)
_LASTS = (
    "lent|borrowed|enrolled|registered|planted|adopted|inherited|donated|promised|hired|subscribed|cancelled|booked|"
    "graduated|retired|published|founded|bought|sold|signed"
)
_NO_PLACE = (
    "(?:in|at|on|with|under) (?:an? (?:hurry|meeting|call|mess|bad|good|way)|trouble|love|work|home|holiday|leave|fire|"
    "time|me|it|us|order|progress|fact|general|the (?:phone|way|mood))"
)
_DONE = (
    "offered|promised|founded|wrote|died|retired|married|divorced|sold|bought|won|graduated|published|built|invited|owes|"
    "lent|borrowed|recommended"
)
_TRAITS = (
    "[a-z]+ intolerant|[a-z]+-handed|deaf|blind|diabetic|coeliac|celiac|pregnant|retired|married|single|divorced|"
    "widowed|engaged|self-employed|unemployed|[A-Z][a-z]+"
)
_NO_PROPERTY = (
    "guess|question|point|idea|problem|hope|worry|mistake|fault|apologies|pleasure|turn|opinion|advice|suggestion|"
    "feeling|impression|answer|bad|head|mood|day|week|weekend|last|first|next"
)
_WEEKDAYS = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_NO_NAME = (
    "I|We|You|He|She|They|It|This|That|These|Those|There|Here|What|Who|Why|How|When|Where|If|Please|Thanks|Maybe|Perhaps|"
    "Yes|No|Today|Yesterday|Tomorrow|Everyone|Everybody|Someone|Somebody|Nobody|Nothing|Something|Everything"
)
_PERSON_NAME = r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2}"
PARTS = {
    "lead": (
        r"(?:(?:[Aa]nd|[Bb]ut|[Ss]o|[Aa]lso|[Nn]ote|FYI|PS|[Bb]y the way|[Aa]ctually|[Nn]ow|[Tt]oday|[Yy]esterday)"
        r"[,:]? )*"
    ),
    "often": r"(?:(?:also|now|currently|really|still|just|mostly|usually|always|generally|recently) )*",
    "name": (
        rf"(?P<s>(?!(?:{_NO_NAME})\b)"
        r"(?:The |Our |My |Dr\. |Prof\. |Mrs?\. |Ms\. )?"
        r"[A-ZÀ-Þ][\w'’&-]*(?:(?: of| de| van| von)? [A-ZÀ-Þ][\w'’&-]*){0,3}|(?:The|Our|My) (?:[\w-]+ ){0,2}[\w-]+)"
    ),
    "who": r"(?:I|[Ww]e)",
    "have": r"(?:'ve|’ve| have)?",
    "am": r"(?:'m|’m| am|'re|’re| are)",
    "when": rf"(?P<d>{WHEN})",
    "rest": r"(?:,? (?:since|as|from|in|on|at|with|until|till|between|before|for) [^.]{1,120}?)?",
    "person": rf"(?P<o>{_PERSON_NAME})",
    "relation": rf"(?P<p>{RELATIONS})",
    "attribute": rf"(?P<p>{_ATTRIBUTES})",
    "things": f"(?:{_THINGS})",
    "states": f"(?:{_STATES})",
    "happened": f"(?:{_HAPPENED})",
    "past": f"(?:{_PAST})",
    "lasts": f"(?:{_LASTS})",
    "done": f"(?:{_DONE})",
    "traits": f"(?:{_TRAITS})",
    "owned": rf"(?P<p>(?!(?:{_NO_PROPERTY})\b)[a-z][\w-]*(?: [a-z\d][\w-]*){{0,3}}?)",
    "thing": r"(?P<s>(?:The|Our|My) (?:[\w.'’&-]+ ){0,5}?[\w.'’&-]+)",
    "whose": r"(?P<s>(?:(?:The|My|Our) (?:[\w-]+ )?)?[\w-]+(?: [A-Z][\w-]+)?)['’]s",
    "often a": r"[^,;:]*\b(?:once|twice|times|hours?|minutes|km|miles) (?:an?|per|each|every) [a-z]+\b.*|"
    r"[^,;:]*\bevery (?:day|week|month|year|morning|evening|night|other [a-z]+|[A-Z][a-z]+day)\b.*",
    "is": r"(?:is|are)(?: now| always| currently)?",
    "value": (
        r"(?P<o>(?:an? |the |my |our )?(?:[A-ZÀ-Þ\d“\"(][^,;:]{0,120}?|(?<=an )[^,;:]{1,120}?|(?<=a )[^,;:]{1,120}?"
        r"|(?<=the )[^,;:]{1,120}?))"
    ),
    "timed": rf"(?P<o>(?:{_WEEKDAYS}|\d{{1,2}}:\d\d|{WHEN})\b.*?)",
    "placed": (
        rf"(?!{_NO_PLACE}\b)(?P<o>(?:with|in|at|under|behind|near|next to|beside|above|below|on (?:the|an?|top)) "
        r".{1,150}?)"
    ),
}
