/** The pieces of a turn: tool calls, a line each, that opens to what went in and came out; text while it is written; citations. */

import { output, shownValue, verbOf } from "../../components/calls/calls.js";
import { alive, sourceOf } from "../../components/markdown/markdown.js";
import { status } from "../../components/tags/tags.js";
import { sayProgress } from "../../components/toasts/toasts.js";
import { query } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { rendered } from "../../core/trusted.js";
import { count, elapsed } from "../../core/words.js";

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

/* Text while it is written: finished blocks as the server renders them, the rest as plain text, every 80 ms. */

const FLUSH_MILLISECONDS = 80;

export class Writing {
  constructor(iteration) {
    Object.assign(this, { iteration, text: "", timer: null });
    this.tail = html`<p class="tail"></p>`;
    this.element = html`<div class="reading answer">${this.tail}</div>`;
  }

  add(text) {
    this.text += text;
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MILLISECONDS);
  }

  /** A block is finished, and never drawn again; `tail` is what is written behind it. */
  freeze(markup, tail) {
    this.tail.before(rendered(markup));
    this.text = tail;
    this.flush();
  }

  /** The whole text, so far or at its end. */
  whole(markup) {
    this.text = "";
    this.flush();
    this.tail.remove();
    renew(this.element, markup);
    this.element.append(this.tail);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    this.tail.textContent = this.text;
  }
}

/** Show this text; what is equal at its beginning is left as it stands, with a selection in it. */
function renew(element, markup) {
  const fresh = [...rendered(markup).childNodes];
  const old = [...element.childNodes];
  const differs = fresh.findIndex((node, n) => !old[n]?.isEqualNode(node));
  const same = differs < 0 ? fresh.length : differs;
  old.slice(same).forEach((node) => node.remove());
  element.append(...fresh.slice(same));
}

/* Notes and documents that an answer names: a chip for each, with the passage; struck where it is not there. */

const LINK = /^#\/(notes|documents)\/([^?]+)(?:\?page=(\d+))?$/;
const NAME = /\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/;
const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) (seen.unobserve(target), verify(target));
});

function citationOf(link) {
  const [, kind, id, page] = LINK.exec(link.hash) ?? [];
  if (!id) return null;
  const name = { notes: "note_id", documents: "document_id" }[kind];
  return { [name]: decodeURIComponent(id), page: page ? Number(page) : null, title: link.textContent };
}

/** Make chips of the links to notes and documents in a text that is finished. */
export function citing(element) {
  named(element);
  for (const link of element.querySelectorAll('a[href^="#/"]')) {
    const citation = citationOf(link);
    if (!citation) continue;
    link.classList.add("cite", "named");
    alive(link, citation, () => (link.closest("li, td, p") ?? link.parentElement).textContent.replace(link.textContent, ""));
    seen.observe(link);
  }
}

/** A name in brackets, as it stands in a note that is quoted, leads to where notes of that name are found. */
function named(element) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const [whole, name, words = name] = (!text.parentElement.closest("a, code") && NAME.exec(text.data)) || [];
    if (!whole) continue;
    const rest = text.splitText(text.data.indexOf(whole));
    rest.data = rest.data.slice(whole.length);
    rest.before(html`<a href=${`#/notes${query({ q: name })}`}>${words}</a>`);
  }
}

async function verify(link) {
  const gone = await sourceOf(citationOf(link)).then(() => false, ({ status }) => status === 404);
  if (gone) link.replaceWith(html`<s class="cite named unverified" tabindex="0" title="It is not there, or not any more.">${link.textContent} unverified</s>`);
}
