/** The steps of a run with what happened in them, as deep as it goes; what was opened stays open. */

import { output, shownValue, verbOf } from "../../components/calls/calls.js";
import { reading } from "../../components/markdown/markdown.js";
import { mark, tokens } from "../../components/run/words.js";
import { arrangeItems, html } from "../../core/html.js";
import { elapsed } from "../../core/time.js";
import { count, dollars } from "../../core/words.js";
import { numbered } from "./answer.js";

const DEEPEST = 4;

export class Steps {
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
