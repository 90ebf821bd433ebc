"""Links, images and bracketed numbers of a Markdown text as replacements; code is left alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from shared.research.report.targets import Mention, host_of, target_of

_URL = r"(?:[^\s()<>]|\([^\s()<>]{0,1000}\))+"
_BARE = r"(?:[^\s()<>\[\]|`\"]|\([^\s()<>\[\]|`\"]{0,1000}\))+"
_LABEL = r"(?:[^\[\]\\\n]|\\.|\[[^\[\]\n]{0,100}\]){0,300}"
_TITLE = r"""(?:[ ]+["'(][^"'\n]{0,300}["')])?[ ]*"""
_DEFINED = r"^[ ]{0,3}\[\^?(?P<%s>[^\[\]\n]{1,100})\]:[ \t]*<?(?P<%s>[a-z][a-z0-9+.-]{1,20}:[^\s<>]+)>?"
_TOKEN = re.compile(
    rf"""
    (?P<fence>^[ ]{{0,3}}(?P<tick>`{{3,}}(?!`)|~{{3,}}(?!~))[^\n]*\n
        (?:(?![ ]{{0,3}}(?P=tick))[^\n]*\n)*(?:[ ]{{0,3}}(?P=tick)[^\n]*|[^\n]*\Z))
  | (?P<code>(?<!`)(?P<run>`{{1,3}})(?!`)(?:[^`\n]|(?!(?P=run)(?!`))`++){{1,2000}}(?P=run)(?!`))
  | (?P<image>!\[(?P<alt>{_LABEL})\](?:\([ ]*<?(?:{_URL})?>?{_TITLE}\)|\[[^\[\]\n]{{0,100}}\])?)
  | (?P<link>\[(?P<text>{_LABEL})\]\([ ]*<?(?P<url>{_URL})>?{_TITLE}\))
  | (?P<definition>{_DEFINED % ("label", "address")}[^\n]*(?:\n|\Z))
  | (?P<numbers>[ ]?\[(?:cite:[ ]*)?\^?\d{{1,3}}(?:[ ]*,[ ]*(?:cite:[ ]*)?\d{{1,3}}){{0,50}}\])
  | (?P<reference>\[(?P<reftext>{_LABEL})\]\[(?P<ref>[^\[\]\n]{{1,100}})\])
  | (?P<auto><(?P<autourl>(?:https?|memex)://[^\s<>]+)>)
  | (?P<bare>(?:https?|memex)://{_BARE})
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_DEFINITION = re.compile(
    rf"{_DEFINED % ('label', 'url')}(?:[ \t]+[\"'(](?P<title>[^\"'\n]{{0,300}}))?", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True)
class Edit:
    """text[start:end] becomes `text`, then the mentions. Code has none and stays as it is."""

    start: int
    end: int
    text: str
    mentions: tuple[Mention, ...] = ()
    dropped: int = 0
    """Links and numbers that name no source that may be shown."""


@dataclass(frozen=True)
class Sources:
    """What bracketed numbers and labels stand for."""

    numbered: Mapping[int, Mention]
    labelled: Mapping[str, Mention]


def definitions(text: str) -> dict[str, Mention]:
    """Reference definitions (`[label]: address`) of the text, by lower-case label."""
    found = {}
    for match in _DEFINITION.finditer(text):
        if (target := target_of(match["url"])) is not None:
            found[match["label"].lower()] = Mention(target, (match["title"] or "").strip())
    return found


def edits(text: str, sources: Sources) -> Iterator[Edit]:
    """The replacements, in order and without overlap."""
    for match in _TOKEN.finditer(text):
        kind = next(name for name in _EDITORS if match[name] is not None)
        yield _EDITORS[kind](match, sources)


def _code(match: re.Match[str], _sources: Sources) -> Edit:
    return Edit(match.start(), match.end(), match[0])


def _image(match: re.Match[str], _sources: Sources) -> Edit:
    """An image in a report could only be fetched from elsewhere, which would tell that other place who reads."""
    return Edit(match.start(), match.end(), match["alt"] or "")


def _link(match: re.Match[str], _sources: Sources) -> Edit:
    label = match["text"]
    mention = _mention(match["url"], label)
    shown = "" if re.fullmatch(r"\W*\^?\d{1,3}\W*", label) and mention else label
    return _edit(match, _without_links(shown), mention)


def _definition(match: re.Match[str], _sources: Sources) -> Edit:
    return Edit(match.start(), match.end(), "")


def _reference(match: re.Match[str], sources: Sources) -> Edit:
    return _edit(match, match["reftext"], sources.labelled.get(match["ref"].lower().lstrip("^")))


def _numbers(match: re.Match[str], sources: Sources) -> Edit:
    """Numbers without a source go: a mark of ours with the same number would make them point to something else."""
    numbers = [int(number) for number in re.findall(r"\d+", match[0])]
    found = [sources.numbered.get(n) or sources.labelled.get(str(n)) for n in numbers]
    known = tuple(mention for mention in found if mention)
    return Edit(match.start(), match.end(), "", known, len(found) - len(known))


def _auto(match: re.Match[str], _sources: Sources) -> Edit:
    mention = _mention(match["autourl"], "")
    return _edit(match, _shown(mention), mention)


def _bare(match: re.Match[str], _sources: Sources) -> Edit:
    url = match["bare"].rstrip(".,;:!?*_'\"")
    mention = _mention(url, "")
    return _edit(match, _shown(mention), mention, end=match.start() + len(url))


def _edit(match: re.Match[str], text: str, mention: Mention | None, *, end: int | None = None) -> Edit:
    mentions = (mention,) if mention else ()
    return Edit(match.start(), match.end() if end is None else end, text, mentions, 0 if mention else 1)


def _mention(url: str, title: str) -> Mention | None:
    target = target_of(url)
    return Mention(target, _without_links(title).strip()) if target else None


def _shown(mention: Mention | None) -> str:
    """What stands in the text for a bare address: its host, since the whole is in the list of sources."""
    return host_of(mention.target.url) if mention and mention.target.url else ""


def _without_links(label: str) -> str:
    """A label without an image or brackets that would make another link of what follows."""
    return re.sub(r"!?\[([^\[\]]{0,100})\](?:\([^()\s]{0,1000}\))?", r"\1", label)


_EDITORS: Mapping[str, Callable[[re.Match[str], Sources], Edit]] = {
    "fence": _code,
    "code": _code,
    "image": _image,
    "link": _link,
    "definition": _definition,
    "numbers": _numbers,
    "reference": _reference,
    "auto": _auto,
    "bare": _bare,
}
