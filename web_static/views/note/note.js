/** One note: read, traced, changed, researched. */

import { deleteNotes } from "../feed/deleting.js";
import { actions, history, relations, Runs, suggestions } from "./about.js";
import { editor } from "./editor.js";
import { markPassage, reading, sources, textOnly } from "../../components/markdown/markdown.js";
import { kind, tag } from "../../components/tags/tags.js";
import { api, query, segment } from "../../core/api.js";
import { keepFresh } from "../../core/fresh.js";
import { html, put } from "../../core/html.js";
import { focusOn, key } from "../../core/keys.js";
import { go, renameAddress, titled } from "../../core/router.js";
import { moment, nameOf } from "../../core/words.js";

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
