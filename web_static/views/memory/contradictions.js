/** Two records of which one at most is true, side by side: the person says which, or that both are. */

import { facts, quoted, recordAddress } from "../../components/memory/memory.js";
import { toast } from "../../components/toasts/toasts.js";
import { api, segment, send } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { focusOn } from "../../core/keys.js";
import { alarm } from "../../core/live.js";
import { moment } from "../../core/time.js";

const SECONDS = 30;

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
  await keepFresh(() => api.get(OPEN, signal), draw, signal, SECONDS)();
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
