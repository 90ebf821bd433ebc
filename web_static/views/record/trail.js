/** The way a record came: what was put forward, who said what of it, which job put it there, and what that one read. */

import { named, percent, quoted, recordAddress } from "../../components/memory/words.js";
import { status } from "../../components/tags/tags.js";
import { segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { elapsed, moment } from "../../core/time.js";

const VERDICTS = { supports: "supports it", reject: "would refuse it", merge: "says that it is known already", supersede: "says that it replaces another", conflict: "says that it contradicts another" };
const KINDS = { needs_evidence: "asks for evidence", verification_result: "looked for evidence" };

export const trail = (items) => (items.length ? items.map(way) : html`<p class="meta">The way it came is not kept any more.</p>`);

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
