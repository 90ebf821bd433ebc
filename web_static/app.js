/** The page: which address shows which view, and asking for the token. */

import { api, token } from "./api.js";
import { h, hush, put, sayNext, tick } from "./dom.js";
import { noteView } from "./note.js";
import { notesView } from "./notes.js";
import { operationView, operationsView } from "./operations.js";

const main = document.getElementById("main");
const WRONG = "This is not the token of this Memex: look at what make run (or memex up) printed.";
let leaving = new AbortController();

const ROUTES = [
  [/^#\/notes(?:\?.*)?$/, notesView, "notes", "Notes"],
  [/^#\/notes\/([^/]+)$/, noteView, "notes", "Note"],
  [/^#\/operations$/, operationsView, "operations", "Operations"],
  [/^#\/operations\/([^/]+)$/, operationView, "operations", "Operation"],
  [/^#\/settings$/, settingsView, "settings", "Settings"],
];

/** Show the view of the address. A view gets {main, signal, argument} and stops its work when `signal` is aborted. */
async function show() {
  if (location.hash.startsWith("#source-") || location.hash === "#main") return;
  const [match, view, name, title] = route() ?? [null, notesView, "notes", "Notes"];
  leaving.abort();
  leaving = new AbortController();
  document.title = `${title} · Memex`;
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  put(main);
  hush();
  scrollTo(0, 0);
  const { signal } = leaving;
  if (!token.get() && view !== settingsView) return tokenView({ main });
  try {
    await view({ main, signal, argument: match?.[1] ? decodeURIComponent(match[1]) : null });
  } catch (error) {
    if (!signal.aborted) refused(error);
  }
}

function route() {
  for (const [pattern, view, name, title] of ROUTES) {
    const match = location.hash.match(pattern);
    if (match) return [match, view, name, title];
  }
  return null;
}

function refused(error) {
  if (error.status === 401 || error.status === 403) return tokenView({ main, problem: WRONG });
  const again = h("button", { type: "button", onclick: show }, "Try again");
  put(
    main,
    h("div", { class: "notice bad stack", role: "alert" }, h("p", {}, h("strong", {}, "That did not work. "), error.message), again),
  );
}

function tokenView({ main, problem }) {
  const input = h("input", { id: "token", name: "token", type: "password", autocomplete: "off", required: true, spellcheck: "false" });
  const hint = h("p", { class: "meta", role: "alert" }, problem ?? "");
  const submit = async (event) => {
    event.preventDefault();
    token.set(input.value);
    try {
      await api.get("/notes?limit=1");
      show();
    } catch (error) {
      token.forget();
      hint.textContent = error.status === 401 || error.status === 403 ? WRONG : error.message;
      input.select();
    }
  };
  put(
    main,
    h("h1", {}, "Welcome"),
    h("p", {}, "Memex printed a token when it started. It stays in this browser until you forget it in the settings."),
    h(
      "form",
      { class: "card stack", onsubmit: submit },
      h("label", { class: "field" }, h("span", {}, "Token"), input),
      h("div", { class: "row" }, h("button", { class: "primary" }, "Open"), hint),
    ),
  );
  input.focus();
}

function settingsView({ main }) {
  const forget = () => {
    token.forget();
    sayNext("The token is forgotten.");
    location.hash = "#/notes";
  };
  put(
    main,
    h("h1", {}, "Settings"),
    h(
      "section",
      { class: "card stack" },
      h("h2", {}, "Token"),
      h("p", {}, token.get() ? "A token is kept in this browser." : "No token is kept in this browser."),
      token.get() && h("button", { type: "button", onclick: forget }, "Forget the token"),
    ),
    h("p", { class: "meta" }, h("a", { href: "/api/v1/openapi.json" }, "Description of the API"), " (OpenAPI)"),
  );
}

addEventListener("hashchange", show);
setInterval(() => document.hidden || tick(), 1000);
show();
