/** Citations: a chip for each source, its quote on hover, focus or tap; a click goes to the passage. */

import { api, query, segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { go } from "../../core/router.js";
import { excerptOf, hostOf, nameOf } from "../../core/words.js";
import { explain } from "../popover/popover.js";
import { closest } from "./passage.js";

const KEPT_MILLISECONDS = 60_000;
const SAID_CHARACTERS = 300;
const QUOTED_CHARACTERS = 500;
const known = new Map();

/** The chip of a citation; `saying()` is the sentence that it bears out. A source that leads nowhere is struck. */
export function chip(citation, saying) {
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
