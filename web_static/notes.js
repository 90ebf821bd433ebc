/** The list of notes: the capture box, the search, and what is found. */

import { api } from "./api.js";
import { elapsed, h, moment, put, say, state } from "./dom.js";
import { keepFresh } from "./fresh.js";
import { excerptOf, nameOf, tagsOf } from "./words.js";

const PAGE = 50;
const MOST = 200;
const KINDS = ["capture", "research", "digest", "review", "report", "answer"];

export async function notesView({ main, signal }) {
  const list = h("ul", { class: "list" });
  const empty = h("p", { class: "empty", hidden: true });
  const more = h("button", { type: "button", hidden: true }, "Older notes");
  const wanted = new URLSearchParams(location.hash.split("?")[1] ?? "");
  let limit = PAGE;
  const load = async () => {
    const [found, { operations }] = await Promise.all([
      notesOf(wanted, limit, signal),
      api.get("/operations?status=running&limit=50", signal),
    ]);
    return { ...found, searched: String(wanted), operations: operations.map(pendingFacts) };
  };
  const draw = ({ notes, more: others, searched, operations }) => {
    const pending = new Map(operations.map((operation) => [operation.source_note_id, operation]));
    put(list, ...notes.map((note) => h("li", {}, item(note, pending.get(note.id)))));
    empty.textContent = searched ? "Nothing found. Try fewer words, or all kinds." : "No notes yet. Write one above: a thought, a link, a question.";
    empty.hidden = notes.length > 0;
    more.hidden = !others;
  };
  const refresh = keepFresh(load, draw, signal);
  more.addEventListener("click", () => {
    limit = Math.min(MOST, limit + PAGE);
    refresh();
  });
  put(main, h("h1", {}, "Notes"), captureBox(refresh), searchBox(wanted, refresh), list, empty, more);
  await refresh();
}

/** Up to `limit` notes. A page of a search may be short and yet go on, so a few are asked for. */
async function notesOf(wanted, limit, signal) {
  const notes = [];
  let cursor = "";
  for (let page = 0; page < 10 && notes.length < limit; page += 1) {
    const query = new URLSearchParams([...wanted, ["limit", limit - notes.length], ...(cursor ? [["cursor", cursor]] : [])]);
    const answer = await api.get(`/notes?${query}`, signal);
    notes.push(...answer.notes);
    cursor = answer.next_cursor;
    if (!cursor) break;
  }
  return { notes, more: Boolean(cursor) && limit < MOST };
}

/** Words and kind, kept in the address so that going back finds them again. */
function searchBox(wanted, refresh) {
  const words = h("input", { type: "search", "aria-label": "Search", placeholder: "Search", maxlength: "200", value: wanted.get("q") });
  const all = h("option", { value: "" }, "All kinds");
  const options = KINDS.map((kind) => h("option", { value: kind, selected: wanted.get("kind") === kind }, kind));
  const kind = h("select", { "aria-label": "Kind" }, all, options);
  let timer;
  const search = () => {
    clearTimeout(timer);
    for (const [name, value] of [["q", words.value.trim()], ["kind", kind.value]]) value ? wanted.set(name, value) : wanted.delete(name);
    history.replaceState(null, "", String(wanted) ? `#/notes?${wanted}` : "#/notes");
    refresh().catch((error) => say(error.message));
  };
  words.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 250);
  });
  kind.addEventListener("change", search);
  const submit = (event) => (event.preventDefault(), search());
  return h("form", { class: "pair", role: "search", onsubmit: submit }, words, kind);
}

const pendingFacts = ({ id, source_note_id, created_at }) => ({ id, source_note_id, created_at });

function item(note, operation) {
  return h(
    "a",
    { class: "item", href: `#/notes/${encodeURIComponent(note.id)}` },
    h("p", { class: "title" }, nameOf(note)),
    note.title && h("p", { class: "excerpt" }, excerptOf(note.body)),
    facts(note, operation),
  );
}

/** What a note is, when it was written, its tags; and the research that is under way. */
export function facts(note, operation) {
  return h(
    "p",
    { class: "meta row" },
    h("span", { class: `kind ${note.kind}` }, note.partial ? `${note.kind}, partial` : note.kind),
    moment(note.created_at),
    operation && h("span", { class: "row" }, state("running", "researching"), elapsed(operation.created_at)),
    ...note.tags.map((tag) => h("span", { class: "tag" }, `#${tag}`)),
  );
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
    const note = { body: body.value, tags: tagsOf(tags.value) };
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
