/** One record: its words, what may be done to it, and why it is here. */

import { acts } from "../../components/memory/acts.js";
import { facts, percent, quoted, recordAddress } from "../../components/memory/words.js";
import { api, segment } from "../../core/api.js";
import { focusOn } from "../../core/focus.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { key } from "../../core/keys.js";
import { titled } from "../../core/router.js";
import { moment } from "../../core/time.js";
import { correction } from "./correction.js";
import { trail } from "./trail.js";

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
      html`<p class="row">${record.status === "current" && html`<button type="button" data-act="correct" onclick=${correct}>Correct</button>`}${acts(record, refresh)}</p>`,
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
