// Collections, documents and fields. A document is edited as typed JSON and written only over the version that was seen.

import { code, empty, field, h, head, link, region, state, table, when } from "../dom.js";
import { get, send } from "../net.js";
import { doing, toast } from "../toast.js";

const EXAMPLE = '{\n  "title": "A note",\n  "count": 1,\n  "at": {"$timestamp": "2026-01-31T12:00:00Z"}\n}';
const HINT = "Plain JSON; 12 is an integer, 1.5 a double. Other types: $timestamp, $bytes, $reference, $geo, $vector, $double, $integer, $map. ⌘ or Ctrl with Enter saves.";

const address = (path) => `#/firestore/${path.split("/").map(encodeURIComponent).join("/")}`;
const changed = () => dispatchEvent(new Event("changed"));

export default function firestore(words, query) {
  const path = words.join("/");
  const element = h("section", null), editor = h("div", null), live = region();
  const token = query.get("page_token") ?? "", database = query.get("database") ?? "";
  const twin = `/firestore?${new URLSearchParams({ path, ...(token && { page_token: token }), ...(database && { database }) })}`;
  let seen, current, notice, stale = false;

  const inDatabase = (content) => (database ? { database, ...content } : content);
  const suffix = database ? `?${new URLSearchParams({ database })}` : "";
  const to = (one) => address(one) + suffix;
  const actions = region({ class: "row" });
  element.append(crumbs(words, suffix) || "", head(words.at(-1) ?? "Firestore", words.length ? null : "What the functions have written, and what you write: triggers fire for it as for any write.", `/_cloud${twin}`, actions), editor, live);

  function edit(title, start, save) {
    const text = h("textarea", { class: "tall", spellcheck: "false", "aria-label": "Fields as typed JSON", value: start });
    const error = h("p", { class: "error", role: "alert" });
    const id = title ? h("input", { placeholder: title.placeholder, autocomplete: "off" }) : null;
    const close = () => (editor.replaceChildren(), (notice = undefined), (stale = true));
    const submit = doing(async () => {
      error.textContent = "";
      await save(text.value, id?.value.trim() ?? "");
      close();
      changed();
    }, (message) => (error.textContent = message));
    notice = h("div", null);
    const form = h("form", { class: "form", onsubmit: submit }, id && field(title.label, id), text, h("p", { class: "quiet small" }, HINT), notice, error, h("div", { class: "row" }, h("button", { class: "main" }, "Save"), h("button", { type: "button", onclick: close }, "Cancel")));
    text.addEventListener("keydown", (event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.isComposing && form.requestSubmit());
    editor.version = undefined;
    editor.replaceChildren(form);
    text.setSelectionRange(0, 0);
    (id ?? text).focus();
  }

  function editDocument() {
    const version = current.update_time;
    edit(null, JSON.stringify(current.fields, null, 2), (text) => send("PUT", "/firestore", inDatabase({ path, fields: text, update_time: version })));
    editor.version = version;
  }

  const createHere = () => edit(null, EXAMPLE, (text) => send("POST", "/firestore", inDatabase({ path, fields: text })));

  function createDocument() {
    const title = words.length % 2
      ? { label: "Id", placeholder: "left empty, one is made" }
      : { label: "Path", placeholder: "collection/id" };
    edit(title, EXAMPLE, async (text, id) => {
      const where = [path, id].filter(Boolean).join("/");
      const made = await send("POST", "/firestore", inDatabase({ path: where, fields: text }));
      location.hash = to(made.path);
    });
  }

  const remove = doing(async () => {
    const gone = current;
    await send("DELETE", "/firestore", inDatabase({ path, update_time: gone.update_time }));
    toast(`Deleted ${words.at(-1)}`, async () => {
      try {
        await send("POST", "/firestore", inDatabase({ path: gone.path, fields: gone.fields }));
      } catch (failure) {
        toast(failure.message);
      }
      changed();
    });
    changed();
  });

  function buttons(data) {
    const create = h("button", { "data-key": "new", onclick: createDocument }, words.length ? (words.length % 2 ? "New document" : "New below") : "New document");
    if (data.kind !== "document") return create;
    if (!data.exists) return [h("button", { "data-key": "here", onclick: createHere }, "Create it"), create];
    return [h("button", { "data-key": "edit", class: "main", onclick: editDocument }, "Edit"), h("button", { "data-key": "delete", onclick: remove }, "Delete"), create];
  }

  function build(data) {
    if (data.kind === "collection") return collection(data, to, twin, query);
    const below = data.collections.length > 0 && [words.length > 0 && h("h2", null, "Collections"), h("ul", { class: "list" }, data.collections.map((id) => h("li", null, link(to([path, id].filter(Boolean).join("/")), id))))];
    if (data.kind === "root") return [databases(data), below || empty("No documents yet. Write one with New document, or through a client of the emulator's address.")];
    return [data.exists ? fields(data) : empty(`There is no document at this path${below ? ", only others below it" : ""}.`), below];
  }

  function warn() {
    if (!notice || !editor.version || current.update_time === editor.version) return void notice?.replaceChildren();
    const text = current.exists ? "The document has changed since you began: saving would be refused." : "The document is gone.";
    if (!notice.firstChild) notice.append(h("div", { class: "note" }, text, current.exists && h("button", { type: "button", onclick: editDocument }, "Begin anew from what is there")));
  }

  return {
    element,
    refresh: async (summary) => {
      if (seen === summary.change && !stale) return;
      current = await get(twin);
      seen = current.change;
      stale = false;
      const { change, ...data } = current;
      actions.show([data.kind, data.exists], () => buttons(data));
      live.show(data, build);
      warn();
    },
  };
}

function crumbs(words, query) {
  const steps = words.slice(0, -1).map((word, at) => [" / ", link(address(words.slice(0, at + 1).join("/")) + query, word)]);
  return words.length > 0 && h("nav", { class: "crumbs", "aria-label": "Path" }, link(`#/firestore${query}`, "Firestore"), steps);
}

function databases(data) {
  if (data.databases.length < 2) return null;
  return h("div", { class: "chips" }, data.databases.map((name) => h("a", { href: `#/firestore?${new URLSearchParams({ database: name })}`, "aria-current": name === data.database }, name.replace(/^projects\//, ""))));
}

function collection(data, to, twin, query) {
  const token = data.next_page_token, first = query.get("page_token");
  const page = (value) => `#${location.hash.slice(1).split("?")[0]}?${new URLSearchParams({ ...Object.fromEntries(query), page_token: value })}`;
  if (!data.documents.length) return empty("No documents here.");
  return [
    table([
      ["Document", (one) => link(to(one.path), code(one.path.split("/").at(-1))), "id"],
      ["Fields", (one) => (one.exists ? h("span", { class: "quiet" }, one.preview) : h("span", { class: "quiet" }, "missing, with documents below")), "long"],
      ["Written", (one) => when(one.update_time), "fit"],
    ], data.documents),
    (token || first) && h("p", { class: "row" }, first && h("a", { class: "button", href: page("") }, "First page"), token && h("a", { class: "button", href: page(token) }, "Next page")),
  ];
}

function fields(data) {
  const rows = Object.entries(data.fields);
  const times = h("p", { class: "quiet small" }, "Written ", when(data.update_time), ", created ", when(data.create_time), ".");
  return [times, rows.length ? table([["Field", ([name]) => code(name), "fit"], ["Type", ([, value]) => h("span", { class: "quiet" }, kindOf(value)), "fit"], ["Value", ([, value]) => shown(value), "long mono"]], rows) : empty("A document without fields.")];
}

const tagOf = (value) => {
  const names = Object.keys(value);
  return names.length === 1 && names[0].startsWith("$") ? names[0].slice(1) : null;
};

function kindOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof value === "object") return tagOf(value) ?? "map";
  return typeof value === "number" ? (Number.isInteger(value) ? "integer" : "double") : typeof value;
}

function shown(value) {
  if (value === "") return h("span", { class: "quiet" }, '""');
  if (typeof value === "string") return value.length > 600 ? h("div", { class: "clip" }, value) : value;
  const tag = value !== null && typeof value === "object" && !Array.isArray(value) ? tagOf(value) : null;
  if (tag === "reference" && !value.$reference.startsWith("projects/")) return link(address(value.$reference), value.$reference);
  if (tag && typeof value[`$${tag}`] !== "object") return String(value[`$${tag}`]);
  const text = JSON.stringify(tag ? value[`$${tag}`] : value, null, 2);
  return text.length > 70 && typeof value === "object" ? h("div", { class: "clip" }, h("span", null, ...text.split("\n").flatMap((one, at) => (at ? [h("br"), indent(one)] : [one])))) : JSON.stringify(tag ? value[`$${tag}`] : value);
}

const indent = (line) => line.replace(/^ +/, (spaces) => "\u00a0".repeat(spaces.length));
