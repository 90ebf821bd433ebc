/**
 * Addresses and views. A view is a row of views.js; its folder has a module of the same name, fetched when it is first
 * shown. The module exports `show({ main, signal, argument, wanted })`: fill `main`, stop everything
 * when `signal` is aborted. `argument` is what the address names, `wanted` its query.
 */

import { entered } from "./access.js";
import { ulid } from "./api.js";
import { html, put } from "./html.js";
import { focusOn } from "./keys.js";
import { token } from "./preferences.js";

/** What is said of a token that nobody knows. */
export const WRONG = "This is not the token of this Memex. Look at what memex up printed, or ask who runs it for one.";

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
    const { show: fill } = await import(`../views/${row.name}/${row.name}.js`);
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

function refused(main, error) {
  if (error.unknownToken) {
    entered("");
    sessionStorage.setItem("memex.problem", error.code === "token_expired" ? error.message : WRONG);
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
