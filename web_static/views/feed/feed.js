/** The feed: writing something down, and all notes, newest first, filtered and searched as one types. */

import { captureBox, waitingRows } from "../../components/capture/capture.js";
import { api } from "../../core/api.js";
import { dropping, importFiles } from "../../components/importing/importing.js";
import { html, put } from "../../core/html.js";
import { keepFresh } from "../../core/fresh.js";
import { watchOutbox, waiting } from "../../core/outbox.js";
import { search } from "../../core/search.js";
import { deleted, watchDeleted } from "./deleting.js";
import { empty, filters } from "./filters.js";
import { rowKeys } from "./keys.js";
import { Pending } from "./pending.js";
import { row } from "./row.js";

const PAGE = 50;

export async function show({ main, signal, wanted }) {
  const list = html`<ul class="list feed"></ul>`;
  const ahead = html`<ul class="list ahead" aria-label="On their way"></ul>`;
  const nothing = html`<div class="empty" hidden></div>`;
  const away = html`<p class="notice warn" role="alert" hidden></p>`;
  const more = html`<button type="button" hidden>Older notes</button>`;
  const pending = new Pending(list, signal);
  const kept = new Map();
  let limit = PAGE;
  let latest = null;

  const load = async () => {
    const { q, tag, kind } = Object.fromEntries(wanted);
    const [found, { operations }] = await Promise.all([search({ q, tag, kind, limit }, signal), api.get("/operations?kind=deep_research&status=running&limit=50", signal)]);
    return { ...found, filtered: Boolean(q || tag || kind), running: operations.map(({ id, source_note_id, created_at, seq }) => ({ id, source_note_id, created_at, seq })) };
  };
  const draw = (value = latest) => {
    latest = value;
    if (!latest) return;
    away.hidden = true;
    const listed = new Set(latest.notes.map(({ id }) => id));
    const fresh = latest.filtered ? [] : [...kept.values()].filter(({ id }) => !listed.has(id));
    const notes = [...fresh, ...latest.notes].filter(({ id }) => !deleted.has(id));
    const focused = document.activeElement?.closest?.("[data-row]")?.dataset.row;
    put(list, notes.map((note) => row(note, { words: latest.words, operation: latest.running.find((one) => one.source_note_id === note.id) })));
    if (focused) list.querySelector(`[data-row="${CSS.escape(focused)}"] a`)?.focus({ preventScroll: true });
    pending.follow(latest.running);
    put(nothing, empty(latest.filtered));
    nothing.hidden = notes.length > 0 || ahead.children.length > 0;
    more.hidden = !latest.next;
  };
  const drawAhead = async () => put(ahead, waitingRows(await waiting()));
  const refresh = keepFresh(load, draw, signal);

  more.addEventListener("click", () => {
    limit += PAGE;
    refresh();
  });
  watchDeleted(() => (draw(), refresh().catch(() => {})), signal);
  dropping(main, importFiles, signal);
  watchOutbox(async ({ kept: one }) => {
    if (one) kept.set(one.note.id, one.note);
    await drawAhead();
    draw();
    if (one) refresh().catch(() => {});
  }, signal);
  rowKeys(list, signal);
  put(main, html`<h1 class="unseen">Notes</h1>`, captureBox(signal, wanted), filters(wanted, refresh), away, ahead, list, nothing, more, html`<p class="meta foot"><a href="#/trash">Deleted notes</a></p>`);
  await drawAhead();
  try {
    await refresh();
  } catch (error) {
    if (!error.passing) throw error;
    away.textContent = `${error.message} What you write is kept on this device; the notes come when Memex answers.`;
    away.hidden = false;
  }
  if (wanted.has("search")) main.querySelector("[data-search]").focus();
}
