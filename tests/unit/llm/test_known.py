"""A server is asked once what its model can do, and one that gives no answer is not asked at every turn."""

from __future__ import annotations

from shared.errors import Transient
from shared.gateway.transport import Cut
from shared.llm.known import LEFT_ALONE, Known
from shared.llm.port import Capabilities
from tests.support.seams import FakeClock

TOLD, UNKNOWN = Capabilities(context_tokens=9), Capabilities(thinking=True)


class Server:
    def __init__(self, *answers: Capabilities | Exception) -> None:
        self.answers, self.asked = list(answers), 0

    def __call__(self, cut: Cut) -> Capabilities:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_what_was_told_is_remembered() -> None:
    server = Server(TOLD)
    known = Known(server, UNKNOWN, FakeClock())
    assert [known.get(Cut()) for _ in range(3)] == [TOLD] * 3 and server.asked == 1


def test_a_server_that_gave_no_answer_is_left_alone_for_a_while() -> None:
    server, clock = Server(Transient("hangs"), Transient("hangs"), TOLD), FakeClock()
    known = Known(server, UNKNOWN, clock)
    assert [known.get(Cut()) for _ in range(3)] == [UNKNOWN] * 3 and server.asked == 1
    clock.advance(LEFT_ALONE.total_seconds())
    assert known.get(Cut()) == known.get(Cut()) == UNKNOWN and server.asked == 2
    clock.advance(LEFT_ALONE.total_seconds())
    assert known.get(Cut()) == TOLD and server.asked == 3


def test_a_question_that_was_cut_says_nothing_of_the_server() -> None:
    server, cut = Server(Transient("cut"), TOLD), Cut()
    cut.cut()
    known = Known(server, UNKNOWN, FakeClock())
    assert known.get(cut) == UNKNOWN and known.get(Cut()) == TOLD
