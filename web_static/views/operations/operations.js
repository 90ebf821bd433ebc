/** All runs, newest first. */

import { warning } from "../../components/meter/allowance.js";
import { status } from "../../components/tags/tags.js";
import { toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { paged } from "../../core/paged.js";
import { costOf, RESEARCH_RANGE, toEstimate } from "../../core/prices.js";
import { renameAddress } from "../../core/router.js";
import { walkRows } from "../../core/rows.js";
import { elapsed, moment } from "../../core/time.js";
import { dollars } from "../../core/words.js";
import { Pending } from "../feed/pending.js";

const STATES = ["running", "completed", "failed", "cancelled"];

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
  const choose = ({ currentTarget: { value } }) => {
    if (value) wanted.set("status", value);
    else wanted.delete("status");
    renameAddress(wanted.size ? `#/operations?${wanted}` : "#/operations");
    refresh();
  };
  const option = (name) => html`<option value=${name} selected=${wanted.get("status") === name}>${name}</option>`;
  put(
    main,
    html`<div class="row spread"><h1>Research</h1><select aria-label="State" onchange=${choose}><option value="">All</option>${STATES.map(option)}</select></div>`,
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
      ${running && html`<span class="step"></span><button type="button" onclick=${(event) => stop(event, id, refresh)}>Stop</button>`}
    </p>
    ${error && html`<p class="excerpt">${error.message}</p>`}
  </li>`;
}

async function stop({ currentTarget }, id, refresh) {
  currentTarget.disabled = true;
  try {
    toast((await api.post(`/operations/${segment(id)}/cancel`)).message);
  } catch (error) {
    toast(`Not stopped: ${error.message}`);
    currentTarget.disabled = false;
  }
  await refresh().catch(() => {});
}
