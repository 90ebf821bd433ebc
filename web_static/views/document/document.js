/** One document: what is known of it, what could not be read, and its passages by their words. */

import { toast } from "../../components/toasts/toasts.js";
import { api, query, segment, send } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { key } from "../../core/keys.js";
import { go, renameAddress, titled } from "../../core/router.js";
import { saveBlob } from "../../core/save.js";
import { moment } from "../../core/time.js";
import { count } from "../../core/words.js";
import { remove } from "../documents/documents.js";
import { parts, size, state } from "../documents/words.js";
import { passages } from "./passages.js";

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
    ${one.status !== "uploading" && html`<button type="button" onclick=${(event) => download(event, one)}>Download</button>`}
    ${one.status === "ready" && html`<a class="button" href=${`#/chat?new&q=${encodeURIComponent(`In the document “${one.name}”: `)}`}>Ask the chat about it</a>`}
    <button type="button" onclick=${leave}>Delete</button>
  </div>`;
}

async function download({ currentTarget }, { id, name }) {
  currentTarget.disabled = true;
  try {
    const response = await send("GET", `/documents/${segment(id)}/content`);
    saveBlob(name, await response.blob());
  } catch (error) {
    toast(`Not downloaded: ${error.message}`);
  }
  currentTarget.disabled = false;
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
