"""Faults to switch on, and the bill with its counts."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from infra.local.bill import bill_of
from infra.local.console.answers import Refusal, parse_json, reader, say
from infra.local.faults import Faults, UnknownFault
from infra.local.meter import Meter


class FaultSwitches:
    """GET and POST /_cloud/faults, GET /_cloud/faults/kinds."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults

    def register(self, pages: Blueprint) -> None:
        """The addresses of the faults."""
        reader(pages, "/faults", self._faults.active)
        reader(pages, "/faults/kinds", self._faults.kinds)
        pages.add_url_rule("/faults", "ask", self.ask, methods=["POST"])

    def ask(self) -> Response:
        """One fault, or {"kind": "clear"}; what is active then."""
        wish = parse_json(request.get_data())
        try:
            if not isinstance(wish, dict):
                raise UnknownFault('Send an object, such as {"kind": "outage", "service": "workflows", "seconds": 60}.')
            self._faults.ask(wish)
        except UnknownFault as error:
            raise Refusal(400, str(error)) from error
        return say(self._faults.active())


class BillSheet:
    """GET /_cloud/bill, POST /_cloud/bill/reset."""

    def __init__(self, meter: Meter, save: Callable[[], None]) -> None:
        self._meter, self._save = meter, save

    def register(self, pages: Blueprint) -> None:
        """The addresses of the bill."""
        reader(pages, "/bill", lambda: bill_of(self._meter.totals()).as_json())
        pages.add_url_rule("/bill/reset", "bill_reset", self.reset, methods=["POST"])

    def reset(self) -> Response:
        """Begin to count anew."""
        self.forget()
        return say(bill_of(self._meter.totals()).as_json())

    def forget(self) -> int:
        """Forget all counts, also on disk; how many there were."""
        before = len(self._meter.totals())
        self._meter.clear()
        self._save()
        return before
