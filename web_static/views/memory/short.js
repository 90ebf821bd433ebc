/** In short, and what was rejected: what the person is at, who they are, and what their records are about; each sentence with what it rests on. */

import { facts, quoted, recordAddress } from "../../components/memory/memory.js";
import { api } from "../../core/api.js";
import { keepFresh, paged } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { walkRows } from "../../core/keys.js";
import { moment } from "../../core/time.js";

const SECONDS = 60;

export async function short({ place, signal }) {
  await keepFresh(() => api.get("/brain/focus", signal), (answer) => put(place, drawn(answer)), signal, SECONDS)();
}

function drawn({ focus, identity, topics }) {
  const parts = [
    focus?.title && html`<section class="stack"><h2>Now: ${focus.title}</h2><p class="reading">${focus.summary}</p><p class="meta row">${focus.active_since && html`<span>since ${moment(focus.active_since)}</span>`}${rests(focus)}</p></section>`,
    identity?.statements.length > 0 && html`<section class="stack"><h2>You</h2><ul class="twin">${identity.statements.map((one) => html`<li>${one.text} ${rests(one)}</li>`)}</ul></section>`,
    topics.length > 0 && html`<section class="stack"><h2>Topics</h2><ul class="twin">${topics.map((one) => html`<li><strong>${one.name}</strong> ${one.summary} ${rests(one)}</li>`)}</ul></section>`,
  ].filter(Boolean);
  return parts.length ? parts : html`<div class="empty"><p>Nothing was put in short yet: it takes some records. <a href="#/notes?capture">Write a note</a></p><p class="meta">For example: “This month I prepare the move to Basel.”</p></div>`;
}

/** The records that something rests on, a chip each. */
const rests = ({ record_ids }) => record_ids.map((id, n) => html`<a class="cite" href=${recordAddress(id)} aria-label=${`Record ${n + 1} it rests on`}>${n + 1}</a>`);

/* What was put forward and not kept, each with the reason. */

const ASKED = ["/brain/blackboard", { status: "rejected", kind: "candidate_record" }];

export async function rejected({ place, signal }) {
  const list = html`<ul class="list memory"></ul>`;
  const draw = ({ items }) => put(list, items.length ? items.map(row) : html`<li class="empty"><p>Nothing was refused. What is no statement about you or your world, or holds for a moment only, is listed here. <a href="#/memory">All records</a></p><p class="meta">For example: “Answer in three sentences this time.”</p></li>`);
  const { refresh, more } = paged({ asked: () => ASKED, draw, words: "Older ones", signal });
  walkRows(list, signal);
  put(place, list, more);
  await refresh();
}

function row({ id, payload, reason, evidence_refs, created_at, decided_at }) {
  const [first] = evidence_refs;
  return html`<li data-row=${id}>
    <p class="title">${payload.text}</p>
    <p class="reason"><span aria-hidden="true">✕</span> ${reason || "No reason was given."}</p>
    ${first && quoted(first, payload.text)}
    <p class="meta row">${facts(payload)}<span>refused ${moment(decided_at ?? created_at)}</span></p>
  </li>`;
}
