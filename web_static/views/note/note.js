/** One note: read, traced, changed in its form, researched. */

import { deleteNotes } from "../feed/deleting.js";
import { actions, history, relations, Runs, suggestions } from "./about.js";
import { difference } from "../../components/diff/diff.js";
import { markPassage, reading, sources, textOnly } from "../../components/markdown/markdown.js";
import { kind, tag } from "../../components/tags/tags.js";
import { say } from "../../components/toasts/toasts.js";
import { api, query, segment } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { committing, focusOn, key } from "../../core/keys.js";
import { go, renameAddress, titled } from "../../core/router.js";
import { moment, nameOf, tagsOf } from "../../core/words.js";

export async function show({ main, signal, argument: id, wanted }) {
  const path = `/notes/${segment(id)}`;
  const runs = new Runs(signal);
  let [latest, editing] = [null, null];
  const load = async () => {
    const [answer, { operations }] = await Promise.all([api.get(path, signal), api.get(`/operations${query({ source_note_id: id, limit: 20 })}`, signal)]);
    const { seq, ...note } = answer.note;
    return { ...answer, note, seq, operations: operations.map(runFacts) };
  };
  const draw = (value = latest) => {
    latest = value;
    titled(nameOf(value.note));
    if (editing) return;
    put(main, ...shown(value, { edit, refresh, remove }));
    runs.follow(main, value.operations);
  };
  const refresh = keepFresh(load, draw, signal);
  const edit = () => {
    if (editing) return true;
    editing = new AbortController();
    const stop = AbortSignal.any([signal, editing.signal]);
    const done = async (note = null) => {
      editing.abort();
      editing = null;
      if (note) await refresh();
      draw();
      focusOn(main.querySelector("[data-edit]"));
    };
    put(main, html`<h1>Edit</h1>`, editor(latest.note, done, stop));
    main.querySelector("textarea").focus();
    return true;
  };
  const remove = () => {
    deleteNotes([id], nameOf(latest.note));
    go("#/notes");
  };
  key("e", edit, signal);
  key("#", () => (editing ? false : remove()), signal);
  await refresh();
  if (wanted.has("edit")) {
    renameAddress(`#${path}`);
    edit();
  }
  if (wanted.has("passage")) goTo(main, wanted.get("passage"));
}

function shown(value, can) {
  const { note, operations, html: markup, seq } = value;
  return [
    html`<header class="stack">
      <h1>${nameOf(note)}</h1>
      <p class="meta row">${kind(note)}${moment(note.created_at)}${note.tags.map(tag)}</p>
      ${actions(note, operations, can)}
    </header>`,
    suggestions(value, can.refresh),
    relations(note, operations),
    note.citations.length ? textOnly(reading(markup, note.citations)) : reading(markup),
    sources(note),
    history(note, seq),
  ];
}

function goTo(main, passage) {
  const mark = markPassage(main.querySelector(".reading"), passage);
  if (!mark) return;
  mark.scrollIntoView({ block: "center" });
  mark.tabIndex = -1;
  mark.focus({ preventScroll: true });
}

const runFacts = ({ id, status, created_at, finished_at, result_note_id, error, seq, usage }) => ({
  id, status, created_at, finished_at, result_note_id, error, usage, ...(status === "running" && { seq: Math.min(seq, 1) }),
});

/** The form in which a note is changed: what others changed meanwhile is shown, not lost. `done(note)` is called with the note as saved, or without one. */
function editor(note, done, signal) {
  const title = html`<input name="title" .value=${note.title} autocomplete="off" maxlength="300" />`;
  const body = html`<textarea name="body" rows="16" .value=${note.body}></textarea>`;
  const tags = html`<input name="tags" .value=${note.tags.join(", ")} autocapitalize="off" autocomplete="off" spellcheck="false" />`;
  const problem = html`<p class="problem" role="alert"></p>`;
  const other = html`<div></div>`;
  const button = html`<button class="primary" title="⌘Enter">Save</button>`;
  const read = () => ({ title: title.value, body: body.value, tags: tags.value });
  const kept = draft({ surface: "edit", object: note.id, revision: note.updated_at, read, signal });
  const fill = (values) => [title.value, body.value, tags.value] = [values.title, values.body, values.tags];
  const cancel = () => {
    kept.clear();
    done();
  };
  if (kept.stored) offer(kept, note, { other, fill, read });
  const submit = async (event) => {
    event.preventDefault();
    const change = changes(note, read());
    if (!Object.keys(change).length) return cancel();
    button.disabled = true;
    problem.textContent = "";
    try {
      const { note: now } = await api.get(`/notes/${segment(note.id)}`);
      if (change.body !== undefined && now.body !== note.body && !other.dataset.seen) return collide(now, body, other, button);
      const answer = await api.patch(`/notes/${segment(note.id)}`, change);
      kept.clear();
      say("Saved.");
      await done(answer.note);
    } catch (error) {
      problem.textContent = `Not saved: ${error.message}`;
      button.disabled = false;
    }
  };
  const form = html`<form class="card stack" onsubmit=${submit} oninput=${kept.touch}>
    ${other}
    <label class="field"><span>Title</span>${title}</label>
    <label class="field"><span>Text, in Markdown</span>${body}</label>
    <label class="field"><span>Tags</span>${tags}</label>
    ${problem}
    <div class="row">${button}<button type="button" onclick=${cancel}>Cancel</button></div>
  </form>`;
  key("Escape", () => (form.contains(document.activeElement) ? void document.activeElement.blur() : false), signal);
  return committing(form);
}

/** A draft of an earlier time is put into the fields; where the note has changed since, both are shown. */
function offer(kept, note, { other, fill, read }) {
  const stored = read();
  const drop = () => {
    fill(stored);
    kept.clear();
    put(other);
  };
  const changed = kept.stored.revision !== note.updated_at;
  fill(kept.stored.value);
  put(
    other,
    html`<div class="notice warn stack">
      <p>${changed ? "The note has changed since you began this draft. What your draft would change:" : "Your draft of an earlier time."}</p>
      ${changed && difference(note.body, kept.stored.value.body)}
      <p><button type="button" onclick=${drop}>Use what is stored</button></p>
    </div>`,
  );
}

/** Someone saved another text meanwhile: nothing is overwritten before that was seen. */
function collide(now, body, other, button) {
  other.dataset.seen = "yes";
  button.disabled = false;
  put(
    other,
    html`<div class="notice warn stack" role="alert">
      <p>The text was changed elsewhere while you wrote. Save once more to replace it with yours. From theirs to yours:</p>
      ${difference(now.body, body.value)}
    </div>`,
  );
  other.scrollIntoView({ block: "nearest" });
}

/** Only what was changed here, so that what others changed meanwhile stays. */
function changes(note, now) {
  const tags = tagsOf(now.tags);
  const added = tags.filter((tag) => !note.tags.includes(tag));
  const removed = note.tags.filter((tag) => !tags.includes(tag));
  return {
    ...(now.title !== note.title && { title: now.title }),
    ...(now.body !== note.body.replaceAll("\r\n", "\n") && { body: now.body }),
    ...(added.length && { add_tags: added }),
    ...(removed.length && { remove_tags: removed }),
  };
}
