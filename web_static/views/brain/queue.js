/** The queue: jobs of the agents, newest first; what failed is tried again, what waits is taken back. */

import { shownValue } from "../../components/calls/calls.js";
import { named } from "../../components/memory/memory.js";
import { status } from "../../components/tags/tags.js";
import { alarm, toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { narrowing, paged } from "../../core/fresh.js";
import { arrangeItems, html, put } from "../../core/html.js";
import { keepingFocus, walkRows } from "../../core/keys.js";
import { count, elapsed, moment } from "../../core/words.js";

const STATES = ["pending", "running", "done", "failed", "cancelled"];
const ICONS = { pending: "waiting", done: "completed" };
const path = ({ id }) => `/brain/jobs/${segment(id)}`;

export async function queue({ place, signal, wanted }) {
  const list = html`<ul class="list jobs"></ul>`;
  const nothing = html`<div class="empty" hidden><p>No jobs here. Write a note, and the brain reads it.</p><p class="meta">For example: “I prefer the early train to Basel.” <a href="#/notes?capture">Write a note</a></p></div>`;
  const asked = () => ["/brain/jobs", { status: wanted.get("status"), kind: wanted.get("agent") }];
  const draw = ({ jobs }) => {
    keepingFocus(list, () => arrangeItems(list, jobs, (job) => row(job, refresh)));
    nothing.hidden = jobs.length > 0;
  };
  const { refresh, more } = paged({ asked, draw, words: "Older jobs", signal });
  walkRows(list, signal);
  const { choice } = narrowing(wanted, "#/brain/queue", refresh, named);
  const { agents } = await api.get("/brain/agents", signal);
  put(place, html`<div class="row">${choice("status", "State", "All states", STATES)}${choice("agent", "Agent", "All agents", agents.map(({ id }) => id))}</div>`, list, nothing, more);
  await refresh();
}

function row(job, refresh) {
  const { id, kind, status: state, attempts, max_attempts, created_at, locked_at, finished_at, error, model } = job;
  return html`<li data-row=${id}>
    <div class="row spread"><p class="title">${named(kind)}</p>${button(job, refresh)}</div>
    <p class="meta row">${status(ICONS[state] ?? state, state)}${state === "running" && elapsed(locked_at)}<span>asked for ${moment(created_at)}</span>${finished_at && html`<span>ended ${moment(finished_at)}</span>`}
      ${waits(job)}${attempts > 0 && html`<span>${attempts} of ${count(max_attempts, "attempt")} failed</span>`}${model && html`<span>${model === "rules" ? "by rule" : model}</span>`}</p>
    ${error && html`<p class=${state === "done" ? "meta" : "problem"}>${error.message}</p>`}
    <details><summary>Input and output</summary><div class="stack">${shownValue(job.input)}${job.output && shownValue(job.output)}<p class="meta">Job <code>${id}</code>${job.parent_job_id && html`, asked for by <code>${job.parent_job_id}</code>`}</p></div></details>
  </li>`;
}

/** What a pending job waits for. */
function waits({ status: state, waiting_on, run_after }) {
  if (state !== "pending") return null;
  if (waiting_on) return html`<span>waits for ${count(waiting_on, "job")} before it</span>`;
  return Date.parse(run_after) > Date.now() && html`<span>due ${moment(run_after)}</span>`;
}

function button(job, refresh) {
  const [verb, words] = { pending: ["cancel", "Cancel"], running: ["cancel", "Cancel"], failed: ["retry", "Retry"], cancelled: ["retry", "Retry"] }[job.status] ?? [];
  return verb && html`<button type="button" class="quiet" data-writes data-act="change" aria-label=${`${words} ${named(job.kind)}`} onclick=${() => change(job, verb, refresh)}>${words}</button>`;
}

/** Retry or cancel; what was cancelled comes back by a retry. */
async function change(job, verb, refresh) {
  try {
    const { changed, message } = await api.post(`${path(job)}/${verb}`);
    toast(message, verb === "cancel" && changed ? { undo: () => change(job, "retry", refresh) } : {});
  } catch (error) {
    alarm(error.message);
    toast(`Not done: ${error.message}`);
  }
  await refresh().catch(() => {});
}
