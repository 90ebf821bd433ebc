/** What is remembered: the records, what was refused, what contradicts, people and things, and all of it in short. */

import { graph } from "./graph.js";
import { contradictions, OPEN, rejected, short } from "./short.js";
import { acts, facts, quoted, recordAddress, retract, STATUSES, TYPES } from "../../components/memory/memory.js";
import { tabs } from "../../components/tags/tags.js";
import { api } from "../../core/api.js";
import { narrowing, paged } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { keepingFocus, key, walkRows, withRow } from "../../core/keys.js";
import { marked } from "../../core/search.js";
import { count } from "../../core/words.js";

const PARTS = { "": records, short, graph, contradictions, rejected };
const NAMES = [["", "Records"], ["short", "In short"], ["graph", "People and things"], ["contradictions", "Contradictions"], ["rejected", "Refused"]];

export async function show({ main, signal, argument, wanted }) {
  const place = html`<div class="stack"></div>`;
  const open = html`<span></span>`;
  const address = (name) => (name ? `#/memory/${name}` : "#/memory");
  const parts = NAMES.map(([name, words]) => [address(name), words, name === "contradictions" ? open : null]);
  put(main, html`<h1>Memory</h1>`, tabs("Parts of the memory", parts, address(argument ?? "")), place);
  const told = (n) => put(open, n > 0 && html`<span class="badge" aria-label=${`${n} open`}>${n}</span>`);
  if (argument !== "contradictions") api.get(OPEN, signal).then((answer) => told(answer.contradictions.length), () => {});
  await PARTS[argument ?? ""]({ place, signal, wanted, told });
}

/* The records, newest first, or the best first for what is looked for; each with its words and what may be done to it. */

const WAIT_MILLISECONDS = 250;
const FILTERS = ["q", "type", "status", "as_of"];

async function records({ place, signal, wanted }) {
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
  const narrowed = narrowing(wanted, "#/memory", apply);
  const set = (name, value) => {
    clearTimeout(timer);
    narrowed.set(name, value);
  };
  const later = ({ currentTarget: { value } }) => {
    clearTimeout(timer);
    timer = setTimeout(() => set("q", value.trim()), WAIT_MILLISECONDS);
  };
  const submit = (event) => (event.preventDefault(), set("q", event.currentTarget.querySelector("input").value.trim()));
  return html`<form class="narrow" role="search" onsubmit=${submit}>
    <input type="search" data-search aria-label="Recall" placeholder="Recall: a name, a thing, a question" maxlength="500" .value=${wanted.get("q") ?? ""} oninput=${later} />
    ${narrowed.choice("type", "Type", "All types", TYPES)}${narrowed.choice("status", "Status", "Any status", STATUSES)}
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
