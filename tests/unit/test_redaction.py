"""What is secret in a message is taken out, and nothing else."""

from __future__ import annotations

import pytest

from shared.config import Settings
from shared.errors import InputError, Transient
from shared.redaction import REDACTED, learn, redacted

JWT = "eyJhbGciOiJSUzI1NiJ9.eyJlbWFpbCI6ImFAYi5jIn0.c2lnbmF0dXJl-_"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Authorization: Bearer abcdefghijklmnop.q~r+/=", f"Authorization: Bearer {REDACTED}"),
        ("{'authorization': 'bearer  abcdefghijklmnopq'}", f"{{'authorization': 'bearer  {REDACTED}'}}"),
        (f"the token {JWT}, which", f"the token {REDACTED}, which"),
        ("GET https://x/v1?key=AIza&alt=sse HTTP", f"GET https://x/v1?key={REDACTED}&alt=sse HTTP"),
        ('"https://x/?a=1&access_token=abc"', f'"https://x/?a=1&access_token={REDACTED}"'),
        ("https://x/o?X-Goog-Signature=0a1b&y=2", f"https://x/o?X-Goog-Signature={REDACTED}&y=2"),
        (f"GET /api/v1/feed/{'0a' * 20} 200", f"GET /api/v1/feed/{REDACTED} 200"),
        (f"memex_{'a-B_9' * 9} is", f"{REDACTED} is"),
        (f"AIza{'Sy0-_' * 7}", REDACTED),
        ("ya29.a0AfH6SMBx-y_z9", REDACTED),
        (f"whsec_{'QUJD' * 8}=", REDACTED),
    ],
)
def test_what_looks_like_a_credential_is_taken_out(text: str, left: str) -> None:
    assert redacted(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "The token is not known: send Authorization: Bearer with a token of this memex.",
        "There is no token: send the header Authorization: Bearer {token}.",
        "token: no such query parameter, there are: limit, cursor",
        "GET /api/v1/notes?tag=keys&q=token",
        "memex_imported is set; make a token with memex token new",
        "sha256 0123456789abcdef0123456789abcdef01234567 of a commit",
        "eyJ is how they begin",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert redacted(text) == text


def test_what_is_known_is_taken_out_as_it_is_and_as_it_stands_in_an_address() -> None:
    learn(["sesame+open/wide", "short"])
    assert redacted("a sesame+open/wide b sesame%2Bopen%2Fwide c short") == f"a {REDACTED} b {REDACTED} c short"


def test_every_secret_setting_is_learnt_and_no_error_quotes_one() -> None:
    settings = Settings.from_env(
        {
            "GOOGLE_CLOUD_PROJECT": "p",
            "API_TOKENS": f"{'0b' * 32}=demo",
            "GEMINI_API_KEY": "key-of-gemini-0",
            "OBJECTS_OPTIONS": "region=us-east-1;secret_access_key=key-of-the-store",
        }
    )
    found = set(settings.secrets()) - {""}
    assert found == {"0b" * 32, "key-of-gemini-0", "key-of-the-store"}
    learn(found)
    failure = Transient("I was sent key-of-gemini-0", said="x-key: key-of-the-store", count=3)
    assert failure.message == f"I was sent {REDACTED}" and failure.details == {"said": f"x-key: {REDACTED}", "count": 3}
    assert "key-of-gemini-0" not in str(InputError("key-of-gemini-0")) and "us-east-1" in str(InputError("us-east-1"))
