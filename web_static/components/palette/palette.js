/** The palette (⌘K): views, and notes by their words. */

import { html, put } from "../../core/html.js";
import { key } from "../../core/keys.js";
import { token } from "../../core/preferences.js";
import { go } from "../../core/router.js";
import { search } from "../../core/search.js";
import { nameOf } from "../../core/words.js";

const WAIT_MILLISECONDS = 150;
const NOTES = 8;

export function palette(views) {
  const commands = views.filter(({ address }) => address).map(({ nav, title, address }) => ({ name: nav ?? title, hint: "view", address }));
  commands.push({ name: "Write something down", hint: "capture", address: "#/notes?capture" });
  let open = null;
  key("mod+k", () => (open ? open.close() : (open = opened([...commands, ...twins(views)], () => (open = null)))));
}

/** The view that is shown, in its other forms. */
function twins(views) {
  const [path, asked] = location.hash.slice(1).split("?");
  if (!views.some(({ data, pattern }) => data && pattern.test(path))) return [];
  const twin = (name, ending) => ({ name: `This view as ${name}`, hint: "twin", address: `#${path}.${ending}${asked ? `?${asked}` : ""}` });
  return [twin("JSON", "json"), twin("Markdown", "md")];
}

function opened(commands, done) {
  const list = html`<div id="found" class="found" role="listbox" aria-label="Found"></div>`;
  const field = html`<input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-autocomplete="list"
    aria-label="Go to" placeholder="Go to a view, or find a note…" autocomplete="off" spellcheck="false" />`;
  const dialog = html`<dialog class="palette" aria-label="Palette">${field}${list}</dialog>`;
  let [rows, at, timer, asked] = [[], 0, null, 0];
  const choose = (n) => {
    dialog.close();
    go(rows[n].address);
  };
  const point = (n) => {
    at = rows.length ? (n + rows.length) % rows.length : 0;
    [...list.children].forEach((one, m) => one.setAttribute("aria-selected", String(m === at)));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    if (rows.length) field.setAttribute("aria-activedescendant", `found-${at}`);
    else field.removeAttribute("aria-activedescendant");
  };
  const draw = (found) => {
    rows = found;
    const row = ({ name, hint }, n) =>
      html`<div id=${`found-${n}`} role="option" onclick=${() => choose(n)} onpointermove=${() => at !== n && point(n)}>
        <span class="name">${name}</span><span class="meta">${hint}</span>
      </div>`;
    put(list, rows.map(row));
    point(0);
  };
  /** Views at once, so that Enter takes what was typed; notes when they are found. */
  const find = () => {
    const text = field.value.trim();
    const fitting = commands.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
    draw(fitting);
    clearTimeout(timer);
    asked += 1;
    if (text && token.get()) timer = setTimeout(() => findNotes(text, fitting), WAIT_MILLISECONDS);
  };
  const findNotes = async (text, fitting) => {
    const mine = asked;
    const { notes } = await search({ q: text, limit: NOTES }).catch(() => ({ notes: [] }));
    if (mine !== asked || !dialog.open) return;
    const pointed = at;
    draw([...fitting, ...notes.map((note) => ({ name: nameOf(note), hint: note.kind, address: `#/notes/${encodeURIComponent(note.id)}` }))]);
    point(pointed);
  };
  field.addEventListener("input", find);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") point(at + (event.key === "ArrowDown" ? 1 : -1));
    else if (event.key === "Enter" && rows[at]) choose(at);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => (dialog.remove(), done()));
  document.body.append(dialog);
  dialog.showModal();
  find();
  return dialog;
}
