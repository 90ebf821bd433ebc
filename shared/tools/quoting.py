"""Someone's words in the title of a proposal: they cannot be taken for ours."""

from __future__ import annotations

from shared.contracts.texts import one_line

_CHARACTERS = 80
_MARKS = str.maketrans({"“": "'", "”": "'", "„": "'", "«": "'", "»": "'", '"': "'"})


def quoted(text: str) -> str:
    """The text on one line between marks that nothing in it can close, cut where it is long."""
    line = one_line(text).translate(_MARKS) or "Untitled"
    return f"“{line if len(line) <= _CHARACTERS else line[: _CHARACTERS - 1].rstrip() + '…'}”"
