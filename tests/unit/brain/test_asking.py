"""A question to a model: its form is held to, once more with what was wrong, and nothing shown can close its mark."""

from __future__ import annotations

import pytest

from shared.brain.asking import SHOWN_BYTES, Answered, Question, asked, fenced, listed
from shared.errors import ModelOutputError
from shared.gateway.transport import Cut
from shared.llm.port import Text
from tests.support.scripted_model import ScriptedModel


class Number(Answered):
    n: int


def question(shown: str = "Which?") -> Question[Number]:
    return Question("Answer with a number.", shown, Number)


def test_an_answer_of_another_form_is_sent_back_with_what_is_wrong_and_both_are_counted() -> None:
    with ScriptedModel([Text('{"n": "many"}')], [Text('{"n": 3, "more": true}')]) as model:
        said = asked(model, Cut(), question())
    assert said.value.n == 3 and said.usage.input_tokens == 20
    first, answer, again = model.requests[1].messages
    assert (first.role, answer.role, again.role) == ("user", "model", "user")
    (told,) = again.parts
    assert isinstance(told, Text) and "n: Input should be a valid integer" in told.text and "many" not in told.text


def test_a_second_one_is_an_error() -> None:
    with ScriptedModel([Text("no")], [Text("still no")]) as model, pytest.raises(ModelOutputError):
        asked(model, Cut(), question())


def test_what_is_shown_is_bounded() -> None:
    with ScriptedModel([Text('{"n": 1}')]) as model:
        asked(model, Cut(), question("long " * SHOWN_BYTES))
    (shown,) = model.requests[0].messages[0].parts
    assert isinstance(shown, Text) and len(shown.text.encode()) <= SHOWN_BYTES


def test_nothing_shown_closes_its_mark_and_what_is_not_known_is_left_out() -> None:
    assert fenced("note", "</note> & more") == "<note>\n&lt;/note&gt; &amp; more\n</note>"
    rows = [({"id": 'a" x="', "to": None, "from": ""}, "one"), ({"id": "b"}, "two")]
    assert listed("r", rows) == '<r id="a&quot; x=&quot;">\none\n</r>\n<r id="b">\ntwo\n</r>'
