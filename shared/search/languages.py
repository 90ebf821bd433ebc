"""Which languages a text may be in, by the small words it uses; and those words, which nobody searches for."""

from __future__ import annotations

from collections.abc import Sequence

_SMALL_WORDS = {
    "english": """
    the a an and or but if of to in on at by for from with without into over under about as is are was were be been
    being am do does did done has have had having will would can could should may might must shall not no nor so than
    then there here this that these those it its he him his she her hers they them their we us our you your i me my
    mine what which who whom whose when where why how all any both each few more most other some such only own same
    too very just also because while during before after between through again once
    """,
    "german": """
    der die das den dem des ein eine einen einem einer eines und oder aber wenn ob als wie so zu zum zur im in an am
    auf bei mit ohne von vom vor nach fur aus uber unter durch gegen um bis seit ist sind war waren sein bin bist wird
    werden wurde wurden hat haben hatte hatten kann konnen konnte soll sollte muss mussen darf nicht kein keine nur
    auch noch schon sehr mehr dann da dort hier dieser diese dieses jener man ich du er sie es wir ihr mich dich sich
    uns euch mein dein was wer wo wann warum weil dass denn
    """,
    "french": """
    le la les un une des du de et ou mais si que qui quoi dont ou ce cet cette ces il elle ils elles on nous vous je tu
    me te se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos au aux en dans par pour sur sous avec
    sans entre vers chez est sont etait etaient etre ete suis es ai as a ont avait avoir fait faire ne pas plus moins
    tres aussi bien comme quand car donc ni y
    """,
    "spanish": """
    el la los las un una unos unas lo de del y o pero si que quien cual cuando donde como porque en con sin por para
    sobre entre hasta desde a al es son era eran ser sido soy fue fueron esta estan estar hay ha han habia tiene tienen
    no ni mas menos muy tambien ya se me te le les nos su sus mi mis tu tus este esta estos estas ese esa esos esas
    aquel yo ella ellos ellas nosotros usted
    """,
}
SMALL_WORDS = {language: frozenset(text.split()) for language, text in _SMALL_WORDS.items()}
"""By the name that the stemmer has for the language; folded."""
LANGUAGES = tuple(SMALL_WORDS)
ANY_SMALL = frozenset().union(*SMALL_WORDS.values())
_SHARE, _LEAST = 0.06, 2


def languages_of(words: Sequence[str]) -> tuple[str, ...]:
    """The languages whose small words are frequent in the text; all of them where nothing tells."""
    counts = {language: sum(word in small for word in words) for language, small in SMALL_WORDS.items()}
    most = max(counts.values())
    if most < max(_LEAST, _SHARE * len(words)):
        return LANGUAGES
    return tuple(language for language, count in counts.items() if count >= most / 2)
