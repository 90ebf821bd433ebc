/** Files of text that are dropped or chosen become notes: through the outbox, as everything that is captured. */

import { toast } from "../toasts/toasts.js";
import { notesOf } from "./frontMatter.js";
import { html } from "../../core/html.js";
import { capture } from "../../core/outbox.js";
import { count } from "../../core/words.js";

const TEXT = /\.(md|markdown|txt)$/i;
const RESEARCH = "research";
const MOST_BYTES = 5_000_000;

/** Make notes of files; resolves to how many. Files that are no text are named, and left. */
export async function importFiles(files) {
  const all = [...files];
  const texts = all.filter(({ name, size, type }) => (TEXT.test(name) || type.startsWith("text/")) && size <= MOST_BYTES);
  const left = all.filter((file) => !texts.includes(file));
  let [made, paid] = [0, 0];
  for (const file of texts) {
    for (const note of notesOf(await file.text(), file.name)) {
      const tags = note.tags.filter((tag) => tag !== RESEARCH);
      paid += note.tags.length - tags.length;
      await capture({ ...note, tags }, await nameOf(note));
      made += 1;
    }
  }
  if (made) toast(`${count(made, "note")} imported.${paid ? " The tag research was left off: it costs money, and only you add it." : ""}`);
  if (left.length) toast(html`Not imported: ${left.map(({ name }) => name).join(", ")}. Notes are made of .md and .txt; other files go to the <a href="#/documents">documents</a>.`);
  return made;
}

/** The key of a note that is imported: the same file twice is one note. */
async function nameOf(note) {
  const digest = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(JSON.stringify(note)));
  return digest && `import-${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 40)}`;
}

/** Let files be dropped onto an element, until `signal` is aborted; `take(files)` gets them. */
export function dropping(element, take, signal) {
  const files = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
  let inside = 0;
  const over = (by) => element.classList.toggle("dropping", (inside = Math.max(0, inside + by)) > 0);
  const on = (name, act) => element.addEventListener(name, (event) => files(event) && (event.preventDefault(), act(event)), { signal });
  on("dragenter", () => over(1));
  on("dragleave", () => over(-1));
  on("dragover", () => {});
  on("drop", ({ dataTransfer }) => {
    over(-inside);
    take(dataTransfer.files);
  });
  signal.addEventListener("abort", () => over(-inside), { once: true });
}

/** A button that lets files be chosen. */
export function choosing(words, accept, take) {
  const field = html`<input type="file" class="unseen" tabindex="-1" aria-hidden="true" multiple accept=${accept} />`;
  field.addEventListener("change", () => field.files.length && (take([...field.files]), (field.value = "")));
  return html`<span><button type="button" onclick=${() => field.click()}>${words}</button>${field}</span>`;
}
