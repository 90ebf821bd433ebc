/** One note: reading it, changing it, having it researched. */

import { api } from "./api.js";
import { elapsed, h, outside, put, say, sayNext, state } from "./dom.js";
import { editor } from "./editor.js";
import { keepFresh } from "./fresh.js";
import { markdown } from "./markdown.js";
import { facts } from "./notes.js";
import { nameOf } from "./words.js";

export async function noteView({ main, signal, argument: id }) {
  const path = `/notes/${encodeURIComponent(id)}`;
  let latest = null;
  let editing = false;
  const load = async () => {
    const [{ note }, { operations }] = await Promise.all([api.get(path, signal), api.get("/operations?limit=200", signal)]);
    return { note, operations: operations.filter((one) => one.source_note_id === id).map(runFacts) };
  };
  const draw = (value) => {
    latest = value;
    if (!editing) put(main, ...shown(value));
    document.title = `${nameOf(value.note)} · Memex`;
  };
  const refresh = keepFresh(load, draw, signal);
  const edit = () => {
    editing = true;
    const done = async (changed) => {
      editing = false;
      draw(latest);
      main.querySelector("[data-edit]")?.focus();
      if (changed) await refresh();
    };
    put(main, h("h1", {}, "Edit"), editor(latest.note, done));
    main.querySelector("textarea").focus();
  };
  const shown = ({ note, operations }) => [
    h("header", { class: "stack" }, h("h1", {}, nameOf(note)), facts(note, null), actions(note, operations, edit, refresh)),
    relations(note, operations),
    h("div", { class: "reading" }, markdown(textOf(note), citing(note))),
    sources(note),
  ];
  await refresh();
}

/** What can be done with a note. */
function actions(note, operations, edit, refresh) {
  const place = h("div", { class: "row" });
  const running = operations.some(({ status }) => status === "running");
  const ask = () => {
    put(place, h("span", {}, "Delete this note for good?"), removeButton(note), h("button", { type: "button", onclick: show }, "Keep it"));
    place.querySelector("button").focus();
  };
  const show = () =>
    put(
      place,
      note.kind === "capture" && !running && researchButton(note, refresh),
      h("button", { type: "button", "data-edit": true, onclick: edit }, "Edit"),
      h("button", { type: "button", onclick: ask }, "Delete"),
    );
  show();
  return place;
}

function removeButton(note) {
  const remove = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      await api.remove(`/notes/${encodeURIComponent(note.id)}`);
      sayNext("Deleted.");
      location.hash = "#/notes";
    } catch (error) {
      currentTarget.disabled = false;
      say(error.message);
    }
  };
  return h("button", { type: "button", class: "bad", onclick: remove }, "Delete");
}

/** Tags the note; one that has the tag loses it first, since only a new tag starts a new run. */
function researchButton(note, refresh) {
  const path = `/notes/${encodeURIComponent(note.id)}`;
  const again = note.tags.includes("research");
  const start = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      if (again) await api.patch(path, { remove_tags: ["research"] });
      await api.patch(path, { add_tags: ["research"] });
      say("Tagged. The research starts.");
    } catch (error) {
      say(error.message);
    }
    setTimeout(() => (currentTarget.disabled = false), 5000);
    await refresh().catch(() => {});
  };
  return h("button", { type: "button", onclick: start }, again ? "Research again" : "Research this");
}

const runFacts = ({ id, status, created_at, finished_at, result_note_id, error }) => ({ id, status, created_at, finished_at, result_note_id, error });

function relations(note, operations) {
  const rows = operations.map((operation) =>
    h(
      "p",
      { class: "row" },
      state(operation.status),
      h("a", { href: `#/operations/${encodeURIComponent(operation.id)}` }, "research run"),
      elapsed(operation.created_at, operation.finished_at),
      operation.result_note_id && h("a", { href: `#/notes/${encodeURIComponent(operation.result_note_id)}` }, "report"),
      operation.error && h("span", { class: "meta" }, operation.error.message),
    ),
  );
  if (note.source_note_id) rows.push(h("p", {}, "Written about ", h("a", { href: `#/notes/${encodeURIComponent(note.source_note_id)}` }, "this note"), "."));
  if (note.operation_id) rows.push(h("p", {}, h("a", { href: `#/operations/${encodeURIComponent(note.operation_id)}` }, "How it came about")));
  return rows.length ? h("section", { class: "notice stack", "aria-label": "What belongs to it" }, rows) : null;
}

/** What makes links of the numbers of a note's sources. */
function citing({ citations }) {
  const known = new Set(citations.map(({ n }) => n));
  return (n) => (known.has(n) ? h("a", { class: "cite", href: `#source-${n}`, onclick: (event) => toSource(event, n) }, String(n)) : null);
}

/** The body without the list of sources at its end, where they are shown from the note's citations. */
function textOf({ body, citations }) {
  const end = citations.length ? body.lastIndexOf("\n## Sources\n") : -1;
  return end < 0 ? body : body.slice(0, end).trimEnd();
}

function toSource(event, number) {
  event.preventDefault();
  const source = document.getElementById(`source-${number}`);
  source.scrollIntoView({ block: "center" });
  (source.querySelector("a") ?? source).focus();
}

function sources(note) {
  if (!note.citations.length) return null;
  const rows = note.citations.map(({ n, title, url, note_id, resolved }) => {
    const place = note_id ? h("a", { href: `#/notes/${encodeURIComponent(note_id)}` }, title || note_id) : url ? outside(url, title || url) : h("s", {}, title);
    const doubt = (!note_id && !url && "unverified") || (!resolved && "redirect, not resolved");
    return h("li", { id: `source-${n}` }, h("span", { class: "number" }, String(n)), h("span", {}, place, doubt && h("span", { class: "meta" }, ` ${doubt}`)));
  });
  return h("section", { class: "stack" }, h("h2", {}, "Sources"), h("ol", { class: "sources" }, rows));
}
