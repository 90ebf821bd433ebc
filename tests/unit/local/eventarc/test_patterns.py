"""Path patterns of triggers."""

from __future__ import annotations

import pytest

from infra.local.eventarc.patterns import BadPattern, matches


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("users/{user}", "users/ada"),
        ("users/*", "users/ada"),
        ("users/{user=*}", "users/ada"),
        ("users/{rest=**}", "users/ada/notes/1"),
        ("users/**", "users/ada"),
        ("workspaces/{w}/{c}/{o}/events/{e}", "workspaces/demo/operations/1/events/00012"),
        ("users/a*", "users/ada"),
        ("/users/{user}", "users/a.b+(c)"),
    ],
)
def test_a_path_matches(pattern: str, path: str) -> None:
    assert matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("users/{user}", "users/ada/notes/1"),
        ("users/{user}", "users"),
        ("users/{user}", "xusers/ada"),
        ("users/ada", "users/adam"),
        ("a.b/{x}", "aXb/1"),
        ("workspaces/{w}/{c}/{o}/events/{e}", "workspaces/demo/operations/1/steps/2/events/3"),
    ],
)
def test_a_path_does_not_match(pattern: str, path: str) -> None:
    assert not matches(pattern, path)


@pytest.mark.parametrize("pattern", ["users//x", "users/{", "users/{a}b", "users/{a=b}", ""])
def test_a_malformed_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(BadPattern):
        matches(pattern, "users/ada")
