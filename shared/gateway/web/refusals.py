"""Why an address is not read, or a page cannot be."""

from __future__ import annotations

from shared.errors import Forbidden, InputError, Unprocessable


class BadAddress(InputError):
    """It is no address of a web page, or one that is not read whoever asks."""

    code = "bad_address"


class AddressRefused(Forbidden):
    """It leads, or a redirect leads, to what is not the public web."""

    code = "address_refused"


class Unreadable(Unprocessable):
    """The page answered, and there is no text to be had from it."""

    code = "unreadable"
