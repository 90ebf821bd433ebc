"""Names, links, front matter and folders, each by itself and with what was made to harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from infra.cli.vault.front_matter import BadFrontMatter, joined, split
from infra.cli.vault.links import from_obsidian, to_files, to_titles
from infra.cli.vault.names import Names, stem_of
from infra.cli.vault.parsing import NoNote, Titles, parse
from infra.cli.vault.scanning import FILE_BYTES, scan
from infra.cli.vault.writing import text_of


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Rye", "Rye"),
        ("What costs what?", "What costs what"),
        ("a/b\\c:d|e#f^g[[h]]", "a b c d e f g h"),
        ("../../etc/passwd", "etc passwd"),
        ("...", "Untitled"),
        ("", "Untitled"),
        ("CON", "CON_"),
        ("nul.txt", "nul.txt_"),
        (".hidden", "hidden"),
        ("trailing. . ", "trailing"),
        ("tab\tline\nbreak\x00\u202e", "tab line break"),
        ("Ünïcödé ☕", "Ünïcödé ☕"),
        ("é" * 200, "é" * 75),
    ],
)
def test_a_title_becomes_a_name_that_is_good_everywhere(title: str, stem: str) -> None:
    assert stem_of(title) == stem


def test_no_two_notes_share_a_file_whatever_the_case_or_the_accents() -> None:
    names = Names()
    given = [
        names.of(title, f"note_{n}abc") for n, title in enumerate(["Rye", "rye", "RYE", "Caf\u00e9", "Cafe\u0301"])
    ]
    assert given[0] == "Rye" and given[3] == "Café" and len({one.casefold() for one in given}) == 5


def test_links_go_out_by_file_and_come_back_by_title() -> None:
    stems = {"What costs what?": "What costs what", "A/B": "A B"}
    body = "[[What costs what?]] [[what costs what?]] [[A/B|there]] [[Other]] ![[A/B]] `x`"
    out = to_files(body, stems)
    assert "[[What costs what|What costs what?]]" in out and "[[A B|there]]" in out and "[[Other]]" in out
    assert to_titles(out, {stem: title for title, stem in stems.items()}) == body
    tricky = "[[What costs what|What costs what?]] and [[What costs what?]]"
    assert to_files(tricky, stems) == tricky, "what would not come back is left"


def test_links_of_a_vault_become_links_by_title() -> None:
    known = {"rye bread": "Rye Bread", "projects/rye bread": "Rye Bread", "the loaf": "Rye Bread"}
    body = "[[Projects/Rye Bread#Water|w]] [[Rye Bread]] [[the loaf]] [[Rye Bread#Water]] [[None]] ![[Rye Bread]]"
    expected = (
        "[[Rye Bread|w]] [[Rye Bread]] [[Rye Bread|the loaf]] [[Rye Bread|Rye Bread#Water]] [[None]] ![[Rye Bread]]"
    )
    assert from_obsidian(body, known) == expected


def test_front_matter_is_text_and_comes_back() -> None:
    fields = {"id": "n1", "title": "yes: #no", "tags": ["on", "1.0"], "made": "2024-01-01", "n": "\u2028\x85 ☕"}
    text = joined(fields, "---\nbody")
    assert split(text) == (fields, "\n---\nbody\n")
    assert split("no front\n---\n") == ({}, "no front\n---\n")
    assert split("---\n---\nx") == ({}, "x") or split("---\n\n---\nx") == ({}, "x")


@pytest.mark.parametrize(
    "head",
    [
        "a: &x [1]\nb: *x",
        "a: [",
        "- a list",
        "just text",
        "a: !!python/object/apply:os.system [touch /tmp/never]",
        "? [a]\n: b",
        "x: " + "[" * 2_000 + "]" * 2_000,
        "a: " + "x" * 300_000,
        'title: "\\ud800 x"',
    ],
    ids=["alias", "open", "list", "text", "python", "key", "deep", "long", "half"],
)
def test_front_matter_that_is_none_is_refused_in_a_line(head: str) -> None:
    try:
        fields, _ = split(f"---\n{head}\n---\nbody")
    except BadFrontMatter as error:
        assert "\n" not in str(error)
    else:
        assert head.startswith("a: !!python") and isinstance(fields["a"], list), "a tag makes nothing but text"
    assert not Path("/tmp/never").exists()


def test_a_folder_is_looked_at_without_leaving_it(tmp_path: Path) -> None:
    root, outside = tmp_path / "vault", tmp_path / "secret.md"
    outside.write_text("secret")
    for name in (".obsidian/app.json", ".trash/old.md", "a/b/Note.md", "Board.canvas", "pic.PNG", "x.exe", "file.pdf"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x")
    (root / "link.md").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "up").symlink_to("..")
    (root / "huge.md").write_bytes(b"")
    with (root / "huge.md").open("r+b") as file:
        file.truncate(FILE_BYTES + 1)
    found = scan(root)
    assert found.notes == ["a/b/Note.md"] and found.documents == ["file.pdf"]
    why = {one.path: one.why for one in found.skipped}
    assert {"link.md", "loop", "up"} <= {path for path, reason in why.items() if reason == "it is a link"}
    assert set(why) >= {".obsidian/", ".trash/", "Board.canvas", "pic.PNG", "x.exe", "huge.md"}
    with pytest.raises(OSError, match="symbolic"):
        found.read("link.md")


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a\x00b", b"---\na: [\n---\n"])
def test_a_file_that_is_no_note_is_left_with_a_reason(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.md").write_bytes(data)
    with pytest.raises(NoNote):
        parse(scan(tmp_path), "x.md", "vault")


def test_an_obsidian_note_has_its_tags_title_and_moment(tmp_path: Path) -> None:
    head = "tags: [Home Lab, '#Solar']\ntag: a, b\ncreated: 2024-03-02\nfoo: 1\nid: 7\n"
    text = f"\ufeff---\n{head}---\n\n# H\n#inline/x #12 `#no`\n"
    (tmp_path / "Rye Bread.md").write_text(text)
    one = parse(scan(tmp_path), "Rye Bread.md", "vault")
    assert one.payload["title"] == "Rye Bread" and one.payload["created_at"].startswith("2024-03-02T00:00")
    assert one.payload["tags"] == ["home-lab", "solar", "a", "b", "inline/x"]
    assert one.unknown == ("foo", "id") and one.payload["id"].startswith("note_") and not one.ours
    assert parse(scan(tmp_path), "Rye Bread.md", "other").payload["id"] != one.payload["id"]


def note(**fields: Any) -> dict[str, Any]:
    at = "2026-11-30T12:00:00Z"
    given = {"id": "n1", "title": "What?", "kind": "research", "tags": ["a", "b"], "body": "See [[What?]]\n\n#x"}
    return {**given, "created_at": at, "updated_at": at, **fields}


def test_a_note_is_the_same_when_its_file_is_read(tmp_path: Path) -> None:
    cited = [{"v": 1, "n": 1, "title": 'T: "x"', "url": "https://x", "page": None, "resolved": False}]
    given = note(citations=cited, operation_id="op", summary="Why: #this", partial=True)
    (tmp_path / "What.md").write_text(text_of(given, "What", {"What?": "What"}))
    one = parse(scan(tmp_path), "What.md", "vault")
    titles = Titles()
    titles.add(one)
    titles.link(one)
    assert one.ours and one.payload["body"] == given["body"] and one.payload["title"] == "What?"
    assert one.payload["tags"] == ["a", "b"], "tags in the text of a note of ours are text"
    assert one.payload["citations"] == [{"n": 1, "title": 'T: "x"', "url": "https://x", "resolved": False}]
    assert (one.payload["kind"], one.payload["operation_id"], one.payload["partial"]) == ("research", "op", True)
