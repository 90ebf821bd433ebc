/** Tool calls: a line each, that opens to what went in and came out; consecutive ones are a group. */

import { output, shownValue, verbOf } from "../../components/calls/calls.js";
import { status } from "../../components/tags/tags.js";
import { html, put } from "../../core/html.js";
import { sayProgress } from "../../core/live.js";
import { elapsed } from "../../core/time.js";
import { count } from "../../core/words.js";

const OPEN_MILLISECONDS = 1000;
const FOLDED = 3;

/** Consecutive calls. It folds when its turn is over, unless one failed or its reader has opened something. */
export class Calls {
  constructor() {
    this.lines = new Map();
    this.summary = html`<summary hidden></summary>`;
    this.list = html`<ol></ol>`;
    this.element = html`<details class="calls" open>${this.summary}${this.list}</details>`;
    this.element.addEventListener("click", ({ target }) => target.closest("summary") && (this.touched = true));
  }

  call({ data, at }) {
    const line = new Line(data, at);
    this.lines.set(data.call_id, line);
    this.list.append(line.element);
    this.summary.textContent = count(this.lines.size, "step");
    sayProgress(`${line.verb} ${line.object}`);
  }

  result({ data }) {
    this.lines.get(data.call_id)?.result(data);
  }

  over() {
    const lines = [...this.lines.values()];
    lines.filter(({ state }) => state === "running").forEach((line) => line.settle("cancelled", "not finished"));
    this.summary.hidden = lines.length <= FOLDED;
    if (!this.touched && lines.length > FOLDED) this.element.open = lines.some(({ state }) => state !== "completed");
  }
}

class Line {
  constructor({ tool, arguments: given }, at) {
    this.verb = verbOf(tool);
    this.object = objectOf(given);
    this.at = at;
    this.output = html`<div></div>`;
    this.end = html`<span class="meta row"></span>`;
    this.element = html`<li><details class="call">
      <summary onclick=${() => (this.touched = true)}><span class="what"><strong>${this.verb}</strong> ${this.object}</span>${this.end}</summary>
      <div class="stack"><p class="meta">Input</p>${shownValue(given)}${this.output}</div>
    </details></li>`;
    this.settle("running", "running");
    this.timer = setTimeout(() => this.open(true), OPEN_MILLISECONDS);
  }

  open(open) {
    if (!this.touched) this.element.firstElementChild.open = open;
  }

  settle(state, word, seconds = null) {
    clearTimeout(this.timer);
    this.state = state;
    put(this.end, status(state, word), seconds === null ? state === "running" && elapsed(this.at) : html`<span>${seconds < 0.95 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`}</span>`);
  }

  result({ ok, result, seconds }) {
    this.settle(ok ? "completed" : "failed", ok ? "done" : "failed", seconds);
    put(this.output, output(result));
    this.open(!ok);
  }
}

/** What a call is about: its query, title, or whatever words it was given first. */
function objectOf(given) {
  const title = given.query ?? given.title ?? given.tasks?.map((task) => task.title).join(", ") ?? given.changes?.title;
  const text = title ?? Object.values(given).find((value) => typeof value === "string") ?? "";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
