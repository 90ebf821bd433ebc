/** Records: in words, with where they come from, and what can be done to them. */

import { status } from "../tags/tags.js";
import { alarm, toast } from "../toasts/toasts.js";
import { api, query, segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { moment } from "../../core/words.js";

export const TYPES = ["fact", "preference", "decision", "plan", "event", "relation", "skill"];
export const STATUSES = ["current", "superseded", "retracted"];
const AUTHORS = { person: "You", assistant: "The assistant", other: "Somebody else" };
const PLACES = { note: "a note", turn: "a chat", document: "a document" };
const PASSAGE = 300;

const address = {
  note: ({ id, quote }) => `#/notes/${segment(id)}${query({ passage: quote.slice(0, PASSAGE) })}`,
  turn: ({ session_id }) => `#/chat/${segment(session_id ?? "")}`,
  document: ({ id, quote }) => `#/documents/${segment(id)}${query({ q: quote.slice(0, PASSAGE) })}`,
};

export const recordAddress = (id) => `#/records/${segment(id)}`;

/** "memory_deduper" as people write it. */
export const named = (id) => id.charAt(0).toUpperCase() + id.slice(1).replaceAll("_", " ");

export const percent = (part) => `${Math.round(part * 100)} %`;

const day = (value) => html`<time datetime=${value}>${new Date(value).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" })}</time>`;

/** "holds since …", "held from … to …"; nothing where no date is known. */
function held({ valid_from, valid_to }) {
  if (valid_from && valid_to) return html`<span>holds from ${day(valid_from)} to ${day(valid_to)}</span>`;
  return valid_from ? html`<span>since ${day(valid_from)}</span>` : valid_to && html`<span>until ${day(valid_to)}</span>`;
}

/** What a record is, as tags: its type, its status where that is not current, when it holds, what a person set. */
export const facts = (record) => [
  html`<span class="kind">${record.type}</span>`,
  record.status && record.status !== "current" && status("cancelled", record.status),
  record.pinned && html`<span class="state">★ pinned</span>`,
  record.excluded && status("cancelled", "excluded from recall"),
  held(record),
];

/** Who said it, when, and a link to where. */
const origin = (source) => html`<span>${AUTHORS[source.said_by] ?? source.said_by}, ${moment(source.said_at)}, in <a href=${address[source.kind](source)}>${source.title || PLACES[source.kind]}</a></span>`;

const folded = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

/** A source with its exact words, where they are not `text` once more. */
export const quoted = (source, text = "") => html`<div class="quoted">${source.quote && folded(source.quote) !== folded(text) && html`<blockquote>${source.quote}</blockquote>`}<p class="meta">${origin(source)}</p></div>`;

/* What a person may do to a record: pin it, keep it out of recall, retract it and have it back. */

const path = ({ id }) => `/brain/records/${segment(id)}`;

/** Do it, then `done()`; what fails is told. Returns whether it succeeded. */
async function tried(act, told, done) {
  try {
    await act();
  } catch (error) {
    alarm(`${told}: ${error.message}`);
    toast(`${told}: ${error.message}`);
    return false;
  }
  await done().catch(() => {});
  return true;
}

/** Retract a record, with a way back. */
export async function retract(record, done) {
  if (await tried(() => api.post(`${path(record)}/retract`), "Not retracted", done)) toast(`Retracted: ${record.text}`, { undo: () => restore(record, done) });
}

/** Have a record back; whether it is. */
const restore = (record, done) => tried(() => api.post(`${path(record)}/restore`), "Not restored", done);

/** The buttons of a record; `done()` draws it anew. */
export function acts(record, done) {
  const { text, pinned, excluded, status } = record;
  const set = (name) => () => tried(() => api.patch(path(record), { [name]: !record[name] }), "Not changed", done);
  const button = (name, words, act) => html`<button type="button" class="quiet" data-writes data-act=${name} aria-label=${`${words}: ${text}`} onclick=${act}>${words}</button>`;
  if (status === "retracted") return button("restore", "Restore", async () => (await restore(record, done)) && toast("It is remembered again."));
  return [
    button("pin", pinned ? "Unpin" : "Pin", set("pinned")),
    button("exclude", excluded ? "Include" : "Exclude", set("excluded")),
    button("retract", "Retract", () => retract(record, done)),
  ];
}
