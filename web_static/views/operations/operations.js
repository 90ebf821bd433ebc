/** All runs, newest first. */

import { warning } from "../../components/meter/meter.js";
import { waits } from "../../components/plan/plan.js";
import { Pending } from "../../components/research/research.js";
import { status } from "../../components/tags/tags.js";
import { stopButton } from "../../components/toasts/toasts.js";
import { segment } from "../../core/api.js";
import { narrowing, paged } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { walkRows } from "../../core/keys.js";
import { costOf, RESEARCH_RANGE, toEstimate } from "../../core/prices.js";
import { dollars, elapsed, moment } from "../../core/words.js";

const STATES = ["running", "awaiting_approval", "completed", "failed", "cancelled"];

export async function show({ main, signal, wanted }) {
  const list = html`<ul class="list"></ul>`;
  const nothing = html`<div class="empty" hidden><p>No research yet. Tag a note <strong>research</strong> and a run starts.</p><p class="meta"><a href="#/notes?capture">Write a note</a> such as “What does the cold do to a home battery?”</p></div>`;
  const pending = new Pending(list, signal);
  const asked = () => ["/operations", { kind: "deep_research", status: wanted.get("status") }];
  const draw = ({ operations }) => {
    put(list, operations.map((operation) => row(operation, refresh)));
    nothing.hidden = operations.length > 0;
    pending.follow(operations.filter((one) => one.status === "running"));
  };
  const { refresh, more } = paged({ asked, draw, words: "Older runs", signal, seconds: 5 });
  walkRows(list, signal);
  put(
    main,
    html`<div class="row spread"><h1>Research</h1>${narrowing(wanted, "#/operations", refresh).choice("status", "State", "All", STATES)}</div>`,
    warning(signal),
    list,
    nothing,
    more,
  );
  await refresh();
}

function row(operation, refresh) {
  const { id, title, status: state, created_at, finished_at, error, usage, result_note_id } = operation;
  const running = state === "running";
  const usd = costOf(usage);
  return html`<li data-row=${id} data-operation=${id}>
    <a class="title" href=${`#/operations/${segment(id)}`}>${title || "Research run"}</a>
    <p class="meta row">
      ${status(state)}${elapsed(created_at, finished_at)}${moment(created_at)}${usd > 0 && html`<span>${dollars(usd)}${running ? " so far" : `, ${toEstimate(usd)} the estimate of $${RESEARCH_RANGE[0]} to $${RESEARCH_RANGE[1]}`}</span>`}
      ${result_note_id && html`<a href=${`#/notes/${segment(result_note_id)}`}>Report</a>`}
      ${waits(operation) && html`<a href=${`#/operations/${segment(id)}`}>Look at the plan</a>`}
      ${running && html`<span class="step"></span>${stopButton(`/operations/${segment(id)}`, refresh)}`}
    </p>
    ${error && html`<p class="excerpt">${error.message}</p>`}
  </li>`;
}
