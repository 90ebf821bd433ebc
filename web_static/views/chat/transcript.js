/** The conversation, drawn from the events of its session: each once, in order, wherever it came from. */

import { isPlot, plot } from "../../components/plot/plot.js";
import { runCard } from "../../components/run/card.js";
import { status } from "../../components/tags/tags.js";
import { toast } from "../../components/toasts/toasts.js";
import { fill } from "../../components/markdown/markdown.js";
import { api, segment } from "../../core/api.js";
import { copy } from "../../core/copy.js";
import { html, put } from "../../core/html.js";
import { say } from "../../core/live.js";
import { rendered } from "../../core/trusted.js";
import { costOf } from "../../core/prices.js";
import { elapsed } from "../../core/time.js";
import { count, dollars } from "../../core/words.js";
import { sources, textOnly } from "../note/sources.js";
import { Calls } from "./calls.js";
import { citing } from "./cites.js";
import { Writing } from "./writing.js";

const ENDS = { completed: ["completed", "Answered"], cancelled: ["cancelled", "Stopped"], failed: ["failed", "Failed"] };
const EMULATED = /\(Emulated model of the local cloud/;

export class Transcript {
  /** `retry(text)` asks again. */
  constructor(retry) {
    this.retry = retry;
    this.element = html`<div class="turns"></div>`;
    this.clear();
  }

  clear() {
    this.stopped?.abort();
    this.stopped = new AbortController();
    Object.assign(this, { seq: 0, first: 0, turn: null, calls: null, writing: null });
    put(this.element);
  }

  /** Draw an event; false for one that is here. */
  take(event) {
    if (event.seq <= this.seq) return false;
    this.first ||= event.seq;
    this.seq = event.seq;
    if (!event.type.startsWith("tool_") && event.type !== "run_answer") this.calls = null;
    TAKE[event.type]?.call(this, event);
    return true;
  }

  begin(text, markup, at) {
    const question = html`<div class="question reading">${markup === undefined ? text : rendered(markup)}</div>`;
    const element = this.element.querySelector(".unsent") ?? html`<section></section>`;
    element.className = "turn";
    put(element, html`<h2 class="unseen">You asked</h2>`, question);
    if (!element.isConnected) this.element.append(element);
    this.turn = { text, at, said: [], groups: [], element };
  }

  /** A question that the server does not have yet; `problem` is why, with what can be done about it. */
  unsent(text, problem = []) {
    this.begin(text);
    this.turn.element.classList.add("unsent");
    this.add(html`<div class="row">${problem}</div>`);
    return this.turn.element;
  }

  add(element) {
    (this.turn?.element ?? this.element).append(element);
    return element;
  }

  /** A piece of an answer, a finished block of it, or all of it so far. */
  delta({ iteration, text }) {
    this.written(iteration).add(text);
  }

  block({ iteration, html: markup, tail }) {
    this.written(iteration).freeze(markup, tail);
  }

  draft({ iteration, text, html: markup }) {
    const writing = this.written(iteration);
    if (markup) writing.whole(markup);
    else Object.assign(writing, { text }).flush();
  }

  written(iteration) {
    if (this.writing?.iteration !== iteration) {
      this.void();
      this.writing = new Writing(iteration);
      this.add(this.writing.element);
    }
    return this.writing;
  }

  /** What was being written is not what will be said. */
  void() {
    this.writing?.element.remove();
    this.writing = null;
  }
}

const TAKE = {
  user_message({ data, at }) {
    this.void();
    this.begin(data.text, data.html, at);
  },
  model_thought({ data }) {
    this.add(html`<details class="thought"><summary>Thought</summary><p>${data.text}</p></details>`);
  },
  tool_call(event) {
    if (!this.calls) this.add((this.calls = new Calls()).element) && this.turn?.groups.push(this.calls);
    this.calls.call(event);
  },
  tool_result(event) {
    this.calls?.result(event);
    const { tool, ok, result } = event.data;
    if (ok && isPlot(result)) this.add(plot(result));
    if (tool === "start_run" && ok && result.run_id) this.add(runCard(result.run_id, this.stopped.signal));
  },
  /** A run has ended, perhaps while something else is being answered: it stands by itself. */
  run_answer({ data }) {
    const answer = html`<div class="reading answer">${data.html === undefined ? data.text : rendered(data.html)}</div>`;
    const links = [data.note_id && html`<a href=${`#/notes/${segment(data.note_id)}`}>As a note</a>`, html`<a href=${`#/runs/${segment(data.run_id)}`}>How it went</a>`];
    const word = { succeeded: ["completed", "Run answered"], failed: ["failed", "Run failed"], cancelled: ["cancelled", "Run stopped"] }[data.status];
    this.element.append(html`<section class="turn ran"><h2>${data.title}</h2>${answer}<p class="meta row end">${status(...word)}${links}</p></section>`);
    if (data.note_id && data.status === "succeeded") withCitations(answer, data.note_id);
    else citing(answer);
    say(`${word[1]}: ${data.title}`);
  },
  model_text({ data }) {
    const writing = this.written(data.iteration);
    if (data.html === undefined) this.draft(data);
    else writing.whole(data.html);
    writing.tail.remove();
    citing(writing.element);
    this.writing = null;
    this.turn?.said.push(data.text);
  },
  model_error({ data }) {
    this.void();
    if (!data.again) return; // the end says it
    this.add(html`<p class="problem">${data.message} Trying again.</p>`);
  },
  turn_taken_over() {
    this.void();
    this.add(html`<p class="meta">The connection was lost; the answer goes on by itself.</p>`);
  },
  turn_ended({ data, at }) {
    this.void();
    const { turn } = this;
    if (!turn) return;
    turn.groups.forEach((calls) => calls.over());
    const { input_tokens = 0, output_tokens = 0, thought_tokens = 0, tool_use_tokens = 0 } = data.usage ?? {};
    const tokens = input_tokens + output_tokens + thought_tokens + tool_use_tokens;
    if (data.error) this.add(html`<p class="problem">${data.error.message}</p>`);
    this.add(html`<p class="meta row end">
      ${status(...ENDS[data.status])}${elapsed(turn.at, at)}<span>${count(tokens, "token")}</span><span>${EMULATED.test(turn.said.at(-1)) ? "emulated model, nothing is billed" : dollars(costOf(data.usage ?? {}))}</span>
      ${turn.said.length > 0 && html`<button type="button" class="quiet" onclick=${() => copied(turn)}>Copy</button>`}
      ${data.status !== "completed" && html`<button type="button" class="quiet" onclick=${() => this.retry(turn.text)}>Retry</button>`}
    </p>`);
  },
  history_summarised() {
    this.add(html`<p class="meta">Older turns go to the model as a summary from here on.</p>`);
  },
};

/** The note of an answer has its citations, which the event has not. */
async function withCitations(answer, id) {
  const found = await api.get(`/notes/${segment(id)}`).catch(() => null);
  if (!found) return citing(answer);
  fill(answer, found.html, found.note.citations);
  put(answer, ...textOnly(answer).childNodes, sources(found.note));
}

async function copied({ element, said }) {
  const answers = html`<div>${[...element.querySelectorAll(".answer")].map((one) => one.cloneNode(true))}</div>`;
  const markdown = said.join("\n\n").replaceAll("](#/notes/", `](${location.origin}/#/notes/`);
  await copy(markdown, answers).then(() => toast("Copied, as Markdown and as formatted text."), () => toast("Not copied: the browser does not allow it."));
}
