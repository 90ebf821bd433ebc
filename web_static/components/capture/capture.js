/** The capture box, and the rows of what it has taken and the server has not. */

import { draft } from "../../core/drafts.js";
import { html } from "../../core/html.js";
import { committing } from "../../core/keys.js";
import { capture, retry, withdraw } from "../../core/outbox.js";
import { RESEARCH_RANGE } from "../../core/prices.js";
import { excerptOf, moment, nameOf, tagsOf } from "../../core/words.js";
import { status } from "../tags/tags.js";
import { say } from "../toasts/toasts.js";

/** A form that keeps what is typed into it; `given` fills it where there is no draft. `done()` follows a capture. */
export function captureBox(signal, wanted = new URLSearchParams(), { given = {}, done = () => {}, rows = 2 } = {}) {
  const body = html`<textarea name="body" rows=${rows} data-capture placeholder="Write something down…" aria-label="Text of the note" maxlength="1000000"></textarea>`;
  const tags = html`<input name="tags" placeholder="Tags, such as research" aria-label="Tags; research starts a research run" autocapitalize="off" autocomplete="off" spellcheck="false" />`;
  const kept = draft({ surface: "capture", read: () => ({ body: body.value, tags: tags.value }), signal });
  const price = html`<p class="meta" hidden>A research run is said to cost $${RESEARCH_RANGE[0]} to $${RESEARCH_RANGE[1]}. With the tag research:plan a plan waits for your approval first.</p>`;
  const start = kept.stored?.value ?? given;
  body.value = [start.body, kept.stored && given.body].filter(Boolean).join("\n\n");
  tags.value = start.tags ?? "";
  const submit = async (event) => {
    event.preventDefault();
    const text = body.value.trim();
    if (!text) return body.focus();
    const note = { ...parted(text, given.title), tags: tagsOf(tags.value) };
    body.value = "";
    tags.value = "";
    price.hidden = true;
    await capture(note);
    kept.clear();
    say("Kept.");
    body.focus();
    done();
  };
  const form = html`<form class="card stack capture" data-writes onsubmit=${submit} oninput=${kept.touch}>
    ${body}
    <div class="foot">${tags}<button class="primary" title="⌘Enter">Keep</button></div>
    ${price}
  </form>`;
  const priced = () => (price.hidden = !tagsOf(tags.value).some((one) => /^research(?=:|$)/.test(one)));
  form.addEventListener("input", priced);
  priced();
  if (wanted.has("capture")) queueMicrotask(() => body.focus());
  return committing(form);
}

/** A title that was given is one as long as it still begins the text. */
function parted(text, title) {
  const rest = title && text.startsWith(`${title}\n`) ? text.slice(title.length).trim() : "";
  return rest ? { title, body: rest } : { title: "", body: text };
}

/** Captures of the outbox as rows: each says where it is, and can be tried again or taken back. */
export function waitingRows(records) {
  return records.map(({ id, note, at, state, problem }) => {
    const refused = state === "refused";
    const again = html`<button type="button" onclick=${() => retry(refused ? id : null)}>Retry</button>`;
    const back = html`<button type="button" onclick=${() => takeBack(id)}>Back into the box</button>`;
    return html`<li>
      <p class="title">${nameOf(note)}</p>
      ${note.title && html`<p class="excerpt">${excerptOf(note.body)}</p>`}
      <p class="meta row">${status(state, refused ? "Not saved" : problem ? "Saved on this device" : "Saving…")}${moment(at)}</p>
      ${problem && html`<p class="meta row"><span>${problem}</span>${again}${refused && back}</p>`}
    </li>`;
  });
}

async function takeBack(id) {
  const note = await withdraw(id);
  const form = document.querySelector("[data-capture]").form;
  form.elements.body.value = [note.body, form.elements.body.value].filter(Boolean).join("\n\n");
  form.elements.tags.value = note.tags.join(", ");
  form.dispatchEvent(new Event("input"));
  form.elements.body.focus();
}
