/** Citations: a chip for each source, its quote on hover, focus or tap; a click goes to the passage. */

import { api, segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { go } from "../../core/router.js";
import { excerptOf, hostOf, nameOf } from "../../core/words.js";
import { explain } from "../popover/popover.js";
import { closest } from "./passage.js";

const notes = new Map();

/** The chip of a citation; `saying()` is the sentence that it bears out. A source that leads nowhere is struck. */
export function chip(citation, saying) {
  const { n, note_id, url, title } = citation;
  if (!note_id && !url) return html`<s class="cite unverified" tabindex="0" title=${title}>${n} unverified</s>`;
  if (!note_id) {
    const element = html`<a class="cite" href=${url} rel="noopener noreferrer" aria-label=${`Source ${n}: ${title || hostOf(url)}`}>${n}</a>`;
    explain(element, () => page(citation));
    return element;
  }
  const element = html`<a class="cite" href=${`#/notes/${segment(note_id)}`} aria-label=${`Source ${n}: ${title}`}>${n}</a>`;
  return alive(element, citation, saying);
}

/** A link to a note as a citation: its passage in a popover, and a click goes there. */
export function alive(element, citation, saying) {
  const { note_id } = citation;
  const shown = explain(element, () => passage(citation, saying()));
  element.addEventListener("click", async (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (matchMedia("(hover: none)").matches && !shown.isOpen()) return shown.open();
    const quote = await quoteOf(note_id, saying()).catch(() => "");
    go(`#/notes/${segment(note_id)}${quote ? `?passage=${encodeURIComponent(quote)}` : ""}`);
  });
  return element;
}

function page({ title, url, resolved }) {
  return html`<p><strong>${title || hostOf(url)}</strong></p>
    <p class="meta">${hostOf(url)}${!resolved && " · a redirect that could not be followed"}</p>
    <p class="meta">The report keeps no quote of this page.</p>`;
}

async function passage({ note_id, title }, saying) {
  try {
    const note = await noteOf(note_id);
    return html`<p><strong>${title || nameOf(note)}</strong></p>
      <blockquote>${closest(note.body, saying) || excerptOf(note.body)}</blockquote>
      <p class="meta">From your note, the passage that is closest.</p>`;
  } catch (error) {
    return html`<p><strong>${title}</strong></p><p class="meta">${error.status === 404 ? "This note was deleted." : error.message}</p>`;
  }
}

async function quoteOf(id, saying) {
  return closest((await noteOf(id)).body, saying);
}

export function noteOf(id) {
  if (!notes.has(id)) {
    const asked = api.get(`/notes/${segment(id)}`).then(({ note }) => note);
    asked.catch(() => notes.delete(id));
    notes.set(id, asked);
    setTimeout(() => notes.delete(id), 60_000);
  }
  return notes.get(id);
}
