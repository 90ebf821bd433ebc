/** Changing what was proposed, before one decides: the server says anew what it would do, and that is what is shown. */

import { api, segment } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { html } from "../../core/html.js";
import { commits } from "../../core/keys.js";
import { fieldsOf } from "./fields.js";

/** A form with the arguments in it. `done(approval)` gets the approval as it then is, or nothing when it was left. */
export function editing(approval, done, signal) {
  const { id, edits, arguments: given } = approval;
  let fields = fieldsOf(given);
  const kept = draft({ surface: "approval", object: id, revision: String(edits), read: () => fields.read(), signal });
  if (kept.stored?.revision === String(edits)) fields = fieldsOf(kept.stored.value);
  const problem = html`<p class="problem" role="alert"></p>`;
  const button = html`<button class="primary">Show what it would do</button>`;
  const leave = () => (kept.clear(), done());
  const submit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    problem.textContent = "";
    try {
      const answer = await api.patch(`/approvals/${segment(id)}`, { arguments: fields.read(), edits });
      kept.clear();
      done(answer.approval);
    } catch (error) {
      button.disabled = false;
      problem.textContent = `Not changed: ${error.message}`;
    }
  };
  const form = html`<form class="stack" onsubmit=${submit} oninput=${kept.touch}>${fields.element}${problem}
    <div class="row">${button}<button type="button" onclick=${leave}>Cancel</button></div>
  </form>`;
  form.addEventListener("keydown", (event) => {
    if (commits(event)) (event.preventDefault(), form.requestSubmit());
    else if (event.key === "Escape") (event.preventDefault(), event.stopPropagation(), leave());
  });
  return form;
}
