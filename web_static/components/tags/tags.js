/** Tags, kinds, states and tabs, as they are shown everywhere. */

import { html } from "../../core/html.js";
import { elapsed } from "../../core/words.js";

const ICONS = { completed: "✓", failed: "✕", cancelled: "–", waiting: "↑", refused: "✕", awaiting_approval: "✎" };

/** A tag that leads to all notes with it. */
export const tag = (name) => html`<a class="tag" href=${`#/notes?tag=${encodeURIComponent(name)}`}>#${name}</a>`;

/** A status as icon, word and colour. */
export function status(name, word = name.replaceAll("_", " ")) {
  const icon = name === "running" ? html`<span class="ring" aria-hidden="true"></span>` : html`<span aria-hidden="true">${ICONS[name] ?? "?"}</span>`;
  return html`<span class=${`state ${name}`}>${icon} ${word}</span>`;
}

/** The kind of a note; captures are what one expects and say nothing. */
export const kind = (note) =>
  note.kind === "capture" ? null : html`<span class=${`kind ${note.kind}`}>${note.partial ? `${note.kind}, partial` : note.kind}</span>`;

/** "Research pending", how long, and what it does just now (an element that a view renews). */
export function pending(operation, step = null) {
  return html`<span class="pending"
    >${status("running", "research pending")} ${elapsed(operation.created_at)} <span class="step">${step}</span></span
  >`;
}

/* The parts of a view, each with an address of its own. */

/** `parts` are [address, words, further words or null]; the one whose address is `current` is marked. */
export const tabs = (label, parts, current) => html`<nav class="tabs" aria-label=${label}>${parts.map(
  ([address, words, further]) => html`<a href=${address} aria-current=${address === current ? "page" : null}>${words}${further}</a>`,
)}</nav>`;
