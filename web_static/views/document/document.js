/** One document: what is known of it, what could not be read, and its passages by their words. */

import { parts, remove, size, state } from "../documents/documents.js";
import { press } from "../../components/toasts/toasts.js";
import { api, query, segment, send } from "../../core/api.js";
import { saveBlob } from "../../core/copy.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { key } from "../../core/keys.js";
import { go, renameAddress, titled } from "../../core/router.js";
import { marked } from "../../core/search.js";
import { count, moment } from "../../core/words.js";

const SECONDS = 3;

export async function show({ main, signal, argument: id, wanted }) {
  const path = `/documents/${segment(id)}`;
  const head = html`<header class="stack"></header>`;
  const facts = html`<div class="stack"></div>`;
  let document = null;
  const draw = ({ document: now }) => {
    document = now;
    titled(now.name);
    put(head, html`<h1>${now.name}</h1>`, html`<p class="row">${state(now)}</p>`, actions(now, leave));
    put(facts, told(now), problems(now), now.tables.map(table));
  };
  const leave = () => (remove(document), go("#/documents"));
  key("#", leave, signal);
  const refresh = keepFresh(() => api.get(path, signal), draw, signal, SECONDS);
  await refresh();
  const search = passages(id, wanted, (text) => renameAddress(`#${path}${query({ q: text })}`), signal);
  put(main, head, facts, search);
}

function actions(one, leave) {
  return html`<div class="row">
    ${one.status !== "uploading" && html`<button type="button" onclick=${(event) => press(event, "Not downloaded", () => download(one))}>Download</button>`}
    ${one.status === "ready" && html`<a class="button" href=${`#/chat?new&q=${encodeURIComponent(`In the document “${one.name}”: `)}`}>Ask the chat about it</a>`}
    <button type="button" data-writes onclick=${leave}>Delete</button>
  </div>`;
}

async function download({ id, name }) {
  const response = await send("GET", `/documents/${segment(id)}/content`);
  saveBlob(name, await response.blob());
}

function told(one) {
  const { type, bytes, created_at, characters, operation_id, error } = one;
  return html`${error && html`<p class="notice bad">${error.message}</p>`}<dl class="facts meta">
    <dt>File</dt><dd>${[type, size(bytes), parts(one)].filter(Boolean).join(", ")}</dd>
    <dt>Put in</dt><dd>${moment(created_at)}</dd>
    <dt>Text</dt><dd><span class="row"><span>${count(characters, "character")}</span>${operation_id && html`<a href=${`#/operations/${segment(operation_id)}`}>How it was read</a>`}</span></dd>
  </dl>`;
}

function problems({ problems: all }) {
  if (!all.length) return null;
  return html`<section class="notice warn stack"><h2>Not taken over</h2><ul>${all.map(({ page, message }) => html`<li>${page ? `Page ${page}: ` : ""}${message}</li>`)}</ul></section>`;
}

function table({ name, columns, rows, first_rows }) {
  return html`<section class="stack"><h2>${name || "Table"}</h2><p class="meta">${count(rows, "row")}${rows > first_rows.length ? `, the first ${first_rows.length} of them` : ""}</p>
    <div class="sheet" tabindex="0" role="region" aria-label=${name ? `Table ${name}` : "Table"}><table>
      <thead><tr>${columns.map((one) => html`<th scope="col">${one.name || "–"}<br /><span class="meta">${one.type}</span></th>`)}</tr></thead>
      <tbody>${first_rows.map(({ cells }) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
    </table></div></section>`;
}

/* Passages of a document, found by their words; a citation leads here with the words that it cites. */

const WAIT_MILLISECONDS = 250;
const HITS = 10;

/** `wanted` may hold q, and the page that a citation names; `renamed(q)` hears what is looked for. */
function passages(id, wanted, renamed, signal) {
  const page = Number(wanted.get("page")) || null;
  const field = html`<input type="search" data-search aria-label="Search in this document" placeholder="Search in this document" maxlength="1000" .value=${wanted.get("q") ?? ""} />`;
  const list = html`<ol class="passages"></ol>`;
  const told = html`<p class="meta" role="status"></p>`;
  let [timer, asked] = [null, 0];
  const find = async () => {
    const mine = (asked += 1);
    const text = field.value.trim();
    if (!text) return put(list), (told.textContent = "");
    try {
      const { hits } = await api.get(`/documents/search${query({ q: text, document_id: id, limit: HITS })}`, signal);
      if (mine !== asked) return;
      const first = hits.find((one) => one.page === page);
      put(list, (first ? [first, ...hits.filter((one) => one !== first)] : hits).map((hit) => row(hit, hit === first)));
      told.textContent = hits.length ? "" : "Nothing found in it.";
    } catch (error) {
      if (error.name !== "AbortError" && mine === asked) told.textContent = error.message;
    }
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => (renamed(field.value.trim()), find()), WAIT_MILLISECONDS);
  });
  find();
  const submit = (event) => (event.preventDefault(), find());
  return html`<section class="stack"><h2>Passages</h2><form role="search" onsubmit=${submit}>${field}</form>${told}${list}</section>`;
}

function row({ page, excerpt, matched }, wanted) {
  return html`<li class=${wanted && "wanted"}><p class="reading">${marked(excerpt, matched)}</p>${page && html`<p class="meta">Page ${page}</p>`}</li>`;
}
