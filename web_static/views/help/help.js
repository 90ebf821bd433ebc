/** Help: the keys, and how things are done. */

import { html, put } from "../../core/html.js";
import { enabled } from "../../core/keys.js";

const KEYS = [
  ["c", "Write something down"],
  ["/", "Search"],
  ["⌘K, Ctrl+K", "Palette: go anywhere"],
  ["j, k", "Next, previous row of a list"],
  ["o, Enter", "Open the row"],
  ["x", "Select the row"],
  ["e", "Edit the note"],
  ["#", "Delete"],
  ["z", "Undo what was just done"],
  [".", "Stop what is running"],
  ["g f, g c, g t", "Go to notes, chat, tasks"],
  ["g d, g a", "Go to documents, approvals"],
  ["g m, g b", "Go to memory, brain"],
  ["g r, g u, g s", "Go to research, runs, settings"],
  ["⌘Enter, Ctrl+Enter", "Save, send"],
  ["Esc", "Close what is on top, leave a field"],
  ["?", "This list"],
];

export function show({ main }) {
  put(
    main,
    html`<h1>Help</h1>
      <section class="stack">
        <h2>How it works</h2>
        <p class="reading">
          Write a note. Tag it <code>research</code>, and some minutes later a report with its sources lies beside it. Tags are
          one word each; a note that is researched shows what is being done. <code>[[A title]]</code> in a note leads to the note of that title.
        </p>
        <p class="reading">
          Files of Markdown that you drop on the notes become notes; other files go to the <a href="#/documents">documents</a>,
          where the chat can read them. What takes many steps is a <a href="#/runs">run</a>. What lasts
          in notes and chats is kept in the <a href="#/memory">memory</a>, where each record says why it is there; the
          <a href="#/brain">brain</a> shows who works on it. What you delete can be had back from
          the <a href="#/trash">deleted notes</a> for 30 days. Every view has an address, which you can keep;
          with <code>.json</code> or <code>.md</code> behind it, it is the same for a program or for another text.
        </p>
      </section>
      <section class="stack">
        <h2>Keys</h2>
        <p class="meta">
          ${enabled() ? "One-letter keys are on." : "One-letter keys are off."} <a href="#/settings">Change it in the settings</a>
        </p>
        <dl class="keys">${KEYS.map(([keys, what]) => html`<dt><kbd>${keys}</kbd></dt><dd>${what}</dd>`)}</dl>
      </section>`,
  );
}
