/** Where a run stands: n of m, what is worked on now, what was found, what it costs of what it may. */

import { meter } from "../../components/meter/meter.js";
import { over } from "../../components/run/watching.js";
import { mark, planned } from "../../components/run/words.js";
import { html, put } from "../../core/html.js";
import { sayProgress } from "../../core/live.js";
import { clock, elapsed } from "../../core/time.js";
import { count, dollars } from "../../core/words.js";

const QUIET_MILLISECONDS = 60_000;
const NEAR = 0.8;

export class Progress {
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
