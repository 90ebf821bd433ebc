/** Runs and their steps: in words, followed as they go on, and as a card. */

import { status } from "../tags/tags.js";
import { stopButton } from "../toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { follow } from "../../core/follow.js";
import { html, put } from "../../core/html.js";
import { count, dollars, elapsed } from "../../core/words.js";

const STATES = {
  queued: ["running", "Queued"],
  planning: ["running", "Planning"],
  running: ["running", "Working"],
  synthesising: ["running", "Writing the answer"],
  succeeded: ["completed", "Answered"],
  failed: ["failed", "Failed"],
  cancelled: ["cancelled", "Stopped"],
};
const ICONS = { pending: "○", running: "●", succeeded: "✓", failed: "✕", cancelled: "–", skipped: "–" };
const STEPS = { pending: "waiting", running: "running", succeeded: "done", failed: "failed", cancelled: "stopped", skipped: "left out" };
const REASONS = {
  steps: "No more steps were begun: there were as many as one run may have.",
  tokens: "It stopped at the tokens that one run may use; what was found until then is in the answer.",
  calls: "It stopped at the tool calls that one run may make; what was found until then is in the answer.",
  usd: "It stopped at what one run may cost; what was found until then is in the answer.",
  time: "It stopped when its time was up; what was found until then is in the answer.",
  cancelled: "It was stopped; what was found until then is kept.",
};

export const stateOf = ({ status: name }) => status(...(STATES[name] ?? ["running", name]));

/** The state of a step as icon and word, the word for who cannot see the icon. */
export const mark = ({ status: name }) => html`<span class=${`mark ${name}`}><span aria-hidden="true">${ICONS[name] ?? "?"}</span><span class="unseen">${STEPS[name] ?? name}: </span></span>`;

/** Why no more was done, where that is not what was wanted. */
export const reason = ({ stop_reason }) => REASONS[stop_reason] ?? "";

/** The steps of the plan with how they stand: [planned, step]. */
export function planned({ plan, steps = [] }) {
  const known = new Map(steps.map((step) => [step.id, step]));
  return plan.map((one) => [one, known.get(one.step_id) ?? { status: "pending" }]);
}

export const tokens = ({ tokens_in, tokens_out }) => count(tokens_in + tokens_out, "token");

/* Following a run: the server's own view of it is asked for whenever its stream says that something happened. */

const SOON_MILLISECONDS = 200;
const TEXT_MILLISECONDS = 800;
const BEAT_MILLISECONDS = 3000;

export const over = ({ status }) => ["succeeded", "failed", "cancelled"].includes(status);

/**
 * Calls `draw(run, at)` with a run as it is, now and whenever it changes; `at` is when it last said something. Resolves
 * with the run once it has ended. `renew()` of the answer asks at once. Rejects when there is no such run.
 */
export async function watchRun(id, draw, signal) {
  const path = `/agent_runs/${segment(id)}`;
  let [at, timer, asked] = [null, null, 0];
  const load = async () => {
    const mine = (asked += 1);
    const { run } = await api.get(`${path}?html=1`, signal);
    if (mine === asked) draw(run, at);
    return run;
  };
  const quietly = () => load().catch(() => {});
  const soon = (milliseconds) => (timer ??= setTimeout(() => ((timer = null), quietly()), milliseconds));
  const first = await load();
  if (over(first)) return { renew: load, ended: Promise.resolve(first) };
  const take = ({ data }) => {
    at = Date.parse(data.at);
    soon(data.type === "answer_text" ? TEXT_MILLISECONDS : SOON_MILLISECONDS);
  };
  const beat = setInterval(() => document.hidden || quietly(), BEAT_MILLISECONDS);
  signal.addEventListener("abort", () => clearInterval(beat), { once: true });
  const ended = follow(`${path}/events`, {
    cursor: Math.max(0, first.seq - 1),
    take,
    signal,
    ended: ({ data }) => data.type === "run_completed",
    closed: async () => over(await load()),
  }).then(() => (clearInterval(beat), signal.aborted ? null : load()));
  ended.catch(() => clearInterval(beat));
  return { renew: load, ended };
}

/* A run in a few lines, as it goes on: for the chat that started it. */

/** The card of a run, kept up to date until it has ended or `signal` is aborted. */
export function runCard(id, signal) {
  const element = html`<section class="card stack run-card" aria-label="Run" data-run=${id}><p class="meta">Asking for the run…</p></section>`;
  let renew = async () => {};
  const draw = (run) => {
    const steps = planned(run);
    const done = steps.filter(([, { status }]) => status !== "pending" && status !== "running").length;
    const focused = element.contains(document.activeElement) && document.activeElement.matches("[data-stop]");
    put(
      element,
      html`<p class="row spread">${stateOf(run)}<span class="meta row">${steps.length > 0 && html`<span>${done} of ${steps.length}</span>`}${elapsed(run.created_at, run.finished_at)}<span>${dollars(run.cost_usd)}</span></span></p>`,
      steps.length > 0 && html`<ol class="plan">${steps.map(([{ title }, step]) => html`<li class=${step.status}>${mark(step)} ${title}</li>`)}</ol>`,
      run.error && html`<p class="problem">${run.error.message}</p>`,
      html`<p class="row"><a href=${`#/runs/${segment(id)}`}>${over(run) ? "How it went" : "Watch it"}</a>${!over(run) && stopButton(`/agent_runs/${segment(id)}`, () => renew())}</p>`,
    );
    if (focused) element.querySelector("[data-stop], a")?.focus();
  };
  watchRun(id, draw, signal).then(
    (watched) => (renew = watched.renew),
    (error) => error.name === "AbortError" || put(element, html`<p class="meta">${error.status === 404 ? "This run is not there any more." : error.message}</p>`),
  );
  return element;
}
