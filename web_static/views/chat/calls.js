/** Tool calls: a line each, that opens to what went in and came out; consecutive ones are a group. */

import { addressOf } from "../../components/markdown/citation.js";
import { status } from "../../components/tags/tags.js";
import { html, put } from "../../core/html.js";
import { sayProgress } from "../../core/live.js";
import { elapsed } from "../../core/time.js";
import { count } from "../../core/words.js";

const OPEN_MILLISECONDS = 1000;
const FOLDED = 3;
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
};

/** Consecutive calls. It folds when its turn is over, unless one failed or its reader has opened something. */
export class Calls {
  constructor() {
    this.lines = new Map();
    this.summary = html`<summary hidden></summary>`;
    this.list = html`<ol></ol>`;
    this.element = html`<details class="calls" open>${this.summary}${this.list}</details>`;
    this.element.addEventListener("click", ({ target }) => target.closest("summary") && (this.touched = true));
  }

  call({ data, at }) {
    const line = new Line(data, at);
    this.lines.set(data.call_id, line);
    this.list.append(line.element);
    this.summary.textContent = count(this.lines.size, "step");
    sayProgress(`${line.verb} ${line.object}`);
  }

  result({ data }) {
    this.lines.get(data.call_id)?.result(data);
  }

  over() {
    const lines = [...this.lines.values()];
    lines.filter(({ state }) => state === "running").forEach((line) => line.settle("cancelled", "not finished"));
    this.summary.hidden = lines.length <= FOLDED;
    if (!this.touched && lines.length > FOLDED) this.element.open = lines.some(({ state }) => state !== "completed");
  }
}

class Line {
  constructor({ tool, arguments: given }, at) {
    this.verb = verbOf(tool);
    this.object = objectOf(given);
    this.at = at;
    this.output = html`<div></div>`;
    this.end = html`<span class="meta row"></span>`;
    this.element = html`<li><details class="call">
      <summary onclick=${() => (this.touched = true)}><span class="what"><strong>${this.verb}</strong> ${this.object}</span>${this.end}</summary>
      <div class="stack"><p class="meta">Input</p>${shownValue(given)}${this.output}</div>
    </details></li>`;
    this.settle("running", "running");
    this.timer = setTimeout(() => this.open(true), OPEN_MILLISECONDS);
  }

  open(open) {
    if (!this.touched) this.element.firstElementChild.open = open;
  }

  settle(state, word, seconds = null) {
    clearTimeout(this.timer);
    this.state = state;
    put(this.end, status(state, word), seconds === null ? state === "running" && elapsed(this.at) : html`<span>${seconds < 0.95 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`}</span>`);
  }

  result({ ok, result, seconds }) {
    this.settle(ok ? "completed" : "failed", ok ? "done" : "failed", seconds);
    put(this.output, output(result));
    this.open(!ok);
  }
}

export const verbOf = (tool) => VERBS[tool] ?? tool.replaceAll("_", " ");

/** What a tool answered, as its reader would have it where that is known, else as it came. */
export const output = (result) => recalled(result) ?? calculated(result) ?? [html`<p class="meta">Output</p>`, shownValue(result)];

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

/** What a call is about: its query, title, or whatever words it was given first. */
function objectOf(given) {
  const title = given.query ?? given.title ?? given.tasks?.map((task) => task.title).join(", ") ?? given.changes?.title;
  const text = title ?? Object.values(given).find((value) => typeof value === "string") ?? "";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export const shownValue = (value) => html`<pre tabindex="0">${typeof value === "string" ? value : JSON.stringify(value, null, 1)}</pre>`;
