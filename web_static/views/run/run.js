/** One run: its plan as a list that fills, what each step does and costs, and the answer as it is written. */

import { output, shownValue, verbOf } from "../../components/calls/calls.js";
import { fill, reading, sources as listed, textOnly } from "../../components/markdown/markdown.js";
import { meter } from "../../components/meter/meter.js";
import { isPlot, plot } from "../../components/plot/plot.js";
import { mark, over, planned, reason, stateOf, tokens, watchRun } from "../../components/run/run.js";
import { alarm, say, sayProgress, stopButton } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { arrangeItems, html, put } from "../../core/html.js";
import { key, selecting } from "../../core/keys.js";
import { titled } from "../../core/router.js";
import { clock, count, dollars, elapsed } from "../../core/words.js";

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

const QUIET_MILLISECONDS = 60_000;
const NEAR = 0.8;

class Progress {
  constructor(signal) {
    this.element = html`<section class="card stack run-progress" aria-label="Progress"></section>`;
    const timer = setInterval(() => document.hidden || this.age(), 1000);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  draw(run, at) {
    this.at = over(run) ? null : at;
    const text = JSON.stringify([run.status, run.plan, run.steps.map(({ status }) => status), run.cost_usd, run.tool_calls]);
    if (text !== this.drawn) this.whole(run);
    this.drawn = text;
    this.age();
  }

  whole(run) {
    const steps = planned(run);
    const done = steps.filter(([, { status }]) => status !== "pending" && status !== "running").length;
    const now = steps.filter(([, { status }]) => status === "running").map(([{ title }]) => title);
    const sources = new Set(run.steps.flatMap((step) => step.sources.map(({ source }) => source.url ?? source.note_id ?? `${source.document_id}/${source.page}`)));
    if (now.length && !over(run)) sayProgress(`${done} of ${steps.length} done. Now: ${now.join(", ")}.`);
    put(
      this.element,
      html`<h2>${steps.length ? `${done} of ${steps.length}` : over(run) ? "No plan" : "Making a plan…"}</h2>`,
      html`<ol class="plan">${steps.map((one) => row(one, steps))}</ol>`,
      cost(run),
      html`<p class="meta row"><span>${count(sources.size, "source")} found</span><span>${count(run.tool_calls, "tool call")}</span>
        <span>${count(run.total_tokens_in, "token")} in, ${count(run.total_tokens_out, "token")} out</span>${run.model_name && html`<span>${run.model_name}</span>`}<span class="age"></span></p>`,
    );
  }

  age() {
    const place = this.element.querySelector(".age");
    if (!place) return;
    const silent = this.at ? Date.now() - this.at : 0;
    place.textContent = this.at ? (silent > QUIET_MILLISECONDS ? `quiet for ${clock(silent)}` : `last event ${clock(silent)} ago`) : "";
    place.classList.toggle("quiet", silent > QUIET_MILLISECONDS);
  }
}

function row([{ title, depends_on }, step], all) {
  const before = depends_on.map((id) => all.findIndex(([{ step_id }]) => step_id === id) + 1).filter(Boolean);
  return html`<li class=${step.status}>${mark(step)}<span>${title}${step.status === "pending" && before.length > 0 && html`<span class="after"> after ${before.join(" and ")}</span>`}</span>
    ${step.started_at && html`<span class="meta">${elapsed(step.started_at, step.finished_at)}</span>`}</li>`;
}

/** What it costs of what it may; said where it comes near. */
function cost({ cost_usd, ledger: { limits } }) {
  const part = limits.usd ? cost_usd / limits.usd : 0;
  const words = `${dollars(cost_usd)} of ${dollars(limits.usd)} at most`;
  return html`<div class="cap"><p class="row"><span>Cost</span><span class="meta">${words}, at list price${part >= 1 ? "; it stops here" : part >= NEAR ? "; near the cap" : ""}</span></p>
    ${meter([[part, part >= 1 ? "full" : part >= NEAR ? "near" : "used"]], words)}</div>`;
}

/* The steps of a run with what happened in them, as deep as it goes; what was opened stays open. */

const DEEPEST = 4;

class Steps {
  constructor() {
    this.opened = new Map();
    this.element = html`<ol class="steps"></ol>`;
  }

  draw({ steps }) {
    const focused = document.activeElement?.closest?.("[data-step]")?.dataset.step;
    arrangeItems(this.element, steps, (step) => this.node(step, 1, []));
    if (focused && !this.element.contains(document.activeElement)) this.element.querySelector(`[data-step="${CSS.escape(focused)}"] summary`)?.focus({ preventScroll: true });
  }

  node(step, level, trail) {
    const { id, status, error, attempt, summary_html, sources = [], steps = [], started_at, finished_at } = step;
    const call = step.kind === "tool_call";
    const open = this.opened.get(id) ?? (status === "failed" || (status === "running" && !call));
    const deep = level > DEEPEST;
    const path = [...trail, step.title];
    const facts = [attempt > 1 && `attempt ${attempt}`, !call && step.tokens_in > 0 && tokens(step), step.cost_usd > 0 && dollars(step.cost_usd), steps.length > 0 && count(steps.length, "call")];
    const details = html`<details open=${open}>
      <summary onclick=${() => this.opened.set(id, !details.open)}><span class="name">${mark(step)} ${nameOf(step)}</span>
        <span class="meta row">${facts.filter(Boolean).map((fact) => html`<span>${fact}</span>`)}${started_at && elapsed(started_at, finished_at)}</span></summary>
      <div class=${`inside stack ${deep ? "deep" : ""}`}>
        ${deep && html`<p class="meta">${path.join(" › ")}</p>`}
        ${error && html`<p class="problem">${error.message}</p>`}
        ${summary_html && reading(summary_html, numbered(sources))}
        ${call && input(step)}
        ${steps.length > 0 && html`<ol class="steps">${steps.map((one) => this.node(one, level + 1, path))}</ol>`}
      </div>
    </details>`;
    return html`<li data-step=${id}>${details}</li>`;
  }
}

function nameOf({ kind, title, tool_name, tool_input }) {
  if (kind !== "tool_call") return title;
  const words = Object.values(tool_input ?? {}).find((value) => typeof value === "string") ?? "";
  return html`<strong>${verbOf(tool_name)}</strong> ${words.length > 120 ? `${words.slice(0, 120)}…` : words}`;
}

const input = ({ tool_input, tool_output }) => [
  html`<p class="meta">Input</p>`,
  shownValue(tool_input ?? {}),
  tool_output && output(tool_output),
];

/* The answer of a run: as it is written, and then the note that it became. */

/** Sources of steps as citations: an answer in the making names them by step and number. */
const numbered = (sources) => sources.map(({ id, source }) => ({ ...source, n: id, quote: source.passage, resolved: true }));

class Answer {
  constructor(signal) {
    this.signal = signal;
    this.text = html`<div class="reading"></div>`;
    this.plots = html`<div class="stack"></div>`;
    this.sources = html`<div></div>`;
    this.element = html`<section class="stack" hidden><h2>Answer</h2>${this.text}${this.plots}${this.sources}</section>`;
  }

  draw(run) {
    const { answer_html, answer_note_id, steps } = run;
    this.plotted(steps);
    if (over(run) && answer_note_id) return this.note(answer_note_id);
    if (answer_html) this.element.hidden = false;
    if (!answer_html || answer_html === this.shown || selecting(this.text)) return;
    this.shown = answer_html;
    fill(this.text, answer_html, numbered(steps.flatMap((step) => step.sources)));
  }

  /** What steps have drawn stands below the answer. */
  plotted(steps) {
    const found = steps.flatMap(({ steps: calls }) => calls.map(({ tool_output }) => tool_output)).filter(isPlot);
    if (found.length === this.plots.children.length) return;
    put(this.plots, found.map(plot));
    this.element.hidden = false;
  }

  async note(id) {
    if (this.noted === id) return;
    this.noted = id;
    try {
      const { note, html: markup } = await api.get(`/notes/${segment(id)}`, this.signal);
      fill(this.text, markup, note.citations);
      if (note.citations.length) textOnly(this.text);
      put(this.sources, listed(note));
    } catch (error) {
      if (error.name === "AbortError") return;
      put(this.text, html`<p class="meta">${error.status === 404 ? "The answer was deleted." : error.message}</p>`);
    }
    this.element.hidden = false;
  }
}
