/** Rendered text as it is shown everywhere, stored or streamed, with its citations, the passages that they quote, and its sources. */

import { explain } from "../popover/popover.js";
import { api, query, segment } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { go } from "../../core/router.js";
import { rendered } from "../../core/trusted.js";
import { excerptOf, hostOf, nameOf } from "../../core/words.js";

const MARKS = /\[(\d{1,4}(?:\.\d{1,4})?)\]/g;

/** The element of a text that the server rendered; numbers in brackets that name one of `citations` become chips. */
export function reading(markup, citations = []) {
  const element = html`<div class="reading"></div>`;
  fill(element, markup, citations);
  return element;
}

/** Put another text into such an element. */
export function fill(element, markup, citations = []) {
  const content = rendered(markup);
  if (citations.length) cite(content, new Map(citations.map((one) => [String(one.n), one])));
  put(element, ...content.childNodes);
}

function cite(content, known) {
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (MARKS.test(node.data) && !node.parentElement?.closest("a, code, pre")) found.push(node);
    MARKS.lastIndex = 0;
  }
  for (const node of found) node.replaceWith(...pieces(node, known));
}

function pieces(node, known) {
  const out = [];
  let end = 0;
  for (const match of node.data.matchAll(MARKS)) {
    const citation = known.get(match[1]);
    if (!citation) continue;
    out.push(node.data.slice(end, match.index).replace(/\s+$/, "\u2009"), chip(citation, () => saying(node.data, match.index)));
    end = match.index + match[0].length;
  }
  return [...out, node.data.slice(end)];
}

/** The sentence that a mark stands behind. */
function saying(text, index) {
  const before = text.slice(0, index).replace(MARKS, "").trimEnd();
  const start = Math.max(...[". ", "! ", "? ", "\n"].map((end) => before.slice(0, -1).lastIndexOf(end)));
  return before.slice(start + 1).trim();
}

/* Citations: a chip for each source, its quote on hover, focus or tap; a click goes to the passage. */

const KEPT_MILLISECONDS = 60_000;
const SAID_CHARACTERS = 300;
const QUOTED_CHARACTERS = 500;
const known = new Map();

/** The chip of a citation; `saying()` is the sentence that it bears out. A source that leads nowhere is struck. */
function chip(citation, saying) {
  const { n, url, title } = citation;
  const address = addressOf(citation);
  if (!address && !url) return html`<s class="cite unverified" tabindex="0" title=${title}>${n} unverified</s>`;
  const element = html`<a class="cite" href=${address || url} rel=${address ? null : "noopener noreferrer"} aria-label=${`Source ${n}: ${title || hostOf(url)}`}>${n}</a>`;
  if (address) return alive(element, citation, saying);
  explain(element, () => page(citation));
  return element;
}

/** Where a source of our own is; empty for one of the web. */
export function addressOf({ note_id, document_id, page: number }) {
  if (note_id) return `#/notes/${segment(note_id)}`;
  return document_id ? `#/documents/${segment(document_id)}${query({ page: number })}` : "";
}

/** A link to a note or a document as a citation: its passage in a popover, and a click goes there. */
export function alive(element, citation, saying) {
  const kind = citation.note_id ? NOTE : DOCUMENT;
  const shown = explain(element, () => shownOf(kind, citation, saying()));
  element.addEventListener("click", async (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (matchMedia("(hover: none)").matches && !shown.isOpen()) return shown.open();
    go(await kind.place(citation, saying()).catch(() => addressOf(citation)));
  });
  return element;
}

/** Rejects with status 404 where a source of our own is not there. */
export const sourceOf = ({ note_id, document_id }) => (note_id ? noteOf(note_id) : documentOf(document_id));

const noteOf = (id) => kept(`/notes/${segment(id)}`, ({ note }) => note);
const documentOf = (id) => kept(`/documents/${segment(id)}`, ({ document }) => document);
const hitsOf = (id, said) => kept(`/documents/search${query({ q: said.slice(0, SAID_CHARACTERS), document_id: id, limit: 5 })}`, ({ hits }) => hits);

function kept(path, read) {
  if (!known.has(path)) {
    const asked = api.get(path).then(read);
    asked.catch(() => known.delete(path));
    known.set(path, asked);
    setTimeout(() => known.delete(path), KEPT_MILLISECONDS);
  }
  return known.get(path);
}

const NOTE = {
  gone: "This note was deleted.",
  place: async ({ note_id }, said) => `#/notes/${segment(note_id)}${query({ passage: closest((await noteOf(note_id)).body, said) })}`,
  quote: async ({ note_id, title, quote }, said) => {
    const note = await noteOf(note_id);
    if (quote) return [title || nameOf(note), quote, "From your note."];
    return [title || nameOf(note), closest(note.body, said) || excerptOf(note.body), "From your note, the passage that is closest."];
  },
};

const DOCUMENT = {
  gone: "This document was deleted.",
  place: async ({ document_id, page: number }, said) => `#/documents/${segment(document_id)}${query({ page: number, q: said.slice(0, SAID_CHARACTERS) })}`,
  quote: async ({ document_id, title, page: number, quote }, said) => {
    if (quote) return [title, quote, `From your document${number ? `, page ${number}` : ""}.`];
    const [{ name }, hits] = await Promise.all([documentOf(document_id), said ? hitsOf(document_id, said) : []]);
    const best = hits.find((hit) => hit.page === number) ?? hits[0];
    return [title || name, best?.excerpt ?? "", `From your document${best?.page ? `, page ${best.page}` : number ? `, page ${number}` : ""}.`];
  },
};

async function shownOf(kind, citation, said) {
  try {
    const [title, quote, where] = await kind.quote(citation, said);
    return html`<p><strong>${title}</strong></p>${quote && html`<blockquote>${quote}</blockquote>`}<p class="meta">${where}</p>`;
  } catch (error) {
    return html`<p><strong>${citation.title}</strong></p><p class="meta">${error.status === 404 ? kind.gone : error.message}</p>`;
  }
}

function page({ title, url, resolved, quote }) {
  return html`<p><strong>${title || hostOf(url)}</strong></p>
    ${quote && html`<blockquote>${quote.slice(0, QUOTED_CHARACTERS)}${quote.length > QUOTED_CHARACTERS && "…"}</blockquote>`}
    <p class="meta">${hostOf(url)}${!resolved && " · a redirect that could not be followed"}</p>
    ${!quote && html`<p class="meta">The report keeps no quote of this page.</p>`}`;
}

/* Which passage of a text bears out a sentence: the one that shares most of its words. */

const LONGEST = 400;

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** The sentence of `text` closest to `saying`, word for word; empty when none shares a third of its words. */
function closest(text, saying) {
  const wanted = wordsOf(saying);
  let [best, most] = ["", wanted.size / 3];
  for (const sentence of text.split(/(?<=[.!?])\s+|\n+/)) {
    const shared = [...wordsOf(sentence)].filter((word) => wanted.has(word)).length;
    if (shared > most) [best, most] = [sentence.replace(/^[#>*\-\s]+/, "").trim(), shared];
  }
  return best.slice(0, LONGEST);
}

/** Mark a passage in what is shown, and return its element; null when it is not there. */
export function markPassage(root, passage) {
  const wanted = passage.replace(/[*_`]/g, "").slice(0, 80);
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const at = node.data.indexOf(wanted);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, Math.min(node.length, at + passage.length));
    const mark = document.createElement("mark");
    range.surroundContents(mark);
    return mark;
  }
  return null;
}

/* The sources of a report, from its citations. */

/** The text without the list of sources at its end, which is shown from the citations. */
export function textOnly(element) {
  const heading = [...element.children].findLast((one) => /^H\d$/.test(one.nodeName) && one.textContent.trim() === "Sources");
  while (heading?.nextSibling) heading.nextSibling.remove();
  heading?.remove();
  return element;
}

export function sources({ citations }) {
  if (!citations.length) return null;
  return html`<section class="stack"><h2>Sources</h2><ol class="sources">${citations.map(row)}</ol></section>`;
}

function row(citation) {
  const { n, title, url, note_id, document_id, page, resolved } = citation;
  const own = addressOf(citation);
  const what = note_id ? "your note" : `your document${page ? `, page ${page}` : ""}`;
  const place = own
    ? html`<a href=${own}>${title || note_id || document_id}</a><span class="meta"> ${what}</span>`
    : url
      ? html`<a href=${url} rel="noopener noreferrer">${title || hostOf(url)}</a><span class="meta"> ${hostOf(url)}</span>`
      : html`<s>${title}</s><span class="meta"> unverified</span>`;
  const doubt = url && !resolved && html`<span class="meta"> a redirect that could not be followed</span>`;
  return html`<li id=${`source-${n}`}><span class="number">${n}</span><span>${place}${doubt}</span></li>`;
}
