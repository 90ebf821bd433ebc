/** Where a run stands: what it does, how much it has found, how long ago it said something. No percentage is invented. */

import { step } from "../../components/research/research.js";
import { html, put } from "../../core/html.js";
import { sayProgress } from "../../core/live.js";
import { clock } from "../../core/time.js";
import { count } from "../../core/words.js";

const QUIET_MILLISECONDS = 60_000;
const STAGES = [
  ["created", "Asked for"],
  ["interaction_started", "Begun at the service"],
  ["search", "Searching and reading"],
  ["writing", "Writing"],
  ["completed", "Report written"],
];

export class Progress {
  constructor(signal) {
    this.element = html`<section class="card stack progress" aria-label="Progress"></section>`;
    Object.assign(this, { counts: {}, sources: new Set(), now: "", last: null });
    const timer = setInterval(() => document.hidden || this.age(), 1000);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  take(event) {
    this.counts[event.type] = (this.counts[event.type] ?? 0) + 1;
    for (const url of event.data.urls ?? []) this.sources.add(url);
    this.last = Date.parse(event.at);
    const words = step(event);
    if (words) {
      this.now = words;
      sayProgress(words);
    }
    this.draw();
  }

  draw() {
    const { search = 0, thought = 0 } = this.counts;
    const reached = STAGES.findLastIndex(([type]) => this.counts[type] || (type === "search" && this.counts.reading));
    const done = this.counts.completed ? STAGES.length : Math.max(reached, 0);
    const row = ([, name], n) => html`<li class=${n < done ? "done" : n === done ? "now" : "open"}>
      <span aria-hidden="true">${n < done ? "✓" : n === done ? "●" : "○"}</span> ${name}${n === done && html`<span class="unseen"> (now)</span>`}
    </li>`;
    put(
      this.element,
      html`<h2>${`${done} of ${STAGES.length}`}</h2>`,
      html`<ol class="stages">${STAGES.map(row)}</ol>`,
      this.now && html`<p>${this.now}</p>`,
      html`<p class="meta row">
        <span>${count(search, "search", "searches")}</span><span>${count(this.sources.size, "source")} found</span>
        <span>${count(thought, "thought")}</span><span class="age"></span>
      </p>`,
    );
    this.age();
  }

  age() {
    const place = this.element.querySelector(".age");
    if (!place || this.last === null) return;
    const silent = Date.now() - this.last;
    place.textContent = silent > QUIET_MILLISECONDS ? `quiet for ${clock(silent)}` : `last event ${clock(silent)} ago`;
    place.classList.toggle("quiet", silent > QUIET_MILLISECONDS);
  }
}
