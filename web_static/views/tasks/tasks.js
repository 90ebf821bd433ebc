/** What is to be done, by its day. */

import { toast } from "../../components/toasts/toasts.js";
import { may } from "../../core/access.js";
import { api, segment, ulid } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { committing, key } from "../../core/keys.js";
import { moment } from "../../core/words.js";

const PAGE = 200;
const GROUPS = ["Overdue", "Today", "Later", "No day"];
const hidden = new Set();

export async function show({ main, signal }) {
  const list = html`<div></div>`;
  const done = html`<ul class="list"></ul>`;
  const more = html`<details class="done"><summary>Done</summary>${done}</details>`;
  let [latest, editing] = [null, null];
  const load = async () => {
    const [open, closed] = await Promise.all(["false&limit=" + PAGE, "true&limit=50"].map((wanted) => api.get(`/tasks?done=${wanted}`, signal)));
    return { open: open.tasks, closed: closed.tasks };
  };
  const draw = (value = latest) => {
    latest = value;
    if (editing) return;
    const focused = document.activeElement?.closest?.("[data-row]")?.dataset.row;
    const shown = latest.open.filter(({ id }) => !hidden.has(id));
    const sections = GROUPS.map((name) => [name, shown.filter((task) => groupOf(task) === name)]).filter(([, tasks]) => tasks.length);
    put(list, sections.map(([name, tasks]) => html`<section class=${name === "Overdue" && "overdue"}><h2>${name}</h2><ul class="list">${tasks.map((task) => row(task, can))}</ul></section>`));
    if (!shown.length) put(list, html`<div class="empty"><p>Nothing to do.</p><p class="meta">Add a task above, or tell the <a href="#/chat">chat</a> “remind me to call Anna by Friday”.</p></div>`);
    put(done, latest.closed.filter(({ id }) => !hidden.has(id)).map((task) => row(task, can)));
    more.hidden = !latest.closed.length;
    if (focused) main.querySelector(`[data-row="${CSS.escape(focused)}"] input`)?.focus();
  };
  const refresh = keepFresh(load, draw, signal);
  const change = async (task, wanted) => {
    await api.patch(`/tasks/${segment(task.id)}`, wanted);
    await refresh();
  };
  const told = (promise) => promise.catch(async (error) => {
    toast(`Not changed: ${error.message}`);
    draw();
  });
  const can = {
    done: (task) => {
      const undo = () => told(change(task, { done: task.done }));
      return told(change(task, { done: !task.done }).then(() => toast(task.done ? `“${task.title}” is open again.` : `Done: “${task.title}”.`, { undo })));
    },
    edit: (task, element) => {
      const close = () => {
        editing = null;
        draw();
        main.querySelector(`[data-row="${CSS.escape(task.id)}"] input`)?.focus();
      };
      editing = task.id;
      const save = async (values) => (await api.patch(`/tasks/${segment(task.id)}`, values), (editing = null), await refresh(), close());
      put(element, form(task, { save, close, remove: () => remove(task) }));
      element.querySelector("input").select();
    },
  };
  const remove = (task) => {
    const restore = () => (hidden.delete(task.id), draw());
    const settle = ({ leaving }) => api.remove(`/tasks/${segment(task.id)}`, { keepalive: leaving }).catch((error) => error.status === 404 || (restore(), toast(`Not deleted: ${error.message}`)));
    hidden.add(task.id);
    editing = null;
    draw();
    toast(`Deleted “${task.title}”.`, { undo: restore, settle });
  };
  put(main, html`<h1>Tasks</h1>`, adding(refresh, signal), list, more);
  keys(main, signal);
  await refresh();
}

/** The day here, as tasks have it. */
const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

function groupOf({ due }) {
  if (!due) return "No day";
  return due < today() ? "Overdue" : due === today() ? "Today" : "Later";
}

function adding(refresh, signal) {
  let name = ulid();
  const add = async (values) => {
    await api.post("/tasks", values, { key: name });
    name = ulid();
    kept.clear();
    await refresh();
  };
  const element = form({ title: "", due: null }, { save: add, word: "Add" });
  const [title, due] = [element.elements.title, element.elements.due];
  const kept = draft({ surface: "task", read: () => ({ title: title.value, due: due.value }), signal });
  if (kept.stored) [title.value, due.value] = [kept.stored.value.title, kept.stored.value.due];
  element.addEventListener("input", kept.touch);
  return element;
}

function row(task, can) {
  const { id, title, notes, due, done, done_at, source_note_id } = task;
  const element = html`<li data-row=${id} class="task">
    <input type="checkbox" checked=${done} disabled=${!may("member")} aria-label=${title} onchange=${() => can.done(task)} />
    <div class="words"><p class="title">${title}</p>${notes && html`<p class="excerpt">${notes}</p>`}
      <p class="meta row">${due && html`<time datetime=${due} class="due">${day(due)}</time>`}${done && done_at && html`<span>done ${moment(done_at)}</span>`}${source_note_id && html`<a href=${`#/notes/${segment(source_note_id)}`}>From a note</a>`}</p></div>
    <button type="button" class="quiet" aria-label=${`Edit ${title}`} data-writes onclick=${() => can.edit(task, element)}>Edit</button>
  </li>`;
  return element;
}

function day(due) {
  const date = new Date(`${due}T00:00`);
  const days = Math.round((date - new Date(`${today()}T00:00`)) / 86_400_000);
  const near = { "-1": "Yesterday", 0: "Today", 1: "Tomorrow" }[days];
  return near ?? date.toLocaleDateString(undefined, { weekday: "short", day: "numeric", month: "short", ...(Math.abs(days) > 300 && { year: "numeric" }) });
}

/** j k walk, x ticks off, e edits. */
function keys(main, signal) {
  const boxes = () => [...main.querySelectorAll("[data-row] input[type=checkbox]")].filter((one) => one.checkVisibility());
  const current = () => document.activeElement?.closest("[data-row]");
  const move = (by) => {
    const all = boxes();
    const at = all.findIndex((one) => one.closest("[data-row]") === current());
    all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus();
  };
  const press = (what) => () => current()?.querySelector(what)?.click() ?? (current() ? true : false);
  key("j", () => move(1), signal);
  key("k", () => move(-1), signal);
  key("x", press("input[type=checkbox]"), signal);
  key("e", press("button"), signal);
}

/* The form of a task, new or changed in its place; the day is typed or picked. */

/** `save(values)` may reject; the form then says why, and keeps what was typed. */
function form(task, { save, close = null, remove = null, word = "Save" }) {
  const problem = html`<p class="problem" role="alert"></p>`;
  const title = html`<input name="title" aria-label=${close ? "Task" : "New task"} placeholder="What is to be done" .value=${task.title} maxlength="300" autocomplete="off" required />`;
  const due = html`<input name="due" type="date" aria-label="Due day" .value=${task.due ?? ""} />`;
  const notes = close && html`<textarea name="notes" aria-label="Notes" rows="2" placeholder="Notes" .value=${task.notes}></textarea>`;
  const button = html`<button class="primary">${word}</button>`;
  const submit = async (event) => {
    event.preventDefault();
    if (!title.value.trim()) return title.focus();
    button.disabled = true;
    problem.textContent = "";
    try {
      await save({ title: title.value, due: due.value || null, ...(notes && { notes: notes.value }) });
      if (!close) element.reset();
      title.focus();
    } catch (error) {
      problem.textContent = `Not saved: ${error.message}`;
    }
    button.disabled = false;
  };
  const element = html`<form class="task-form" data-writes onsubmit=${submit}>
    <div class="row">${title}${due}${!close && button}</div>${notes}${problem}
    ${close && html`<div class="row">${button}<button type="button" onclick=${close}>Cancel</button><button type="button" class="quiet" onclick=${remove}>Delete</button></div>`}
  </form>`;
  return committing(element, close);
}
