"""What an import of notes has done, or would do, in words and as differences."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator

from infra.cli.terminal import one_line, printable, styled
from infra.cli.vault.taking_in import Change, TakenIn

_MARKS = {
    "created": ("+", "green"),
    "updated": ("~", "yellow"),
    "conflict": ("!", "red"),
    "refused": ("!", "red"),
    "note_newer": ("<", "blue"),
    "in_trash": ("-", "white"),
}
_WORDS = {
    "created": "created",
    "updated": "updated",
    "same": "unchanged",
    "note_newer": "newer here than in the file",
    "conflict": "changed on both sides",
    "in_trash": "in the trash",
    "refused": "refused",
}
_DIFF_LINES, _SKIPPED = 40, 30


def told(taken: TakenIn, *, dry_run: bool) -> Iterator[str]:
    """A line each: what is not as it was, what was left out and why, and the sums."""
    for one in taken.changes:
        if one.outcome not in _MARKS or (one.outcome == "created" and not dry_run):
            continue
        mark, colour = _MARKS[one.outcome]
        why = f"  {one_line(one.message)}" if one.message else ""
        yield styled(f"{mark} {one_line(one.path)}", fg=colour) + why
        yield from _difference(one)
    for left in taken.skipped[:_SKIPPED]:
        yield styled(f"· {one_line(left.path)}: {one_line(left.why)}", dim=True)
    if len(taken.skipped) > _SKIPPED:
        reasons = Counter(one.why for one in taken.skipped[_SKIPPED:])
        yield from (styled(f"· {count:,} more: {one_line(why)}", dim=True) for why, count in reasons.most_common())
    yield from _sums(taken, dry_run=dry_run)


def _difference(one: Change) -> Iterator[str]:
    if one.before is None or one.after is None:
        return
    for name in ("title", "tags"):
        old, new = one.before[name], one.after[name]
        if (sorted(old) if name == "tags" else old) != (sorted(new) if name == "tags" else new):
            yield f"    {name}: {one_line(str(old))} → {one_line(str(new))}"
    old, new = (str(each["body"]).strip("\n").splitlines() for each in (one.before, one.after))
    difference = list(difflib.unified_diff(old, new, lineterm="", n=1))[2:]
    for line in difference[:_DIFF_LINES]:
        colour = {"+": "green", "-": "red"}.get(line[:1])
        yield styled(f"    {printable(line)[:200]}", fg=colour)
    if len(difference) > _DIFF_LINES:
        yield f"    … {len(difference) - _DIFF_LINES:,} lines more"


def _sums(taken: TakenIn, *, dry_run: bool) -> Iterator[str]:
    counts = ", ".join(f"{count:,} {_WORDS[outcome]}" for outcome, count in sorted(taken.counts.items()))
    yield f"{'Would be: ' if dry_run else ''}{counts or 'no notes'}."
    if taken.documents:
        said = {"created": "added", "same": "there already"}
        yield (
            "Documents: "
            + ", ".join(f"{count:,} {said[name]}" for name, count in sorted(taken.documents.items()))
            + "."
        )
    if taken.unknown:
        names = ", ".join(one_line(name, 40) for name, _ in taken.unknown.most_common(12))
        yield f"Left out of front matter, since notes have no place for it: {names}."
    if taken.quiet:
        what = "new note" if taken.quiet == 1 else "new notes"
        verb = "would carry" if dry_run else "carries" if taken.quiet == 1 else "carry"
        yield f"{taken.quiet:,} {what} {verb} the tag research, which begins nothing here: --research begins it."
    if taken.researched:
        runs = "research run" if taken.researched == 1 else "research runs"
        verb = "would begin" if dry_run else "begins" if taken.researched == 1 else "begin"
        yield f"{taken.researched:,} {runs} {verb}: memex ops list shows {'it' if taken.researched == 1 else 'them'}."
