/** What was put forward and not kept, each with the reason. */

import { facts, quoted } from "../../components/memory/words.js";
import { html, put } from "../../core/html.js";
import { paged } from "../../core/paged.js";
import { walkRows } from "../../core/rows.js";
import { moment } from "../../core/time.js";

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
