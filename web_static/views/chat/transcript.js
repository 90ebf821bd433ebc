/** The conversation, drawn from the events of its session: each once, in order, wherever it came from. */

import { Calls, citing, Writing } from "./calls.js";
import { fill, sources, textOnly } from "../../components/markdown/markdown.js";
import { isPlot, plot } from "../../components/plot/plot.js";
import { runCard } from "../../components/run/run.js";
import { status } from "../../components/tags/tags.js";
import { say, toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { copy } from "../../core/copy.js";
import { html, put } from "../../core/html.js";
import { costOf } from "../../core/prices.js";
import { rendered } from "../../core/trusted.js";
import { count, dollars, elapsed } from "../../core/words.js";

const ENDS = { completed: ["completed", "Answered"], cancelled: ["cancelled", "Stopped"], failed: ["failed", "Failed"] };
const EMULATED = /\(Emulated model of the local cloud/;

export class Transcript {
  /** `retry(text)` asks again. */
  constructor(retry) {
    this.retry = retry;
    this.element = html`<div class="turns"></div>`;
    this.unsent = new Map();
    this.clear();
  }

  /** Forget what was drawn. What was said and is not with the server yet stays. */
  clear() {
    this.stopped?.abort();
    this.stopped = new AbortController();
    Object.assign(this, { seq: 0, first: 0, turn: null, calls: null, writing: null });
    put(this.element, [...this.unsent.values()]);
  }

  /** Forget everything: this is another conversation. */
  leave() {
    this.unsent.clear();
    this.clear();
  }

  /** Show this while nothing was said. */
  empty(words) {
    if (!this.element.firstChild) put(this.element, words);
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

  /** Draw all of these anew; what is being written goes on. */
  redraw(events) {
    const { writing } = this;
    this.clear();
    for (const event of events) this.take(event);
    if (!writing) return;
    this.add(writing.element);
    this.writing = writing;
  }

  /** Draw events that stand before all others, beside what goes on at the end. */
  ahead(events) {
    const older = new Transcript(this.retry);
    older.stopped = this.stopped;
    for (const event of events) older.take(event);
    older.void();
    this.element.prepend(...older.element.childNodes);
    this.first = older.first || this.first;
  }

  begin({ text, html: markup, key }, at) {
    const element = this.unsent.get(key) ?? html`<section></section>`;
    this.unsent.delete(key);
    element.className = "turn";
    put(element, asked(markup === undefined ? text : rendered(markup)));
    this.last(element);
    this.turn = { text, at, said: [], groups: [], element };
  }

  /** A question that the server does not have yet, below all that it has; `problem` is why, with what can be done about it. */
  said({ text, key }, problem) {
    const element = this.unsent.get(key) ?? html`<section class="turn unsent"></section>`;
    put(element, asked(text), html`<div class="row">${problem}</div>`);
    this.element.querySelector(":scope > .empty")?.remove();
    if (element.parentNode !== this.element) this.element.append(element);
    this.unsent.set(key, element);
    return element;
  }

  withdraw(key) {
    this.unsent.get(key)?.remove();
    this.unsent.delete(key);
  }

  /** Put it below all that the server has. */
  last(element) {
    this.element.querySelector(":scope > .empty")?.remove();
    const [waiting = null] = this.unsent.values();
    if (waiting || element.parentNode !== this.element) this.element.insertBefore(element, waiting);
  }

  add(element) {
    if (this.turn) this.turn.element.append(element);
    else this.last(element);
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
    this.begin(data, at);
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
    this.last(html`<section class="turn ran"><h2>${data.title}</h2>${answer}<p class="meta row end">${status(...word)}${links}</p></section>`);
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
      ${data.status !== "completed" && html`<button type="button" class="quiet" data-writes onclick=${() => this.retry(turn.text)}>Retry</button>`}
    </p>`);
  },
  history_summarised() {
    this.add(html`<p class="meta">Older turns go to the model as a summary from here on.</p>`);
  },
  checkpoint_behind() {
    this.add(html`<p class="meta">The session store had missed the end of this chat, which was made up for.</p>`);
  },
  checkpoint_rebuilt() {
    this.add(html`<p class="meta">What the session store knew of this chat was gone: it was put together anew from its turns.</p>`);
  },
};

const asked = (words) => [html`<h2 class="unseen">You asked</h2>`, html`<div class="question reading">${words}</div>`];

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
