/** Documents: files that are put in, on their way, and how far their text has been taken over. */

import { choosing, dropping } from "../../components/importing/importing.js";
import { meter } from "../../components/meter/meter.js";
import { status } from "../../components/tags/tags.js";
import { say, toast } from "../../components/toasts/toasts.js";
import { api, credentials, query, Refusal, refused, segment, ulid, url } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { arrangeItems, html, put } from "../../core/html.js";
import { walkRows } from "../../core/keys.js";
import { count, moment } from "../../core/words.js";

const PAGE = 50;
const SECONDS = 3;
const ACCEPTED = ".txt,.md,.html,.csv,.xlsx,.pdf,.docx";

/** The ids of documents that are shown no more. */
const hidden = new Set();

export async function show({ main, signal }) {
  const ahead = html`<ul class="list uploads" aria-label="On their way"></ul>`;
  const list = html`<ul class="list"></ul>`;
  const nothing = html`<div class="empty" hidden><p>No documents yet. Put one in, and the chat can read it.</p><p class="meta">For example a contract as PDF: “Which deadlines are in it?”</p></div>`;
  const more = html`<button type="button" hidden>Older documents</button>`;
  let [limit, latest] = [PAGE, null];
  const load = () => api.get(`/documents${query({ limit })}`, signal);
  const draw = (value = latest) => {
    if (!(latest = value)) return;
    const shown = latest.documents.filter((one) => !hidden.has(one.id) && !sending(one));
    arrangeItems(list, shown, (one) => row(one, draw));
    nothing.hidden = shown.length > 0 || ahead.children.length > 0;
    more.hidden = !latest.next_cursor || limit >= 200;
  };
  const refresh = keepFresh(load, draw, signal, SECONDS);
  walkRows(list, signal);
  const drawAhead = () => (put(ahead, uploadRows()), draw());
  watchUploads(({ added }) => (drawAhead(), added && refresh().catch(() => {})), signal);
  dropping(main, add, signal);
  more.addEventListener("click", () => ((limit = Math.min(200, limit + PAGE)), refresh()));
  put(
    main,
    html`<h1>Documents</h1>`,
    html`<div class="place" data-writes><div><p>Drop files here.</p><p class="meta">Text, Markdown, HTML, CSV, Excel, PDF or Word, 100 MB at most.</p></div>${choosing("Choose files", ACCEPTED, add)}</div>`,
    ahead,
    list,
    nothing,
    more,
  );
  drawAhead();
  await refresh();
}

function row(one, draw) {
  const { id, name, type, bytes, created_at, error } = one;
  return html`<li data-row=${id}>
    <a class="title" href=${`#/documents/${segment(id)}`}>${name}</a>
    <p class="meta row">${state(one)}<span class="kind">${type}</span><span>${[size(bytes), parts(one)].filter(Boolean).join(", ")}</span>${moment(created_at)}
      <button type="button" class="quiet" data-writes aria-label=${`Delete ${name}`} onclick=${() => remove(one, draw)}>Delete</button></p>
    ${error && html`<p class="excerpt">${error.message}</p>`}
  </li>`;
}

/** It stays on the server until the notice has gone: there is no trash for files. */
export function remove({ id, name }, draw = () => {}) {
  const restore = () => (hidden.delete(id), draw());
  const settle = ({ leaving }) =>
    api.remove(`/documents/${segment(id)}`, { keepalive: leaving }).catch((error) => error.status === 404 || (restore(), toast(`Not deleted: ${error.message}`)));
  hidden.add(id);
  draw();
  toast(`Deleted “${name}”.`, { undo: restore, settle });
}

/* Files on their way: they go on while their sender walks about, and stay where they are when they fail. */

const AT_ONCE = 2;
const changes = new EventTarget();
let uploads = [];

function watchUploads(hear, signal) {
  changes.addEventListener("change", ({ detail }) => hear(detail), { signal });
}

function add(files) {
  uploads.push(...[...files].map((file) => ({ file, key: ulid(), part: 0, state: "waiting", problem: "", stop: null })));
  next();
}

/** Whether a document that is still being sent is one of ours, which has its row here. */
const sending = ({ status: at, name, bytes }) => at === "uploading" && uploads.some(({ file }) => file.name === name && file.size === bytes);

const uploadRows = () => uploads.map(uploadRow);

function next() {
  changed();
  if (uploads.filter(({ state }) => state === "running").length >= AT_ONCE) return;
  const one = uploads.find(({ state }) => state === "waiting");
  if (!one) return;
  send(one);
  next();
}

async function send(one) {
  Object.assign(one, { state: "running", problem: "", part: 0, stop: new AbortController() });
  const progress = (part) => ((one.part = part), changed());
  try {
    await upload(one.file, { key: one.key, progress, signal: one.stop.signal });
    leave(one);
    say(`${one.file.name} is there.`);
    changed({ added: true });
  } catch (error) {
    if (error.name === "AbortError") leave(one);
    else Object.assign(one, { state: "failed", problem: error.message });
  }
  next();
}

const leave = (one) => (uploads = uploads.filter((other) => other !== one));
const changed = (detail = {}) => changes.dispatchEvent(new CustomEvent("change", { detail }));

function uploadRow(one) {
  const { file, part, state, problem } = one;
  const percent = Math.round(part * 100);
  const again = () => ((one.state = "waiting"), next());
  const drop = () => (one.state === "running" ? one.stop.abort() : (leave(one), changed()));
  const word = { waiting: "Waiting", running: part < 1 ? `Sending, ${percent} %` : "Looking at it", failed: "Not taken" }[state];
  return html`<li>
    <p class="title">${file.name}</p>
    ${state === "running" && meter([[part, "used"]], `${percent} % sent`)}
    <p class="meta row">${status(state, word)}<span>${size(file.size)}</span>
      ${state === "failed" && html`<button type="button" onclick=${again}>Retry</button>`}
      <button type="button" class="quiet" aria-label=${`Leave ${file.name} out`} onclick=${drop}>${state === "running" ? "Stop" : "Leave it out"}</button></p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  </li>`;
}

/* Documents in words. */

const UNITS = ["bytes", "KB", "MB", "GB"];

/** "1.4 MB". */
export function size(bytes) {
  let [value, n] = [bytes, 0];
  while (value >= 1000 && n < UNITS.length - 1) [value, n] = [value / 1000, n + 1];
  return `${value.toLocaleString(undefined, { maximumFractionDigits: n && value < 10 ? 1 : 0 })} ${UNITS[n]}`;
}

/** Where a document is, as icon, word and colour. */
export function state({ status: name, position, pages, problems }) {
  if (name === "uploading") return status("running", "being sent");
  if (name === "extracting") return status("running", pages > 1 ? `reading, ${position.part} of ${pages}` : "reading");
  if (name === "failed") return status("failed", "not readable");
  return problems.length ? status("cancelled", `ready, ${count(problems.length, "problem")}`) : status("completed", "ready");
}

/** "12 pages", "3 sheets"; empty where it has none. */
export const parts = ({ type, pages }) => (pages ? count(pages, type === "xlsx" ? "sheet" : "page") : "");

/* Sending a file, with progress: fetch tells none of what it has sent. */

const DIRECT_BYTES = 32_000_000;

/** Send a file as a document; `progress(part)` hears 0 to 1. The same `key` again is the same document. Raises Refusal. */
async function upload(file, { key, progress = () => {}, signal }) {
  if (file.size > DIRECT_BYTES) return large(file, { key, progress, signal });
  const form = new FormData();
  form.append("file", file);
  const headers = { ...credentials(), "Idempotency-Key": key };
  return JSON.parse(await transmit("POST", url("/documents"), headers, form, progress, signal));
}

/** A large file goes straight to where files are kept. */
async function large(file, { key, progress, signal }) {
  const { document, url: place, headers } = await api.post("/documents/uploads", { name: file.name, bytes: file.size }, { key, signal });
  await transmit("PUT", place, headers, file, progress, signal);
  return api.post(`/documents/${encodeURIComponent(document.id)}/complete`);
}

function transmit(method, address, headers, body, progress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    request.onload = () => (request.status < 300 ? resolve(request.responseText) : reject(refusal(request)));
    request.onerror = () => reject(new Refusal(0, navigator.onLine === false ? "You are offline." : "The connection broke."));
    request.onabort = () => reject(new DOMException("Stopped.", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

function refusal({ status, responseText }) {
  try {
    return refused(status, JSON.parse(responseText).error);
  } catch {
    return refused(status);
  }
}
