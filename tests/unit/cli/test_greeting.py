"""What is said at the start."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from infra.cli.greeting import is_emulated


@pytest.mark.parametrize(
    ("settings", "environment", "emulated"),
    [
        ({}, {}, True),
        ({}, {"GEMINI_API_KEY": ""}, True),
        ({}, {"GEMINI_API_KEY": "local"}, True),
        ({}, {"GEMINI_API_KEY": "k"}, False),
        ({"GEMINI_API_KEY": "k"}, {}, False),
        ({"RESEARCH_BACKEND": "vertex"}, {}, False),
    ],
)
def test_it_is_known_who_writes_the_reports(
    settings: Mapping[str, str], environment: Mapping[str, str], emulated: bool
) -> None:
    assert is_emulated(settings, environment) is emulated
