/** Documents: files that were put in, and how far their text has been taken over. */

import { add, parts, sending, size, state, uploadRows, watchUploads } from "./uploads.js";
import { choosing, dropping } from "../../components/importing/importing.js";
import { toast } from "../../components/toasts/toasts.js";
import { api, query, segment } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { arrangeItems, html, put } from "../../core/html.js";
import { walkRows } from "../../core/keys.js";
import { moment } from "../../core/time.js";

const PAGE = 50;
const SECONDS = 3;
const ACCEPTED = ".txt,.md,.html,.csv,.xlsx,.pdf,.docx";

/** The ids of documents that are shown no more. */
export const hidden = new Set();

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
