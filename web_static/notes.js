/** The list of notes with the capture box, and one note. */

import { api } from "./api.js";
import { elapsed, h, moment, outside, put, say, state } from "./dom.js";
import { keepFresh } from "./fresh.js";

const PAGE = 50;

export async function notesView({ main, signal }) {
  const list = h("ul", { class: "list" });
  const empty = h("p", { class: "empty", hidden: true }, "No notes yet. Write one above: a thought, a link, a question.");
  const more = h("button", { type: "button", hidden: true }, "Older notes");
  let limit = PAGE;
  const load = async () => {
    const [{ notes, next_cursor }, { operations }] = await Promise.all([
      api.get(`/notes?limit=${limit}`, signal),
      api.get("/operations?status=running&limit=50", signal),
    ]);
    return { notes, more: Boolean(next_cursor) && limit < 200, operations: operations.map(pendingFacts) };
  };
  const draw = ({ notes, more: others, operations }) => {
    const pending = new Map(operations.map((operation) => [operation.source_note_id, operation]));
    put(list, ...notes.map((note) => h("li", {}, item(note, pending.get(note.id)))));
    empty.hidden = notes.length > 0;
    more.hidden = !others;
  };
  const refresh = keepFresh(load, draw, signal);
  more.addEventListener("click", () => {
    limit = Math.min(200, limit + PAGE);
    refresh();
  });
  put(main, h("h1", {}, "Notes"), captureBox(refresh), list, empty, more);
  await refresh();
}

const pendingFacts = ({ id, source_note_id, created_at }) => ({ id, source_note_id, created_at });

function item(note, operation) {
  return h(
    "a",
    { class: "item", href: `#/notes/${encodeURIComponent(note.id)}` },
    h("p", { class: "title" }, note.title || firstLine(note.body) || "(empty)"),
    note.title && h("p", { class: "excerpt" }, firstLine(note.body)),
    facts(note, operation),
  );
}

function facts(note, operation) {
  return h(
    "p",
    { class: "meta row" },
    h("span", { class: `kind ${note.kind}` }, note.partial ? `${note.kind}, partial` : note.kind),
    moment(note.created_at),
    operation && h("span", { class: "row" }, state("running", "researching"), elapsed(operation.created_at)),
    ...note.tags.map((tag) => h("span", { class: "tag" }, `#${tag}`)),
  );
}

/** The first line that says something: a heading only where there is nothing else. */
function firstLine(text) {
  const lines = text.split("\n").filter((line) => line.trim() && !/^[#\s|-]+$/.test(line));
  return lines.find((line) => !line.startsWith("#")) ?? lines[0]?.replace(/^#+\s*/, "") ?? "";
}

/** Captures once whatever happens: a second try carries the first one's idempotency key. What is typed stays until it is kept. */
function captureBox(kept) {
  const body = h("textarea", { name: "body", placeholder: "Write something down…", "aria-label": "Text of the note", required: true });
  const tags = h("input", { name: "tags", placeholder: "battery, research", autocapitalize: "off", autocomplete: "off" });
  const button = h("button", { class: "primary" }, "Keep");
  const problem = h("p", { class: "meta", role: "alert" });
  let sent = { content: null, key: null };
  const submit = async (event) => {
    event.preventDefault();
    const note = { body: body.value, tags: tags.value.split(/[\s,]+/).map((tag) => tag.replace(/^#/, "")).filter(Boolean) };
    const content = JSON.stringify(note);
    if (sent.content !== content) sent = { content, key: crypto.randomUUID() };
    button.disabled = true;
    problem.textContent = "";
    try {
      await api.post("/notes", note, { "Idempotency-Key": sent.key });
      sent = { content: null, key: null };
      body.value = tags.value = "";
      say("Kept.");
      await kept();
    } catch (error) {
      problem.textContent = `Not kept: ${error.message}`;
    } finally {
      button.disabled = false;
    }
  };
  const form = h(
    "form",
    { class: "card stack", onsubmit: submit },
    body,
    h("div", { class: "pair" }, h("label", { class: "field" }, h("span", {}, "Tags; “research” starts a research run"), tags), button),
    problem,
  );
  body.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.isComposing) form.requestSubmit();
  });
  return form;
}

export async function noteView({ main, signal, argument: id }) {
  const path = `/notes/${encodeURIComponent(id)}`;
  const load = async () => {
    const [{ note }, { operations }] = await Promise.all([api.get(path, signal), api.get("/operations?limit=200", signal)]);
    return { note, operations: operations.filter((one) => one.source_note_id === id).map(runFacts) };
  };
  const draw = ({ note, operations }) => {
    document.title = `${note.title || "Note"} · Memex`;
    put(
      main,
      h("header", { class: "stack" }, h("h1", {}, note.title || "Untitled"), facts(note, null)),
      relations(note, operations),
      h("div", { class: "reading" }, ...bodyOf(note)),
      sources(note),
    );
  };
  await keepFresh(load, draw, signal)();
}

const runFacts = ({ id, status, created_at, finished_at, result_note_id }) => ({ id, status, created_at, finished_at, result_note_id });

function relations(note, operations) {
  const rows = operations.map((operation) =>
    h(
      "p",
      { class: "row" },
      state(operation.status),
      h("a", { href: `#/operations/${encodeURIComponent(operation.id)}` }, "research run"),
      elapsed(operation.created_at, operation.finished_at),
      operation.result_note_id && h("a", { href: `#/notes/${encodeURIComponent(operation.result_note_id)}` }, "report"),
    ),
  );
  if (note.source_note_id) rows.push(h("p", {}, "Written about ", h("a", { href: `#/notes/${encodeURIComponent(note.source_note_id)}` }, "this note"), "."));
  if (note.operation_id) rows.push(h("p", {}, h("a", { href: `#/operations/${encodeURIComponent(note.operation_id)}` }, "How it came about")));
  const research = !note.tags.includes("research") && note.kind === "capture" && researchButton(note);
  if (research) rows.push(h("p", {}, research));
  return rows.length ? h("section", { class: "notice stack", "aria-label": "What belongs to it" }, rows) : null;
}

function researchButton(note) {
  const start = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      await api.patch(`/notes/${encodeURIComponent(note.id)}`, { add_tags: ["research"] });
      say("Tagged. The research starts.");
    } catch (error) {
      currentTarget.disabled = false;
      say(error.message);
    }
  };
  return h("button", { type: "button", onclick: start }, "Research this");
}

/** The markdown source with its headings in bold and its citation numbers as links. */
function bodyOf(note) {
  const known = new Set(note.citations.map((citation) => citation.n));
  return textOf(note).split(/(?<=\n)/).flatMap((line) => {
    const pieces = line.split(/(\[\d+\])(?!\()/).map((piece) => {
      const number = Number(piece.match(/^\[(\d+)\]$/)?.[1]);
      return known.has(number) ? h("a", { class: "cite", href: `#source-${number}`, onclick: (event) => toSource(event, number) }, String(number)) : piece;
    });
    return /^#{1,6}\s/.test(line) ? [h("span", { class: "heading" }, pieces)] : pieces;
  });
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
