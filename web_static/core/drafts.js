/** Drafts: what is typed survives the page, by user, surface, object and revision, until the server has taken it. */

import { user } from "./preferences.js";

const SAVE_MILLISECONDS = 400;
const PREFIX = "memex.draft/";
const unsaved = new Set();

/**
 * The draft of one place. `read()` gives what is in the fields as a plain object. The draft is saved 400 ms after
 * `touch()` and when the page hides. `stored` is {value, revision} of an earlier time, or null.
 */
export function draft({ surface, object = "new", revision = "", read, signal }) {
  const name = `${PREFIX}${user()}/${surface}/${object}`;
  let timer = null;
  const save = () => {
    clearTimeout(timer);
    timer = null;
    unsaved.delete(save);
    store(name, { value: read(), revision, at: Date.now() });
  };
  const touch = () => {
    unsaved.add(save);
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_MILLISECONDS);
  };
  const clear = () => {
    clearTimeout(timer);
    unsaved.delete(save);
    localStorage.removeItem(name);
  };
  signal?.addEventListener("abort", () => unsaved.has(save) && save(), { once: true });
  return { stored: load(name), touch, clear };
}

function load(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function store(name, value) {
  const empty = Object.values(value.value).every((one) => one === "" || one === null || one === undefined);
  try {
    if (empty) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    /* The storage is full: the text is still in its field. */
  }
}

const saveAll = () => [...unsaved].forEach((save) => save());
addEventListener("pagehide", saveAll);
document.addEventListener("visibilitychange", () => document.hidden && saveAll());
