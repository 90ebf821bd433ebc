/** Deleted notes: for thirty days they can be had back. Only taking one away for good asks. */

import { restoreNotes } from "../feed/deleting.js";
import { kind } from "../../components/tags/tags.js";
import { toast } from "../../components/toasts/toasts.js";
import { api, segment } from "../../core/api.js";
import { paged } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { focusOn, walkRows } from "../../core/keys.js";
import { count, moment } from "../../core/words.js";

const DAY = 86_400_000;

export async function show({ main, signal }) {
  const list = html`<ul class="list trash"></ul>`;
  let asking = null;
  const draw = ({ notes }) => {
    if (asking && notes.some(({ id }) => id === asking)) return;
    asking = null;
    const empty = html`<li class="empty"><p>Nothing here.</p><p class="meta">A note that you delete waits here for 30 days. <a href="#/notes">All notes</a></p></li>`;
    put(list, notes.length ? notes.map((note) => row(note, can)) : empty);
  };
  const { refresh, more } = paged({ asked: () => ["/trash"], draw, words: "Older ones", signal, seconds: 5 });
  walkRows(list, signal);
  const done = async (words) => {
    asking = null;
    toast(words);
    await refresh();
    focusOn(list.querySelector("button") ?? main.querySelector("h1"));
  };
  const can = {
    restore: async ({ id, title }) => {
      await restoreNotes([id]);
      await done(html`Restored “<a href=${`#/notes/${segment(id)}`}>${title || "a note"}</a>”.`);
    },
    purge: async ({ id, title }) => {
      await api.remove(`/trash/${segment(id)}`);
      await done(`“${title || "A note"}” is gone for good.`);
    },
    ask: (id) => (asking = id),
  };
  put(main, html`<header><h1>Deleted notes</h1><p class="meta">They are kept for 30 days.</p></header>`, list, more);
  await refresh();
}

function row(note, can) {
  const { title, deleted_at, kept_until } = note;
  const name = title || "(empty)";
  const days = Math.max(0, Math.ceil((Date.parse(kept_until) - Date.now()) / DAY));
  const problem = html`<p class="problem" role="alert"></p>`;
  const acts = html`<div class="row"></div>`;
  const trying = (act) => async ({ currentTarget }) => {
    currentTarget.disabled = true;
    await act(note).catch((error) => ((problem.textContent = error.message), (currentTarget.disabled = false)));
  };
  const offer = () => {
    can.ask(null);
    put(acts, html`<button type="button" data-writes aria-label=${`Restore ${name}`} onclick=${trying(can.restore)}>Restore</button>
      <button type="button" class="quiet" data-writes aria-label=${`Delete ${name} for good`} onclick=${ask}>Delete for good</button>`);
  };
  const ask = () => {
    can.ask(note.id);
    put(acts, html`<span>For good? Nobody can bring it back then.</span><button type="button" class="danger" onclick=${trying(can.purge)}>Delete it for good</button>
      <button type="button" onclick=${() => (offer(), focusOn(acts.querySelector("button")))}>Keep it</button>`);
    focusOn(acts.querySelector("button"));
  };
  offer();
  return html`<li data-row=${note.id}>
    <p class="title">${name}</p>
    <p class="meta row">${kind(note)}<span>deleted ${moment(deleted_at)}</span><span>${count(days, "day")} left</span>${note.tags.map((tag) => html`<span class="tag">#${tag}</span>`)}</p>
    ${acts}${problem}
  </li>`;
}
