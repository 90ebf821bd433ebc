/** What a tool is called, and what went into a call of it and came out, as a person would read it. */

import { addressOf } from "../markdown/markdown.js";
import { recordAddress } from "../memory/memory.js";
import { html } from "../../core/html.js";

const VERBS = {
  search_notes: "Search notes",
  list_recent_notes: "List recent notes",
  read_note: "Read note",
  create_note: "Write note",
  update_note: "Change note",
  list_tasks: "List tasks",
  create_tasks: "Add tasks",
  update_task: "Change task",
  start_research: "Start research",
  queue_approval: "Propose",
  list_documents: "List documents",
  search_documents: "Search documents",
  read_document: "Read document",
  web_search: "Search the web",
  fetch_url: "Read page",
  analyse_dataframe: "Compute",
  make_plot: "Draw",
  start_run: "Start a run",
  make_digest: "Write digest",
  recall_memory: "Recall",
};

export const verbOf = (tool) => VERBS[tool] ?? tool.replaceAll("_", " ");

/** What a tool answered, as its reader would have it where that is known, else as it came. */
export const output = (result) => recalled(result) ?? remembered(result) ?? calculated(result) ?? [html`<p class="meta">Output</p>`, shownValue(result)];

/** Rows that were calculated, as a table. */
function calculated({ columns, rows }) {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return null;
  return html`<div class="sheet" tabindex="0" role="region" aria-label="Rows"><table>
    <thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${columns.map((name) => html`<td>${row[name] ?? ""}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** What was called to mind: each with its passage, its day and what it is; null for an answer of another kind. */
function recalled(result) {
  const found = result?.notes ?? result?.passages ?? result?.hits;
  if (!Array.isArray(found) || !found.length || !found.every((one) => one.note_id || one.document_id)) return null;
  const row = ({ note_id, document_id, page, title, name, kind, tags = [], written, passage, excerpt }) => html`<li>
    <a href=${addressOf({ note_id, document_id, page })}>${title || name || note_id || document_id}</a>
    ${(passage ?? excerpt) && html`<blockquote>${passage ?? excerpt}</blockquote>`}
    <p class="meta row">${written && html`<span>${written}</span>`}${kind && kind !== "capture" && html`<span class="kind">${kind}</span>`}${page && html`<span>page ${page}</span>`}${tags.map((tag) => html`<span class="tag">#${tag}</span>`)}</p>
  </li>`;
  return html`<p class="meta">Found for these words, the best first</p><ol class="recalled">${found.map(row)}</ol>`;
}

/** What is remembered: each with why it was recalled, and the words it rests on. */
function remembered({ memories, message }) {
  if (!Array.isArray(memories)) return null;
  const source = ({ title, link, said, words }) => html`${words && html`<blockquote>${words}</blockquote>`}<p class="meta">${said}, in <a href=${link}>${title}</a></p>`;
  const row = ({ record_id, type, text, note, sources }) => html`<li><a href=${recordAddress(record_id)}>${text}</a> <span class="kind">${type}</span>${note && html`<p class="meta">${note}</p>`}${sources.map(source)}</li>`;
  return memories.length ? html`<ol class="recalled">${memories.map(row)}</ol>` : html`<p class="meta">${message || "Nothing of it is remembered."}</p>`;
}

export const shownValue = (value) => html`<pre tabindex="0">${typeof value === "string" ? value : JSON.stringify(value, null, 1)}</pre>`;
