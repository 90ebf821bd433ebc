/** The feed: writing something down, and all notes, newest first, filtered and searched as one types. */

import { deleted, deleteNotes, watchDeleted } from "./deleting.js";
import { captureBox, waitingRows } from "../../components/capture/capture.js";
import { dropping, importFiles } from "../../components/importing/importing.js";
import { Pending } from "../../components/research/research.js";
import { kind, pending, tag } from "../../components/tags/tags.js";
import { api, segment } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { currentRow, key, walkRows, withRow } from "../../core/keys.js";
import { waiting, watchOutbox } from "../../core/outbox.js";
import { go, renameAddress } from "../../core/router.js";
import { marked, search } from "../../core/search.js";
import { excerptOf, moment, nameOf } from "../../core/words.js";

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

/* A note as a row of the feed. */

function row(note, { words = [], operation = null } = {}) {
  const excerpt = note.title ? excerptOf(note.body) : "";
  return html`<li data-row=${note.id} data-operation=${operation?.id}>
    <a class="title" href=${`#/notes/${segment(note.id)}`}>${marked(nameOf(note), words)}</a>
    ${excerpt && html`<p class="excerpt">${marked(excerpt, words)}</p>`}
    <p class="meta row">${kind(note)}${moment(note.created_at)}${note.tags.map(tag)}${operation && pending(operation)}</p>
  </li>`;
}

/* j k o e # x on the rows of the feed. */

function rowKeys(list, signal) {
  const remove = () => {
    const chosen = [...list.querySelectorAll("[data-row].selected")];
    const going = chosen.length ? chosen : [currentRow()].filter(Boolean);
    if (!going.length) return false;
    const next = going.at(-1).nextElementSibling ?? going[0].previousElementSibling;
    const id = next?.dataset.row;
    deleteNotes(going.map((row) => row.dataset.row), going[0].querySelector(".title").textContent);
    if (id) list.querySelector(`[data-row="${CSS.escape(id)}"] a`)?.focus();
    return true;
  };
  walkRows(list, signal);
  key("e", withRow((row) => go(`${row.querySelector("a").hash}?edit`)), signal);
  key("x", withRow((row) => void row.classList.toggle("selected")), signal);
  key("#", remove, signal);
}

/* What narrows the feed: words, a kind, a tag; kept in the address, so that going back finds them again. */

const KINDS = ["capture", "research", "digest", "review", "report", "answer"];
const WAIT_MILLISECONDS = 200;

function filters(wanted, refresh) {
  const words = html`<input type="search" data-search aria-label="Search notes" placeholder="Search" maxlength="200" .value=${wanted.get("q") ?? ""} />`;
  const option = (kind) => html`<option value=${kind} selected=${wanted.get("kind") === kind}>${kind}</option>`;
  const kind = html`<select aria-label="Kind"><option value="">All kinds</option>${KINDS.map(option)}</select>`;
  const tag = html`<p class="chosen"></p>`;
  const problem = html`<p class="problem" role="alert"></p>`;
  let timer;
  const apply = () => {
    clearTimeout(timer);
    for (const [name, value] of [["q", words.value.trim()], ["kind", kind.value]]) value ? wanted.set(name, value) : wanted.delete(name);
    for (const name of ["capture", "search"]) wanted.delete(name);
    renameAddress(wanted.size ? `#/notes?${wanted}` : "#/notes");
    drawTag();
    const settled = (text) => (problem.textContent = text);
    refresh().then(() => settled(""), (error) => error.name === "AbortError" || settled(error.message));
  };
  const clear = () => {
    wanted.delete("tag");
    apply();
    words.focus();
  };
  const drawTag = () => {
    const name = wanted.get("tag");
    put(tag, name && html`<span class="tag">#${name}</span><button type="button" class="quiet" onclick=${clear}>All tags</button>`);
  };
  words.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(apply, WAIT_MILLISECONDS);
  });
  kind.addEventListener("change", apply);
  drawTag();
  const submit = (event) => (event.preventDefault(), apply());
  return html`<form class="filters" role="search" onsubmit=${submit}>${words}${kind}${tag}${problem}</form>`;
}

/** One sentence, one action, one example. */
function empty(filtered) {
  if (filtered) return html`<p>Nothing found. Try fewer words, or <a href="#/notes">see all notes</a>.</p><p class="meta">A word or two of the note is enough, such as “battery”.</p>`;
  return html`<p>No notes yet. Write one above, and ⌘Enter keeps it.</p><p class="meta">For example: “What does the cold do to a home battery?” with the tag research.</p>`;
}
