"""Who may call, and how often."""

from __future__ import annotations

from dataclasses import dataclass

from shared import parsing
from shared.contracts import grants, limits
from shared.contracts.grants import Grant
from shared.settings.setting import setting


@dataclass(frozen=True)
class IdentitySettings:
    """Fields of shared.config.Settings."""

    api_tokens: tuple[Grant, ...] = setting(
        "API_TOKENS",
        "Static tokens of the API: sha256-of-token=workspace, then :reader or :member where it is no owner's, then "
        "@2026-12-31T00:00:00Z where it ends, separated by semicolons; sha256-of-token=*:operator is the operator's. "
        "`memex token` writes it.",
        "",
        grants.read,
        secret=True,
    )
    id_token_audiences: tuple[str, ...] = setting(
        "ID_TOKEN_AUDIENCES",
        "Whose ID tokens the API takes, separated by commas: client ids of Google's sign-in "
        "(….apps.googleusercontent.com) or Firebase projects. Who comes with one must be a member of a workspace. "
        "Empty: static tokens alone.",
        "",
        parsing.audiences,
    )
    id_token_keys_url: str = setting(
        "ID_TOKEN_KEYS_URL",
        "For the local cloud only: where the keys of ID tokens are, instead of Google's and Firebase's. Refused where "
        "Firestore is not emulated.",
        "",
        parsing.loopback_page,
    )
    requests_per_second: float = setting(
        "REQUESTS_PER_SECOND",
        "How many requests a caller may make in a second, at length, of one instance of a function; beyond that it "
        "answers 429.",
        limits.REQUESTS_PER_SECOND,
        parsing.positive,
    )
    requests_burst: int = setting(
        "REQUESTS_BURST", "How many requests a caller may make at once.", limits.REQUESTS_BURST, parsing.count
    )
