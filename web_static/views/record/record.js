/** One record: its words, what may be done to it, and why it is here. */

import { acts, facts, named, percent, quoted, recordAddress } from "../../components/memory/memory.js";
import { status } from "../../components/tags/tags.js";
import { toast } from "../../components/toasts/toasts.js";
import { api, segment, ulid } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { committing, focusOn, key } from "../../core/keys.js";
import { titled } from "../../core/router.js";
import { elapsed, moment } from "../../core/words.js";

const SECONDS = 60;

export async function show({ main, signal, argument: id }) {
  const head = html`<header class="stack"></header>`;
  const change = html`<div></div>`;
  const rest = html`<div class="stack record"></div>`;
  const load = () => api.get(`/brain/records/${segment(id)}/why`, signal);
  const draw = (why) => {
    const { record } = why;
    titled(record.text.slice(0, 80));
    const act = head.contains(document.activeElement) && document.activeElement.dataset.act;
    const correct = () => open(change, correction(record, done, signal));
    put(
      head,
      html`<h1>${record.text}</h1>`,
      html`<p class="meta row">${facts(record)}<span>about ${record.subject === "me" ? "you" : record.subject}</span><span>confidence ${percent(record.confidence)}</span><span>kept ${moment(record.created_at)}</span></p>`,
      html`<p class="row">${record.status === "current" && html`<button type="button" data-act="correct" data-writes onclick=${correct}>Correct</button>`}${acts(record, refresh)}</p>`,
    );
    if (act) focusOn(head.querySelector(`[data-act="${act}"]`) ?? head.querySelector("button"));
    put(rest, parts(why));
  };
  const refresh = keepFresh(load, draw, signal, SECONDS);
  const done = async (corrected) => {
    put(change);
    if (corrected) await refresh().catch(() => {});
    focusOn(head.querySelector("button"));
  };
  const press = (act) => () => {
    const button = head.querySelector(`[data-act="${act}"]`);
    button?.click();
    return Boolean(button);
  };
  key("#", press("retract"), signal);
  key("e", press("correct"), signal);
  await refresh();
  put(main, html`<p><a href="#/memory">All records</a></p>`, head, change, rest);
}

function open(place, form) {
  put(place, form);
  form.querySelector("textarea").focus();
}

function parts({ record, trail: items, supersedes, superseded_by, contradictions }) {
  const other = ({ id, text, ...rest }) => html`<li><a href=${recordAddress(id)}>${text}</a> <span class="meta row">${facts(rest)}</span></li>`;
  return [
    html`<section class="stack"><h2>Said here</h2>${record.sources.map((one) => quoted(one))}</section>`,
    superseded_by && html`<section class="stack"><h2>Replaced by</h2><ul class="twin">${other(superseded_by)}</ul></section>`,
    supersedes.length > 0 && html`<section class="stack"><h2>Replaces</h2><ul class="twin">${supersedes.map(other)}</ul></section>`,
    contradictions.length > 0 && html`<section class="stack"><h2>Contradicted</h2><ul class="twin">${contradictions.map((one) => contradicted(one, record))}</ul></section>`,
    html`<section class="stack"><h2>Why it is here</h2>${trail(items)}</section>`,
  ];
}

function contradicted({ reason, status, kept, record_ids }, { id }) {
  const other = record_ids.find((one) => one !== id);
  const how = status === "open" ? html`<a href="#/memory/contradictions">Say which is true</a>` : html`<span class="meta">${!kept ? "both were kept" : kept === id ? "this one was kept" : "the other was kept"}</span>`;
  return html`<li>${reason} ${other && html`<a href=${recordAddress(other)}>The other record</a>`} ${how}</li>`;
}

/* The way a record came: what was put forward, who said what of it, which job put it there, and what that one read. */

const VERDICTS = { supports: "supports it", reject: "would refuse it", merge: "says that it is known already", supersede: "says that it replaces another", conflict: "says that it contradicts another" };
const KINDS = { needs_evidence: "asks for evidence", verification_result: "looked for evidence" };

const trail = (items) => (items.length ? items.map(way) : html`<p class="meta">The way it came is not kept any more.</p>`);

function way({ item, job, critiques }, n) {
  const { payload, confidence, created_at, decided_at, reason, status: state, evidence_refs, id } = item;
  return html`<ol class="trail">
    <li><h3>${n ? "Merged into the record" : "The record"}</h3><p>${decided_at ? html`${named(state)} ${moment(decided_at)}` : "Not decided yet"}${reason && `: ${reason}`}</p></li>
    <li><h3>Put forward</h3><p>“${payload.text}”</p><p class="meta row"><span>${moment(created_at)}</span><span>confidence ${percent(confidence)}</span><span>item <code>${id}</code></span></p></li>
    <li><h3>What was said of it</h3>${critiques.length ? html`<ul class="twin">${critiques.map(critique)}</ul>` : html`<p class="meta">Nobody objected.</p>`}</li>
    <li><h3>Put there by</h3>${worked(job)}</li>
    <li><h3>From</h3>${evidence_refs.length ? evidence_refs.map((one) => quoted(one)) : html`<p class="meta">No source is named.</p>`}</li>
  </ol>`;
}

function critique({ item: { kind, payload, confidence, evidence_refs, created_at }, job }) {
  const { verdict, reason, target } = payload;
  const doubts = verdict === "reject" || verdict === "conflict";
  return html`<li><p>${status(doubts ? "refused" : "completed", job ? named(job.kind) : "An agent")} ${KINDS[kind] && `${KINDS[kind]} and `}${VERDICTS[verdict] ?? verdict}: ${reason}</p>
    <p class="meta row"><span>${moment(created_at)}</span><span>confidence ${percent(confidence)}</span>${job && html`<span>${by(job)}</span>`}${target && !target.startsWith("item_") && html`<a href=${recordAddress(target)}>What it means</a>`}</p>${evidence_refs.map((one) => quoted(one))}</li>`;
}

const by = ({ model }) => (!model || model === "rules" ? "by rule" : model);

function worked(job) {
  if (!job) return html`<p class="meta">A job that is not kept any more.</p>`;
  const { id, kind, attempts, locked_at, finished_at } = job;
  return html`<p class="row"><a href=${`#/brain/queue?agent=${segment(kind)}`}>${named(kind)}</a><span class="meta">${by(job)}</span>${locked_at && finished_at && html`<span class="meta">took ${elapsed(locked_at, finished_at)}</span>`}
    ${attempts > 0 && html`<span class="meta">after ${attempts} failed</span>`}<span class="meta">job <code>${id}</code></span></p>`;
}

/* Correcting what is remembered: the person's words become a note, which the brain reads, and the record is retracted. */

/** The form; `done(corrected)` ends it. */
function correction(record, done, signal) {
  const path = `/brain/records/${segment(record.id)}`;
  const text = html`<textarea rows="2" maxlength="2000" required></textarea>`;
  const problem = html`<p class="problem" role="alert"></p>`;
  const kept = draft({ surface: "record", object: record.id, read: () => ({ text: text.value }), signal });
  text.value = kept.stored?.value.text ?? record.text;
  const name = ulid();
  const submit = async (event) => {
    event.preventDefault();
    if (!text.value.trim() || text.value === record.text) return text.focus();
    try {
      const { note } = await api.post("/notes", { body: text.value, tags: ["correction"] }, { key: name });
      await api.post(`${path}/retract`);
      kept.clear();
      const undo = () => Promise.all([api.post(`${path}/restore`), api.remove(`/notes/${segment(note.id)}`)]).then(() => done(true), (error) => toast(`Not undone: ${error.message}`));
      toast(html`Kept as <a href=${`#/notes/${segment(note.id)}`}>a note</a>; what was remembered is retracted.`, { undo });
      done(true);
    } catch (error) {
      problem.textContent = `Not corrected: ${error.message}`;
    }
  };
  const form = html`<form class="card stack" onsubmit=${submit} oninput=${kept.touch}><label class="field"><span>How it is</span>${text}</label><p class="meta">Your words become a note; the brain remembers from it, and retracts this record.</p>${problem}
    <p class="row"><button class="primary">Correct it</button><button type="button" class="quiet" onclick=${() => (kept.clear(), done(false))}>Leave it</button></p></form>`;
  return committing(form);
}
