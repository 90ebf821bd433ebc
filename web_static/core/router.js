/**
 * Addresses and views. A view is a row of views.js; its folder has a module and a style sheet of the same name, fetched
 * when it is first shown. The module exports `show({ main, signal, argument, wanted })`: fill `main`, stop everything
 * when `signal` is aborted. `argument` is what the address names, `wanted` its query.
 */

import { focusOn } from "./focus.js";
import { html, put } from "./html.js";
import { token } from "./preferences.js";
import { ulid } from "./ulid.js";

const sheets = new Map();
const scrolls = new Map();
let views = [];
let leaving = new AbortController();
let entry = null;
let later = null;

/** Go to an address: "#/notes/…". */
export function go(address) {
  if (location.hash === address) show();
  else location.hash = address;
}

/** Show the same view again, from the beginning. */
export const again = () => show();

/** Put something into the query of the address without showing the view anew. */
export function renameAddress(address) {
  history.replaceState(history.state, "", address);
}

export const titled = (text) => (document.title = text ? `${text} · Memex` : "Memex");

/** Begin. `after(row)` is called when a view was chosen. */
export function start(rows, after) {
  views = rows;
  later = after;
  history.scrollRestoration = "manual";
  addEventListener("hashchange", show);
  return show(true);
}

async function show(first = false) {
  if (/^#(?:source-|main$)/.test(location.hash)) return;
  if (entry) scrolls.set(entry, scrollY);
  const known = history.state?.entry;
  entry = known ?? ulid();
  if (!known) history.replaceState({ entry }, "");
  const main = document.getElementById("main");
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const { row, argument, wanted } = chosen();
  titled(row.title);
  later(row);
  main.setAttribute("aria-busy", "true");
  try {
    const [{ show: fill }] = await Promise.all([import(`../views/${row.name}/${row.name}.js`), sheet(`views/${row.name}/${row.name}.css`)]);
    if (signal.aborted) return;
    main.dataset.view = row.name;
    if (!known) scrollTo(0, 0);
    await fill({ main, signal, argument, wanted });
    if (!signal.aborted && known) scrollTo(0, scrolls.get(entry) ?? 0);
  } catch (error) {
    if (!signal.aborted) refused(main, error);
  }
  if (!signal.aborted) main.removeAttribute("aria-busy");
  if (!signal.aborted && first !== true && !main.contains(document.activeElement)) focusOn(main.querySelector("h1"));
}

function chosen() {
  const [path, search = ""] = location.hash.slice(1).split("?");
  const wanted = new URLSearchParams(search);
  const open = Boolean(token.get());
  for (const row of views) {
    const match = row.pattern?.exec(path);
    if (match && (open || row.open)) return { row, wanted, argument: match[1] ? decoded(match[1]) : null };
  }
  return { row: views.find(({ name }) => name === (open ? "feed" : "welcome")), wanted: open ? new URLSearchParams() : wanted, argument: null };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Resolves when a style sheet of ours is there; asking twice is asking once. */
export function sheet(path) {
  if (!sheets.has(path)) {
    const link = html`<link rel="stylesheet" href=${`/${path}`} />`;
    sheets.set(path, new Promise((resolve) => (link.onload = link.onerror = resolve)));
    document.head.append(link);
  }
  return sheets.get(path);
}

function refused(main, error) {
  if (error.unknownToken) {
    token.set("");
    sessionStorage.setItem("memex.problem", "This is not the token of this Memex: look at what make run (or memex up) printed.");
    return show();
  }
  if (error.status === undefined) console.error(error);
  const gone = error.status === 404;
  put(
    main,
    html`<h1>${gone ? "Not here" : "That did not work"}</h1>
      <div class="notice bad stack" role="alert">
        <p>${error.message}</p>
        <div class="row"><button type="button" onclick=${() => show()}>Try again</button><a class="button" href="#/notes">All notes</a>${gone && html`<a class="button" href="#/trash">Deleted notes</a>`}</div>
      </div>`,
  );
}
