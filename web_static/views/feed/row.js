/** A note as a row of the feed. */

import { kind, pending, tag } from "../../components/tags/tags.js";
import { segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { marked } from "../../core/marked.js";
import { moment } from "../../core/time.js";
import { excerptOf, nameOf } from "../../core/words.js";

export function row(note, { words = [], operation = null } = {}) {
  const excerpt = note.title ? excerptOf(note.body) : "";
  return html`<li data-row=${note.id} data-operation=${operation?.id}>
    <a class="title" href=${`#/notes/${segment(note.id)}`}>${marked(nameOf(note), words)}</a>
    ${excerpt && html`<p class="excerpt">${marked(excerpt, words)}</p>`}
    <p class="meta row">${kind(note)}${moment(note.created_at)}${note.tags.map(tag)}${operation && pending(operation)}</p>
  </li>`;
}
