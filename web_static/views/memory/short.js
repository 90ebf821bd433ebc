/** In short, what was rejected, and what contradicts: what the person is at, who they are, and what their records are about; each sentence with what it rests on. */

import { facts, quoted, recordAddress } from "../../components/memory/memory.js";
import { alarm, toast } from "../../components/toasts/toasts.js";
import { api, segment, send } from "../../core/api.js";
import { keepFresh, paged } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { focusOn, walkRows } from "../../core/keys.js";
import { moment } from "../../core/words.js";

const [SECONDS, OPEN_SECONDS] = [60, 30];

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

/* Two records of which one at most is true, side by side: the person says which, or that both are. */


/** Those that wait for the person, as many as are shown at once. */
export const OPEN = "/brain/contradictions?status=open&limit=20";

/** The ids of those that are decided here and not yet there: they are until their notice has gone. */
const decided = new Set();

export async function contradictions({ place, signal, told }) {
  const list = html`<div class="stack"></div>`;
  let [latest, drawn] = [[], ""];
  const draw = ({ contradictions: answer } = { contradictions: latest }) => {
    latest = answer;
    const open = latest.filter(({ id }) => !decided.has(id));
    told(open.length);
    const text = JSON.stringify(open);
    if (text !== drawn) put(list, open.length ? open.map((one) => card(one, settle)) : html`<div class="empty"><p>Nothing contradicts. <a href="#/memory">All records</a></p><p class="meta">For example: “The deposit was 400” here, “The deposit was 420” there.</p></div>`);
    drawn = text;
  };
  const settle = (one, keep, words) => {
    decided.add(one.id);
    draw();
    focusOn(list.querySelector("h2") ?? document.querySelector("main h1"));
    const back = () => (decided.delete(one.id), signal.aborted || draw());
    const final = ({ leaving }) =>
      send("POST", `/brain/contradictions/${segment(one.id)}/settle`, { body: { keep }, keepalive: leaving }).catch((error) => {
        back();
        alarm(error.message);
        toast(`Not settled: ${error.message}`);
      });
    toast(words, { undo: back, settle: final });
  };
  put(place, list);
  await keepFresh(() => api.get(OPEN, signal), draw, signal, OPEN_SECONDS)();
}

function card(one, settle) {
  const { reason, created_at, records } = one;
  return html`<section class="card stack"><h2>${records[0]?.subject ? `About ${subject(records)}` : "A contradiction"}</h2>
    <p>${reason} <span class="meta">Seen ${moment(created_at)}.</span></p>
    <div class="sides">${records.map((record) => side(record, () => settle(one, record.id, `Kept: ${record.text}`)))}</div>
    <p data-writes><button type="button" onclick=${() => settle(one, null, "Both stay.")}>Both are true</button></p>
  </section>`;
}

const subject = ([{ subject: name, property }]) => `${name === "me" ? "you" : name}${property ? `: ${property}` : ""}`;

function side(record, keep) {
  const { id, text, sources } = record;
  return html`<article class="stack"><h3><a href=${recordAddress(id)}>${text}</a></h3>${sources.slice(0, 3).map((one) => quoted(one, text))}<p class="meta row">${facts(record)}</p>
    <p data-writes><button type="button" class="primary" aria-label=${`Keep this: ${text}`} onclick=${keep}>Keep this</button></p></article>`;
}
