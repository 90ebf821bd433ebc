"""The report code against awkward step lists."""

from __future__ import annotations

import time
from typing import Any

import pytest

from shared.contracts.limits import NOTE_BODY_BYTES
from shared.research.report.draft import draft
from tests.unit.research.build import IMAGE, THOUGHT, cite, output, report, text

A, B = "https://a.example/x", "https://b.example/y"


def test_text_of_all_model_output_steps_comes_in_order_around_thoughts_and_images() -> None:
    made = report(
        {"type": "user_input", "content": [text("the question")]},
        output("# Title\n\nFirst."),
        THOUGHT,
        output(IMAGE),
        output("## Second part\n\nMore."),
        {"type": "wholly_new", "content": [text("not for the report")]},
    )
    assert made.body == "# Title\n\nFirst.\n\n## Second part\n\nMore."


def test_a_sentence_split_between_steps_stays_one_sentence() -> None:
    assert report(output("The hea"), THOUGHT, output("t pump")).text == "The heat pump"


def test_a_new_paragraph_begins_after_a_full_stop() -> None:
    assert report(output("One."), output("Two.")).text == "One.\n\nTwo."


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [THOUGHT],
        [output(IMAGE)],
        [output("")],
        [{"type": "model_output"}],
        [{"type": "model_output", "content": None}],
        [{"type": "model_output", "content": [None, 3, [], {"type": "text"}, {"type": "text", "text": None}]}],
        [{"type": None}, {}, {"type": ["x"]}, {"type": {"a": 1}, "content": 4}],
        [{"type": "wholly_new", "payload": {"deep": [1, 2]}}],
    ],
)
def test_steps_without_text_give_no_text_and_no_citations(steps: list[Any]) -> None:
    made = report(*steps)
    assert (made.text, made.citations) == ("", ())


@pytest.mark.parametrize(
    "annotations",
    [
        None,
        "x",
        [None, 1, "a"],
        [{"type": "url_citation"}],
        [{"type": "url_citation", "url": None}],
        [{"type": "url_citation", "url": {"a": 1}, "start_index": "x"}],
        [{"type": "unheard_of", "url": A, "start_index": 0, "end_index": 1}],
        [{"url": A}],
    ],
)
def test_annotations_of_any_shape_never_fail(annotations: Any) -> None:
    made = report(output({"type": "text", "text": "Words.", "annotations": annotations}))
    assert made.text == "Words."


def test_a_mark_goes_behind_the_cited_span() -> None:
    words = "Bees dance. Wasps do not."
    made = report(output(text(words, cite(words, "Bees dance.", A, "On bees"))))
    assert made.text == "Bees dance. [1] Wasps do not."
    assert [(c.n, c.title, c.url, c.note_id) for c in made.citations] == [(1, "On bees", A, None)]
    assert made.body.endswith(f"## Sources\n\n1. [On bees]({A})")


def test_offsets_are_bytes_not_characters() -> None:
    words = "Grüße aus Köln 🐝 heute. Und morgen."
    made = report(output(text(words, cite(words, "Köln 🐝", A))))
    assert made.text == "Grüße aus Köln 🐝 [1] heute. Und morgen."
    assert made.mended == 0


def test_offsets_count_within_their_own_text() -> None:
    second = "Zweiter Satz."
    made = report(output("Üben. ", text(second, cite(second, "Zweiter", A))))
    assert made.text == "Üben. Zweiter [1] Satz."


def test_an_offset_inside_a_character_is_moved_behind_it_and_counted() -> None:
    words = "a🐝b"
    made = report(output(text(words, {"type": "url_citation", "url": A, "start_index": 0, "end_index": 3})))
    assert (made.text, made.mended) == ("a🐝 [1]b", 1)


def test_text_split_inside_a_character_offset_keeps_every_mark() -> None:
    first, second = "Das Bienenvolk 🐝", " überwintert."
    made = report(
        output(text(first, {"type": "url_citation", "url": A, "start_index": 0, "end_index": 17})),
        output(text(second, {"type": "url_citation", "url": B, "start_index": 1, "end_index": 2})),
    )
    assert made.text == "Das Bienenvolk 🐝 [1] ü [2]berwintert."


@pytest.mark.parametrize(
    ("start", "end"),
    [(0, 10_000), (9_000, 10_000), (None, None), (-5, -1), (5, 2), ("3", "4.5"), (True, False), (0, 0)],
)
def test_offsets_out_of_range_cite_the_end_of_their_text(start: Any, end: Any) -> None:
    made = report(
        output(text("Some words.", {"type": "url_citation", "url": A, "start_index": start, "end_index": end}))
    )
    assert (made.text, made.mended) == ("Some words. [1]", 1)


def test_overlapping_and_repeated_spans_each_get_their_mark_once() -> None:
    words = "Bees dance in the dark hive."
    made = report(
        output(
            text(
                words,
                cite(words, "Bees dance", A),
                cite(words, "Bees dance", A),
                cite(words, "dance in the dark", B),
                cite(words, "Bees dance in the dark", A),
            )
        )
    )
    assert made.text == "Bees dance [1] in the dark [2][1] hive."


def test_twelve_citations_never_confuse_1_with_10() -> None:
    sentences = [f"Sentence {n}." for n in range(1, 13)]
    words = " ".join(sentences)
    marks = [cite(words, s, f"https://site{n}.example/", f"Site {n}") for n, s in enumerate(sentences, 1)]
    made = report(output(text(words, *marks)))
    assert made.text == " ".join(f"{s} [{n}]" for n, s in enumerate(sentences, 1))
    assert [(c.n, c.url) for c in made.citations] == [(n, f"https://site{n}.example/") for n in range(1, 13)]


def test_bracketed_numbers_follow_the_agents_own_list_and_are_numbered_anew() -> None:
    entries = "\n".join(f"{n}. [Site {n}](https://site{n}.example/)" for n in range(1, 13))
    made = report(output(f"Ten first.[10] Then one [1], then both [cite: 1, 10].\n\n**Sources:**\n{entries}"))
    assert made.text == "Ten first. [1] Then one [2], then both [2][1]."
    assert [c.url for c in made.citations][:2] == ["https://site10.example/", "https://site1.example/"]
    assert len(made.citations) == 12


def test_a_number_without_a_source_goes_and_is_counted() -> None:
    made = report(output(f"Claim [7]. Linked [here]({A})."))
    assert (made.text, made.dropped) == ("Claim. Linked here [1].", 1)


def test_a_page_of_a_document_is_cited_where_the_workspace_has_it() -> None:
    whole = "Notice is due in March. It is long. It is old."
    cited = [
        cite(whole, "March", "memex://documents/d1?page=2"),
        cite(whole, "long", "memex://documents/d1?page=2"),
        cite(whole, "old", "memex://documents/gone?page=1"),
    ]
    found = report(output(text(whole, *cited)), documents={"d1": "lease.pdf"})
    assert found.text == "Notice is due in March [1]. It is long [1]. It is old."
    [citation] = found.citations
    assert (citation.document_id, citation.page, citation.title) == ("d1", 2, "lease.pdf")
    assert found.body.endswith("## Sources\n\n1. lease.pdf, page 2") and found.dropped == 1


def test_an_inline_link_becomes_its_words_and_a_mark() -> None:
    made = report(output(f"See [the paper]({A} 'Title') and [another](https://b.example/w_(x)) and [[3]]({A})."))
    assert made.text == "See the paper [1] and another [2] and [1]."
    assert [c.url for c in made.citations] == [A, "https://b.example/w_(x)"]
    assert made.citations[0].title == "the paper"


def test_bare_and_angled_addresses_are_cited_under_their_host() -> None:
    made = report(output(f"From {A}. And <{B}>"))
    assert made.text == "From a.example [1]. And b.example [2]"


def test_reference_links_and_footnotes_find_their_definitions() -> None:
    made = report(output(f"[Words][ref] and a note[^1].\n\n[ref]: {A}\n[^1]: {B}\n"))
    assert made.text == "Words [1] and a note [2]."
    assert [c.url for c in made.citations] == [A, B]


def test_code_is_left_alone() -> None:
    code = f"```\nx[1] = '[a]({A})'\n```"
    made = report(output(f"Before `y[2]`.\n\n{code}\n\nAfter [b]({B})."))
    assert made.text == f"Before `y[2]`.\n\n{code}\n\nAfter b [1]."


def test_a_mark_never_breaks_a_code_fence_or_a_table_row() -> None:
    words = "```\ncode\n```\n\n| a | b |\n|---|---|\n| c | d |\n\nEnd."
    made = report(output(text(words, cite(words, "```\ncode\n```", A), cite(words, "| c | d |", B))))
    assert made.text == "```\ncode\n```\n\n[1]\n\n| a | b |\n|---|---|\n| c | d [2] |\n\nEnd."


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "java&#115;cript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "vbscript:x",
        "data:text/html;base64,PHNjcmlwdD4=",
        "file:///etc/passwd",
        "//evil.example/x",
        "https://user@evil.example/",
        "https://bank.example\\@evil.example/",
        "http://",
        "https://[::1",
        "https://x.example:99999999/",
        "memex://notes/a/b",
        "memex://notes/",
        "memex://other/n1",
        "mailto:a@b.example",
        "#anchor",
    ],
)
def test_addresses_of_other_kinds_are_no_sources(url: str) -> None:
    linked = report(output(f"See [this]({url})."), notes={"n1": "x"})
    assert (linked.citations, linked.dropped) == ((), 1)
    assert url not in linked.body
    marked = report(output(text("Words.", {"type": "url_citation", "url": url, "start_index": 0, "end_index": 5})))
    assert (marked.citations, marked.dropped) == ((), 1)


def test_images_are_reduced_to_their_description() -> None:
    made = report(
        output(f"![a chart](https://evil.example/p?d=SECRET) ![](data:image/png;base64,AA) ![x][r] [link]({A})")
    )
    assert made.text == "a chart  x link [1]"
    assert "evil" not in made.body


def test_notes_are_cited_by_id_with_their_own_title_and_unknown_notes_are_no_source() -> None:
    words = "Known. Unknown."
    made = report(
        output(
            text(words, cite(words, "Known.", "memex://notes/n1", "x"), cite(words, "Unknown.", "memex://notes/n2"))
        ),
        notes={"n1": "On [bees]"},
    )
    assert made.text == "Known. [1] Unknown."
    assert [(c.note_id, c.title, c.url) for c in made.citations] == [("n1", "On [bees]", None)]
    assert made.body.endswith("1. [On \\[bees\\]](memex://notes/n1)")
    assert made.dropped == 1


def test_one_source_cited_by_annotation_and_by_link_is_one_source() -> None:
    words = f"Claim one. See [here]({A}#:~:text=one)."
    made = report(output(text(words, cite(words, "Claim one.", A, "The page"))))
    assert made.text == "Claim one. [1] See here [1]."
    assert [c.title for c in made.citations] == ["The page"]


def test_redirects_are_replaced_where_resolved_and_marked_where_not() -> None:
    links = [f"https://r.example/redirect/{n}" for n in range(1, 13)]
    sentences = [f"Fact {n}." for n in range(1, 13)]
    words = " ".join(sentences)
    made = report(
        output(text(words, *(cite(words, s, u, "site.example") for s, u in zip(sentences, links, strict=True)))),
        resolved={u: f"https://site.example/page/{n}" for n, u in enumerate(links[:11], 1)},
    )
    assert [c.url for c in made.citations[:11]] == [f"https://site.example/page/{n}" for n in range(1, 12)]
    assert [c.resolved for c in made.citations] == [True] * 11 + [False]
    assert made.citations[11].url == links[11]


def test_two_redirects_to_one_page_are_one_source() -> None:
    words = "One. Two."
    made = report(
        output(text(words, cite(words, "One.", "https://r/redirect/1"), cite(words, "Two.", "https://r/redirect/2"))),
        resolved={"https://r/redirect/1": A, "https://r/redirect/2": A},
    )
    assert made.text == "One. [1] Two. [1]"
    assert [c.title for c in made.citations] == ["a.example"]


def test_links_are_no_evidence_when_every_tool_came_back_empty() -> None:
    steps = [
        {"type": "google_search_call", "id": "1", "arguments": {"queries": ["q"]}},
        {"type": "google_search_result", "call_id": "1", "result": []},
        {"type": "url_context_result", "call_id": "2", "result": [{"url": A, "status": "error"}]},
    ]
    invented = report(*steps, output(f"A fluent report, see [here]({A}) and {B}."))
    assert invented.citations == ()
    steps[1] = {"type": "google_search_result", "call_id": "1", "result": [{"search_suggestions": "<div>"}]}
    assert len(report(*steps, output(f"See [here]({A}).")).citations) == 1


def test_lone_surrogates_and_nuls_become_storable() -> None:
    words = "a\ud800b\0c"
    made = report(output(text(words, {"type": "url_citation", "url": A, "start_index": 0, "end_index": 4})))
    assert made.text == "a\ufffd [1]b c"


def test_a_report_longer_than_a_note_is_cut_and_says_so() -> None:
    made = report(output(f"[s]({A})" + "é" * 3_000_000))
    assert len(made.body.encode()) <= 5_000_000
    assert "the rest was cut" in made.body
    assert made.citations[0].url == A


@pytest.mark.parametrize(
    "unit", ["[", "![", "[a](", "[a](b", "`", "<http://", "http://(", "[1, ", "[^", "**Sources**\n", "|"]
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    assert draft([output(unit * (60_000 // len(unit)))]).pieces


def test_a_report_as_long_as_a_note_may_be_is_assembled_in_seconds() -> None:
    claims = (f"Claim {n} {'words ' * 30}[source](https://site{n % 100}.example/x)." for n in range(16_000))
    began = time.process_time()
    made = report(output("\n\n".join(claims)))
    assert len(made.citations) == 100 and made.text.endswith("[100].")
    assert time.process_time() - began < 10


@pytest.mark.parametrize("unit", ["é漢 word. ", "| a ", " "])
def test_many_annotations_on_one_long_line_take_seconds(unit: str) -> None:
    """It was quadratic once: minutes, and the function that read the report was ended before."""
    whole = unit * (2_000_000 // len(unit.encode())) + "end"
    size = len(whole.encode())
    marks = [{"type": "url_citation", "url": A, "end_index": size * n // 2_000} for n in range(1, 2_001)]
    began = time.monotonic()
    made = report(output(text(whole, *marks)))
    assert time.monotonic() - began < 20
    assert made.text.endswith("end [1]") and [citation.url for citation in made.citations] == [A]


def test_a_report_that_is_longer_than_a_note_is_cut_before_it_is_read_and_says_so() -> None:
    whole = "[x](https://a.example) " + "word " * 1_100_000
    late = {"type": "url_citation", "url": "https://late.example", "end_index": len(whole)}
    made = report(output(text(whole, late)), output("never read"))
    assert len(made.body.encode()) <= NOTE_BODY_BYTES
    assert made.text.endswith("the rest was cut.)*") and "never" not in made.text
    assert [citation.url for citation in made.citations] == ["https://a.example"]
