/** A run in a few lines, as it goes on: for the chat that started it. */

import { segment } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { elapsed } from "../../core/time.js";
import { dollars } from "../../core/words.js";
import { stopButton } from "./stopping.js";
import { over, watchRun } from "./watching.js";
import { mark, planned, stateOf } from "./words.js";

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
      html`<p class="row"><a href=${`#/runs/${segment(id)}`}>${over(run) ? "How it went" : "Watch it"}</a>${!over(run) && stopButton(run, () => renew())}</p>`,
    );
    if (focused) element.querySelector("[data-stop], a")?.focus();
  };
  watchRun(id, draw, signal).then(
    (watched) => (renew = watched.renew),
    (error) => error.name === "AbortError" || put(element, html`<p class="meta">${error.status === 404 ? "This run is not there any more." : error.message}</p>`),
  );
  return element;
}
