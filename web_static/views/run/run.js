/** One run: its plan as a list that fills, what each step does and costs, and the answer as it is written. */

import { over, reason, stateOf, watchRun } from "../../components/run/run.js";
import { stopButton } from "../../components/stopping/stopping.js";
import { segment } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { key, selecting } from "../../core/keys.js";
import { alarm, say } from "../../core/live.js";
import { titled } from "../../core/router.js";
import { elapsed } from "../../core/time.js";
import { Answer, Progress, Steps } from "./parts.js";

const LONG = 160;

export async function show({ main, signal, argument: id }) {
  const head = html`<header class="stack"></header>`;
  const progress = new Progress(signal);
  const steps = new Steps();
  const answer = new Answer(signal);
  let renew = async () => {};
  let drawn = "";
  let latest = null;
  const draw = (run, at) => {
    progress.draw((latest = run), at);
    const text = JSON.stringify(run);
    if (text === drawn || selecting(main)) return;
    drawn = text;
    titled(run.goal.slice(0, 80));
    heading(head, run, () => renew());
    steps.draw(run);
    answer.draw(run);
  };
  document.addEventListener("selectionchange", () => latest && !selecting(main) && draw(latest, progress.at), { signal });
  key(".", () => head.querySelector("[data-stop]")?.click() ?? false, signal);
  const watched = await watchRun(id, draw, signal);
  renew = watched.renew;
  put(main, head, progress.element, answer.element, html`<section class="stack"><h2>Steps</h2>${steps.element}</section>`);
  watched.ended.then(
    (run) => run && head.dataset.running && say(`The run has ended: ${run.status}.`),
    (error) => signal.aborted || alarm(error.message),
  );
}

function heading(head, run, renew) {
  const { goal, created_at, finished_at, error, session_id, operation_id, answer_note_id } = run;
  const focused = head.contains(document.activeElement);
  if (!over(run)) head.dataset.running = "yes";
  const long = goal.length > LONG;
  put(
    head,
    html`<h1>${long ? `${goal.slice(0, LONG)}…` : goal}</h1>`,
    long && html`<details><summary>The whole goal</summary><p>${goal}</p></details>`,
    html`<p class="row">${stateOf(run)}${elapsed(created_at, finished_at)}${!over(run) && stopButton(`/agent_runs/${segment(run.id)}`, renew)}
      ${answer_note_id && html`<a class="button" href=${`#/notes/${segment(answer_note_id)}`}>Open as a note</a>`}${session_id && html`<a href=${`#/chat/${segment(session_id)}`}>The chat that began it</a>`}${operation_id && html`<a href=${`#/operations/${segment(operation_id)}`}>The research it is for</a>`}</p>`,
    error && html`<p class="notice bad">${error.message}</p>`,
    reason(run) && html`<p class="notice warn">${reason(run)}</p>`,
  );
  if (focused) head.querySelector("[data-stop], a")?.focus();
}
