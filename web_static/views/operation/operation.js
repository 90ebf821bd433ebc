/** One run: where it stands, what it costs, and everything that happened, as it happens. */

import { meter } from "../../components/meter/meter.js";
import { planCard, waits } from "../../components/plan/plan.js";
import { step, told, verb } from "../../components/research/research.js";
import { status } from "../../components/tags/tags.js";
import { alarm, say, sayProgress, stopButton } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { follow, operationEnded } from "../../core/follow.js";
import { html, put } from "../../core/html.js";
import { focusOn, key } from "../../core/keys.js";
import { costOf, RESEARCH_RANGE, toEstimate } from "../../core/prices.js";
import { titled } from "../../core/router.js";
import { clock, count, dollars, elapsed, moment } from "../../core/words.js";

const [LEAST, MOST] = RESEARCH_RANGE;

export async function show({ main, signal, argument: id }) {
  const path = `/operations/${segment(id)}`;
  const head = html`<header class="stack"></header>`;
  const facts = html`<section class="stack"></section>`;
  const connection = html`<p class="meta" hidden>The connection broke; trying again…</p>`;
  const log = html`<ol class="events"></ol>`;
  const progress = new Progress(signal);
  const plan = html`<div></div>`;
  let latest = null;
  const renew = async () => {
    const { operation } = await api.get(path, signal);
    draw(head, facts, operation, renew);
    if (!waits(operation)) put(plan, operation.plan?.approved_at && approved(operation.plan));
    else if (Number(plan.firstElementChild?.dataset.revision) !== operation.plan.revision) put(plan, planCard(operation, { name: "The plan", done: decided, signal }));
    plan.hidden = !plan.firstElementChild;
    progress.element.hidden = operation.status !== "running" || Boolean(operation.document_id);
    return (latest = operation);
  };
  const decided = async () => {
    await renew().catch(() => {});
    focusOn(plan.querySelector("h2") ?? head.querySelector("h1"));
  };
  const first = await renew();
  put(main, head, plan, progress.element, facts, html`<section class="stack"><h2>What happened</h2>${connection}<div role="log" aria-live="off" aria-label="What happened">${log}</div></section>`);
  const stop = () => head.querySelector("[data-stop]")?.click();
  key(".", stop, signal);
  const take = ({ data }) => {
    log.append(line(data, first.created_at));
    progress.take(data);
    if (data.type.startsWith("plan_") && data.seq > first.seq) renew().catch(() => {});
  };
  follow(`${path}/events`, {
    take,
    signal,
    ended: operationEnded,
    closed: async () => over((await api.get(path, signal)).operation),
    state: (state) => (connection.hidden = state !== "lost"),
  })
    .then(() => (signal.aborted || over(latest) ? null : renew()))
    .then((last) => last && say(`${last.document_id ? "The reading" : "The research"} is ${last.status}.`))
    .catch((error) => signal.aborted || alarm(error.message));
}

const over = ({ status: state }) => ["completed", "failed", "cancelled"].includes(state);

function draw(head, facts, operation, renew) {
  const { title, status: state, created_at, finished_at, error, source_note_id, document_id, result_note_id, usage, asked_by, interaction_id, plan } = operation;
  const running = state === "running";
  titled(title || "Research run");
  const stop = running && stopButton(`/operations/${segment(operation.id)}`, renew);
  const run = /^[\w-]+\.(.+)$/.exec(interaction_id ?? "")?.[1]; // research by an agent run is named by workspace and run
  const report = result_note_id && html`<a class="button" href=${`#/notes/${segment(result_note_id)}`}>Open the report</a>`;
  put(
    head,
    html`<h1>${title || "Research run"}</h1>`,
    html`<p class="row">${status(state)}${elapsed(created_at, finished_at)}${stop}${report}${run && html`<a href=${`#/runs/${segment(run)}`}>Its steps</a>`}</p>`,
    error && html`<p class=${`notice ${error.code === "spending_paused" ? "warn" : "bad"}`}>${error.message}</p>`,
  );
  put(
    facts,
    html`<dl class="facts meta">
      ${document_id ? html`<dt>Document</dt><dd><a href=${`#/documents/${segment(document_id)}`}>${title}</a></dd>` : html`<dt>Note</dt><dd><a href=${`#/notes/${segment(source_note_id)}`}>${title || "the note it is about"}</a></dd>`}
      <dt>Begun</dt><dd>${moment(created_at)}, ${asked_by === "tag" ? "by the tag research" : "by hand"}</dd>
      ${!document_id && html`<dt>Estimate</dt><dd>${plan ? `${dollars(plan.estimate_low_usd)} to ${dollars(plan.estimate_high_usd)}, said with its plan` : `$${LEAST} to $${MOST}, said before it began`}</dd><dt>Cost</dt><dd>${cost(usage, running)}</dd><dt>Used</dt><dd>${used(usage)}</dd>`}
    </dl>`,
  );
}

/** What was approved, and so was looked into. */
const approved = ({ text, approved_at, approved_by }) => html`<details><summary>The plan, as ${approved_by} approved it ${moment(approved_at)}</summary><div class="text">${text}</div></details>`;

/** What it cost, next to what was said before. */
function cost(usage, running) {
  const usd = costOf(usage);
  if (usd === 0) return running ? "known at its end" : "nothing was counted";
  if (running) return `${dollars(usd)} at list price so far`;
  const words = `${dollars(usd)} at list price, ${toEstimate(usd)} the estimate`;
  return [words, meter([[usd / MOST, usd > MOST ? "full" : "used"]], `${dollars(usd)} of $${MOST} at most`)];
}

function used({ input_tokens, output_tokens, thought_tokens = 0, searches }) {
  if (!output_tokens && !searches) return "nothing counted yet";
  return `${count(input_tokens, "token")} in, ${count(output_tokens + thought_tokens, "token")} out, ${count(searches, "search", "searches")}`;
}

/** An event as a line of the log. */
function line(event, began) {
  return html`<li>${elapsed(began, event.at)}<span class="what">${verb(event)}</span><span class="words">${told(event)}</span></li>`;
}

const QUIET_MILLISECONDS = 60_000;
const STAGES = [
  ["created", "Asked for"],
  ["interaction_started", "Begun at the service"],
  ["search", "Searching and reading"],
  ["writing", "Writing"],
  ["completed", "Report written"],
];

/** Where a run stands: what it does, how much it has found, how long ago it said something. No percentage is invented. */
class Progress {
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
