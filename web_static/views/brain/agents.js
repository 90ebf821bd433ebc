/** The agents: what each is for, how its jobs fare, and what it works with. */

import { named, percent } from "../../components/memory/words.js";
import { status } from "../../components/tags/tags.js";
import { api, segment } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { keepingFocus, walkRows } from "../../core/rows.js";
import { moment } from "../../core/time.js";
import { count } from "../../core/words.js";

const SECONDS = 10;

export async function agentRows({ place, signal }) {
  const list = html`<ul class="list agents"></ul>`;
  const together = html`<p class="meta row"></p>`;
  const draw = ({ agents, jobs }) => {
    put(together, html`<span>Jobs:</span>`, Object.entries(jobs).map(([name, n]) => html`<a href=${`#/brain/queue?status=${name}`}>${n.toLocaleString()} ${name}</a>`));
    keepingFocus(list, () => put(list, agents.length ? agents.map(row) : html`<li class="empty"><p>No agents here. The brain of this Memex is not set up.</p></li>`));
  };
  walkRows(list, signal);
  put(place, together, list);
  await keepFresh(() => api.get("/brain/agents", signal), draw, signal, SECONDS)();
}

function row(agent) {
  const { id, description, last_run_at, success_rate, refusal_rate, pending, failed } = agent;
  const some = (n, words) => n > 0 && html`<span>${count(n, words, words)}</span>`;
  return html`<li data-row=${id}>
    <a class="title" href=${`#/brain/queue?agent=${segment(id)}`}>${named(id)}</a>
    <p>${description}</p>
    <p class="meta row">${health(agent)}<span>${worker(agent)}</span>${last_run_at && html`<span>last ${moment(last_run_at)}</span>`}${some(pending, "pending")}${some(failed, "failed")}
      ${success_rate !== null && html`<span>${percent(success_rate)} done well</span>`}${refusal_rate !== null && html`<span>refuses ${percent(refusal_rate)}</span>`}</p>
  </li>`;
}

function health({ running, last_run_at, success_rate }) {
  if (running) return status("running", running > 1 ? `${running} running` : "running");
  if (!last_run_at) return html`<span>not run yet</span>`;
  return success_rate !== null && success_rate < 0.5 ? status("failed", "mostly failing") : status("completed", "well");
}

/** Which model works for it, or that none does. */
export function worker({ model, model_class }) {
  if (model && model !== "rules") return model;
  if (model_class === "none") return "by rule, needs no model";
  return model ? "by rule" : `model for ${model_class}`;
}
