/** Finding notes, and marking what was found: by the ranking search where the server has one, else by what the list of notes can filter. */

import { api, query } from "./api.js";
import { html } from "./html.js";

const PAGES = 10;
let ranked = true;

/**
 * Notes for {q, tag, kind, limit, cursor}, as {notes, next, words}. `words` are what to mark in them. Without q the list,
 * newest first; `next` is the cursor that goes on.
 */
export async function search({ q = "", tag = "", kind = "", limit = 50, cursor = "" }, signal) {
  if (q && ranked) {
    try {
      const { hits } = await api.get(`/search${query({ q, tag, kind, limit: Math.min(limit, 50) })}`, signal);
      const words = [...new Set(hits.flatMap(({ matched }) => matched ?? []))];
      return { notes: hits.map((hit) => ({ ...hit, body: hit.excerpt })), next: null, words };
    } catch (error) {
      if (error.status !== 404) throw error;
      ranked = false;
    }
  }
  return filtered({ q, tag, kind, limit, cursor }, signal);
}

/** A page of a filter may be short and yet go on, so a few are asked for. */
async function filtered({ limit, cursor, ...wanted }, signal) {
  const notes = [];
  let next = cursor;
  for (let page = 0; page < PAGES; page += 1) {
    const answer = await api.get(`/notes${query({ ...wanted, limit: limit - notes.length, cursor: next })}`, signal);
    notes.push(...answer.notes);
    next = answer.next_cursor;
    if (!next || notes.length >= limit) break;
  }
  return { notes, next: next || null, words: wanted.q ? [wanted.q] : [] };
}

/* Text with the words that were looked for marked in it. */

export function marked(text, words) {
  const wanted = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).filter(Boolean);
  if (!wanted.length) return text;
  return text.split(new RegExp(`(${wanted.join("|")})`, "gi")).map((piece, n) => (n % 2 ? html`<mark>${piece}</mark>` : piece));
}
