/** The records, newest first, or the best first for what is looked for; each with its words and what may be done to it. */

import { acts, facts, quoted, recordAddress, retract, STATUSES, TYPES } from "../../components/memory/memory.js";
import { paged } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { keepingFocus, key, walkRows, withRow } from "../../core/keys.js";
import { renameAddress } from "../../core/router.js";
import { marked } from "../../core/search.js";
import { count } from "../../core/words.js";

const WAIT_MILLISECONDS = 250;
const FILTERS = ["q", "type", "status", "as_of"];

export async function records({ place, signal, wanted }) {
  const list = html`<ul class="list memory"></ul>`;
  const problem = html`<p class="problem" role="alert"></p>`;
  let shown = [];
  const asked = () => ["/brain/records", Object.fromEntries(FILTERS.map((name) => [name, wanted.get(name)]))];
  const draw = (answer) => {
    shown = answer.records;
    keepingFocus(list, () => put(list, shown.length ? shown.map((record) => row(record, refresh)) : empty(FILTERS.some((name) => wanted.get(name)), answer.message)));
  };
  const { refresh, more } = paged({ asked, draw, words: "Older records", signal, still: () => wanted.has("q") });
  const apply = () => refresh().then(() => (problem.textContent = ""), (error) => error.name === "AbortError" || (problem.textContent = error.message));
  walkRows(list, signal);
  key("#", withRow(({ dataset }) => void retract(shown.find(({ id }) => id === dataset.row), refresh)), signal);
  put(place, filters(wanted, apply), problem, list, more);
  await refresh();
}

function filters(wanted, apply) {
  let timer;
  const set = (name, value) => {
    clearTimeout(timer);
    value ? wanted.set(name, value) : wanted.delete(name);
    renameAddress(wanted.size ? `#/memory?${wanted}` : "#/memory");
    apply();
  };
  const later = ({ currentTarget: { value } }) => {
    clearTimeout(timer);
    timer = setTimeout(() => set("q", value.trim()), WAIT_MILLISECONDS);
  };
  const option = (name) => (one) => html`<option value=${one} selected=${wanted.get(name) === one}>${one}</option>`;
  const choice = (name, label, all, options) => html`<select aria-label=${label} onchange=${({ currentTarget: { value } }) => set(name, value)}><option value="">${all}</option>${options.map(option(name))}</select>`;
  const submit = (event) => (event.preventDefault(), set("q", event.currentTarget.querySelector("input").value.trim()));
  return html`<form class="narrow" role="search" onsubmit=${submit}>
    <input type="search" data-search aria-label="Recall" placeholder="Recall: a name, a thing, a question" maxlength="500" .value=${wanted.get("q") ?? ""} oninput=${later} />
    ${choice("type", "Type", "All types", TYPES)}${choice("status", "Status", "Any status", STATUSES)}
    <label class="row meta">As of <input type="date" .value=${wanted.get("as_of") ?? ""} onchange=${({ currentTarget: { value } }) => set("as_of", value)} /></label>
  </form>`;
}

function row(record, refresh) {
  const { id, text, sources, matched, annotation } = record;
  const [first] = sources;
  return html`<li data-row=${id}>
    <a class="title" href=${recordAddress(id)}>${marked(text, matched ?? [])}</a>
    ${first && quoted(first, text)}
    ${annotation && html`<p class="meta">Why now: ${annotation}</p>`}
    <div class="row spread"><p class="meta row">${facts(record)}${sources.length > 1 && html`<span>${count(sources.length, "source")}</span>`}</p><p class="row acts">${acts(record, refresh)}</p></div>
  </li>`;
}

function empty(filtered, message) {
  if (filtered) return html`<li class="empty"><p>${message || "Nothing remembered fits."} Try fewer words, or <a href="#/memory">see all records</a>.</p><p class="meta">A name is enough, such as “Anna”.</p></li>`;
  return html`<li class="empty"><p>Nothing is remembered yet. <a href="#/notes?capture">Write a note</a>, and what lasts in it is kept here.</p><p class="meta">For example: “Anna works at the university since March.”</p></li>`;
}
