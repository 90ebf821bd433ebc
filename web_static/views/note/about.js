/** What stands around a note: runs about it and its report, a summary, what can be done with it, what has happened to it. */

import { waits } from "../../components/plan/plan.js";
import { Pending, told, verb } from "../../components/research/research.js";
import { pending, status } from "../../components/tags/tags.js";
import { press, toast } from "../../components/toasts/toasts.js";
import { api, segment, send, ulid } from "../../core/api.js";
import { copy, save } from "../../core/copy.js";
import { html, put } from "../../core/html.js";
import { costOf, RESEARCH_RANGE } from "../../core/prices.js";
import { dollars, elapsed, excerptOf, moment } from "../../core/words.js";

export function relations(note, operations) {
  const rows = operations.map(run);
  if (note.source_note_id) {
    const how = note.operation_id && html`<a href=${`#/operations/${segment(note.operation_id)}`}>How it came about</a>`;
    rows.unshift(html`<p class="row"><span>Written about <a href=${`#/notes/${segment(note.source_note_id)}`}>this note</a></span>${how}</p>`);
  }
  if (note.run_id) rows.unshift(html`<p class="row"><span>The answer of a <a href=${`#/runs/${segment(note.run_id)}`}>run</a></span></p>`);
  return rows.length ? html`<section class="notice stack" aria-label="What belongs to it">${rows}</section>` : null;
}

function run(operation) {
  const { id, status: state, created_at, finished_at, result_note_id, error, usage } = operation;
  const link = html`<a href=${`#/operations/${segment(id)}`}>${state === "running" ? "Follow it" : "Research run"}</a>`;
  if (state === "running") return html`<p class="row" data-operation=${id}>${pending(operation)}${link}</p>`;
  if (waits(operation)) return html`<p class="row">${status(state)}<a href=${`#/operations/${segment(id)}`}><strong>Read the plan, and approve it</strong></a></p>`;
  const usd = costOf(usage);
  return html`<p class="row">
    ${status(state)}${result_note_id && html`<a href=${`#/notes/${segment(result_note_id)}`}><strong>Report</strong></a>`}${link}${elapsed(created_at, finished_at)}${usd > 0 && html`<span class="meta">${dollars(usd)}</span>`}
    ${error && html`<span class="meta">${error.message}</span>`}
  </p>`;
}

/** The live steps of the runs that are under way. */
export class Runs {
  constructor(signal) {
    this.signal = signal;
    this.pending = null;
  }

  follow(main, operations) {
    this.pending ??= new Pending(main, this.signal);
    this.pending.follow(operations.filter(({ status: state }) => state === "running"));
  }
}

/* Summary and suggested tags, as the server has worked them out. Only a person adds a tag. */

const DISMISSED = "memex.dismissed/";

export function suggestions({ note, summary = "", suggested_tags = [] }, refresh) {
  const dismissed = new Set(JSON.parse(localStorage.getItem(DISMISSED + note.id) ?? "[]"));
  const open = suggested_tags.filter((name) => !note.tags.includes(name) && !dismissed.has(name));
  const long = note.body.length > 600;
  if (!open.length && !(summary && long)) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED + note.id, JSON.stringify([...dismissed, ...open]));
    refresh();
    document.querySelector("#tags-suggested")?.remove();
  };
  return html`<section class="stack summary" aria-label="Summary and suggestions" data-writes=${!(summary && long)}>
    ${summary && long && html`<p>${excerptOf(summary)}</p>`}
    ${open.length > 0 && html`<div class="row" id="tags-suggested" data-writes>
      <span class="meta">Suggested tags</span>
      ${open.map((name) => html`<button type="button" class="suggestion" onclick=${(event) => accept(event, note, name, refresh)} aria-label=${`Add the tag ${name}`}>+ ${name}</button>`)}
      <button type="button" class="quiet" onclick=${dismiss}>Dismiss</button>
    </div>`}
  </section>`;
}

async function accept(event, note, name, refresh) {
  const path = `/notes/${segment(note.id)}`;
  const back = async () => {
    await api.patch(path, { remove_tags: [name] }).catch((error) => toast(error.message));
    await refresh();
  };
  await press(event, "Not tagged", async () => {
    await api.patch(path, { add_tags: [name] });
    toast(`Tagged #${name}.`, { undo: back });
  }, refresh);
}

/* What can be done with a note. */

export function actions(note, operations, { edit, refresh, remove }) {
  const running = operations.some((one) => one.status === "running" || waits(one));
  const begin = (failed, act) => (event) => press(event, failed, () => act(note), refresh);
  const beginning = note.kind === "capture" && !running && [
    html`<button type="button" data-writes onclick=${begin("Not tagged", research)}>${note.tags.includes("research") ? "Research again" : "Research this"}</button>`,
    html`<button type="button" data-writes onclick=${begin("No plan", plan)}>Plan it first</button>`,
    html`<span class="meta" data-writes>$${RESEARCH_RANGE[0]} to $${RESEARCH_RANGE[1]}</span>`,
  ];
  return html`<div class="row actions">
    ${beginning}
    <button type="button" data-edit data-writes onclick=${edit}>Edit</button>
    <button type="button" onclick=${() => copyNote(note)}>Copy</button>
    <button type="button" onclick=${() => exportNote(note)}>Export</button>
    <button type="button" data-writes onclick=${remove}>Delete</button>
  </div>`;
}

/** Tags the note; one that has the tag loses it first, since only a new tag starts a new run. */
async function research(note) {
  const path = `/notes/${segment(note.id)}`;
  if (note.tags.includes("research")) await api.patch(path, { remove_tags: ["research"] });
  await api.patch(path, { add_tags: ["research"] });
  return "Tagged. The research starts.";
}

/** Asks for a plan, which waits for approval before money is spent. */
async function plan(note) {
  await api.post(`/notes/${segment(note.id)}/research`, { plan: true }, { key: ulid() });
  return "A plan is being made. It waits for you among the approvals.";
}

async function copyNote(note) {
  const shown = document.querySelector("main .reading");
  try {
    await copy(`${note.title ? `# ${note.title}\n\n` : ""}${note.body}`, shown);
    toast("Copied, as Markdown and as formatted text.");
  } catch {
    toast("Not copied: the browser does not allow it.");
  }
}

async function exportNote(note) {
  try {
    save(`${(note.title || "note").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.md`, await api.text(`/notes/${segment(note.id)}.md`));
  } catch (error) {
    toast(`Not exported: ${error.message}`);
  }
}

/* What has happened to a note: its own stream of events, fetched when it is opened. */

let opened = "";

export function history(note, seq) {
  const place = html`<div></div>`;
  const element = html`<details class="history"><summary>History</summary>${place}</details>`;
  const fill = async () => {
    opened = note.id;
    try {
      const response = await send("GET", `/notes/${segment(note.id)}/events?limit=200`, { headers: { Accept: "application/json" } });
      const { events } = await response.json();
      const made = html`<li>${moment(note.created_at)}<span class="what">Written</span><span class="words"></span></li>`;
      const line = (event) => html`<li>${moment(event.at)}<span class="what">${verb(event)}</span><span class="words">${told(event)}</span></li>`;
      put(place, html`<ol class="events" data-seq=${seq}>${made}${events.map(line)}</ol>`);
    } catch (error) {
      put(place, html`<p class="problem" role="alert">${error.message}</p>`);
    }
  };
  element.addEventListener("toggle", () => (element.open ? fill() : (opened = "")));
  if (opened === note.id) element.open = true;
  return element;
}
