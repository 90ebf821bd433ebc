/** Agent runs: giving one a goal, and all of them, newest first. */

import { warning } from "../../components/meter/meter.js";
import { over, stateOf } from "../../components/run/run.js";
import { stopButton } from "../../components/toasts/toasts.js";
import { api, segment, ulid } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { narrowing, paged } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { committing, keepingFocus, walkRows } from "../../core/keys.js";
import { go } from "../../core/router.js";
import { count, dollars, elapsed, moment } from "../../core/words.js";

const STATES = ["queued", "planning", "running", "synthesising", "succeeded", "failed", "cancelled"];

export async function show({ main, signal, wanted }) {
  const list = html`<ul class="list"></ul>`;
  const nothing = html`<div class="empty" hidden><p>No runs here. Give one a goal above: it is split into steps that are worked on side by side.</p><p class="meta">For example: “Go through the contracts, and list every deadline in the fourth quarter.”</p></div>`;
  const costs = html`<p class="meta"></p>`;
  const asked = () => ["/agent_runs", { status: wanted.get("status") }];
  const draw = ({ runs }) => {
    keepingFocus(list, () => put(list, runs.map((run) => row(run, refresh))));
    nothing.hidden = runs.length > 0;
    costs.textContent = range(runs);
  };
  const { refresh, more } = paged({ asked, draw, words: "Older runs", signal, seconds: 5 });
  walkRows(list, signal);
  put(
    main,
    html`<div class="row spread"><h1>Runs</h1>${narrowing(wanted, "#/runs", refresh).choice("status", "State", "All", STATES)}</div>`,
    warning(signal),
    beginning(costs, signal),
    list,
    nothing,
    more,
  );
  await refresh();
}

/** What runs cost so far, and what one may at most. */
function range(runs) {
  const spent = runs.filter(over).map(({ cost_usd }) => cost_usd);
  const cap = runs[0]?.ledger.limits.usd;
  if (!cap) return "It takes minutes and costs money.";
  const so = spent.length ? `Runs so far cost ${[...new Set([Math.min(...spent), Math.max(...spent)].map(dollars))].join(" to ")}; ` : "";
  return `${so}${so ? "one" : "One"} stops at ${dollars(cap)}.`;
}

function beginning(costs, signal) {
  const goal = html`<textarea name="goal" rows="2" aria-label="Goal" placeholder="What is to be found out, compared or put together?" maxlength="8000" required></textarea>`;
  const problem = html`<p class="problem" role="alert"></p>`;
  const button = html`<button class="primary">Start</button>`;
  const kept = draft({ surface: "run", read: () => ({ goal: goal.value }), signal });
  goal.value = kept.stored?.value.goal ?? "";
  let name = ulid();
  const submit = async (event) => {
    event.preventDefault();
    if (!goal.value.trim()) return goal.focus();
    button.disabled = true;
    problem.textContent = "";
    try {
      const { run } = await api.post("/agent_runs", { goal: goal.value }, { key: name });
      name = ulid();
      kept.clear();
      go(`#/runs/${segment(run.id)}`);
    } catch (error) {
      if (error.status === 422) name = ulid(); // the goal was changed after a try whose answer was lost
      problem.textContent = `Not started: ${error.message}`;
      button.disabled = false;
    }
  };
  const form = html`<form class="card stack begin" data-writes onsubmit=${submit} oninput=${kept.touch}>${goal}${problem}<div class="foot">${costs}${button}</div></form>`;
  return committing(form);
}

function row(run, refresh) {
  const { id, goal, created_at, finished_at, cost_usd, error, answer_note_id, plan } = run;
  return html`<li data-row=${id}>
    <a class="title" href=${`#/runs/${segment(id)}`}>${goal.length > 200 ? `${goal.slice(0, 200)}…` : goal}</a>
    <p class="meta row">${stateOf(run)}${elapsed(created_at, finished_at)}${moment(created_at)}<span>${dollars(cost_usd)}</span>${plan.length > 0 && html`<span>${count(plan.length, "step")}</span>`}
      ${answer_note_id && html`<a href=${`#/notes/${segment(answer_note_id)}`}>${error ? "What there was" : "Answer"}</a>`}${!over(run) && stopButton(`/agent_runs/${segment(id)}`, refresh)}</p>
    ${error && html`<p class="excerpt">${error.message}</p>`}
  </li>`;
}
