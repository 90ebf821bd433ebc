/** All notes as one Markdown file, each with its front matter. */

import { api, query, segment } from "../../core/api.js";
import { save } from "../../core/save.js";
import { count } from "../../core/words.js";

export async function exportAll({ currentTarget }, state) {
  currentTarget.disabled = true;
  const texts = [];
  try {
    let cursor = null;
    do {
      const page = await api.get(`/notes${query({ limit: 200, cursor })}`);
      for (const { id } of page.notes) {
        texts.push(await api.text(`/notes/${segment(id)}.md`));
        if (texts.length % 10 === 0) state.textContent = `${count(texts.length, "note")} so far…`;
      }
      cursor = page.next_cursor;
    } while (cursor);
    save("memex.md", texts.join("\n\n"));
    state.textContent = `${count(texts.length, "note")} exported.`;
  } catch (error) {
    state.textContent = `Not exported: ${error.message}`;
  } finally {
    currentTarget.disabled = false;
  }
}
