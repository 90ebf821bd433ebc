/** What belongs to a note: the runs about it, its report, the note it was written about. */

import { pending, status } from "../../components/tags/tags.js";
import { segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { costOf } from "../../core/prices.js";
import { elapsed } from "../../core/time.js";
import { dollars } from "../../core/words.js";
import { Pending } from "../feed/pending.js";

export function relations(note, operations) {
  const rows = operations.map(run);
  if (note.source_note_id) {
    const how = note.operation_id && html`<a href=${`#/operations/${segment(note.operation_id)}`}>How it came about</a>`;
    rows.unshift(html`<p class="row"><span>Written about <a href=${`#/notes/${segment(note.source_note_id)}`}>this note</a></span>${how}</p>`);
  }
  if (note.run_id) rows.unshift(html`<p class="row"><span>The answer of a <a href=${`#/runs/${segment(note.run_id)}`}>run</a></span></p>`);
  return rows.length ? html`<section class="notice stack" aria-label="What belongs to it">${rows}</section>` : null;
}

function run(operation) {
  const { id, status: state, created_at, finished_at, result_note_id, error, usage } = operation;
  const link = html`<a href=${`#/operations/${segment(id)}`}>${state === "running" ? "Follow it" : "Research run"}</a>`;
  if (state === "running") return html`<p class="row" data-operation=${id}>${pending(operation)}${link}</p>`;
  const usd = costOf(usage);
  return html`<p class="row">
    ${status(state)}${result_note_id && html`<a href=${`#/notes/${segment(result_note_id)}`}><strong>Report</strong></a>`}${link}${elapsed(created_at, finished_at)}${usd > 0 && html`<span class="meta">${dollars(usd)}</span>`}
    ${error && html`<span class="meta">${error.message}</span>`}
  </p>`;
}

/** The live steps of the runs that are under way. */
export class Runs {
  constructor(signal) {
    this.signal = signal;
    this.pending = null;
  }

  follow(main, operations) {
    this.pending ??= new Pending(main, this.signal);
    this.pending.follow(operations.filter(({ status: state }) => state === "running"));
  }
}
