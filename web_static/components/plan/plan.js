/** The plan of a research run, before money is spent: read, changed, and approved exactly as it is shown, or dropped. */

import { api, segment } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { html, put } from "../../core/html.js";
import { commits, focusOn } from "../../core/keys.js";
import { moment } from "../../core/time.js";
import { dollars } from "../../core/words.js";
import { difference } from "../diff/diff.js";
import { toast } from "../toasts/toasts.js";

/** Whether an operation waits for a person's word. */
export const waits = ({ status }) => status === "awaiting_approval";

/** The card of an operation that waits, headed by `name`; `done()` follows whatever was decided or saved. */
export function planCard({ id, plan }, { name, done, signal }) {
  const path = `/operations/${segment(id)}`;
  const field = html`<textarea rows="14" aria-label="Plan" maxlength="100000" .value=${plan.text}></textarea>`;
  const kept = draft({ surface: "plan", object: id, revision: String(plan.revision), read: () => ({ text: field.value }), signal });
  const problem = html`<p class="problem" role="alert"></p>`;
  const place = html`<div class="stack"></div>`;
  const element = html`<article class="card stack" data-plan=${id} data-revision=${plan.revision}><h2>${name}</h2>
    <p class="meta row"><span>Proposed ${moment(plan.proposed_at)}</span>${plan.edited_by_person && html`<span class="kind">edited by you</span>`}<span>${estimate(plan)}</span></p>
    ${place}${problem}</article>`;
  const send = async (act, otherwise) => {
    const buttons = element.querySelectorAll("button");
    const free = (is) => buttons.forEach((one) => (one.disabled = !is));
    free(false);
    problem.textContent = "";
    try {
      toast((await act()).message ?? otherwise);
      kept.clear();
    } catch (error) {
      free(true);
      problem.textContent = error.message;
      if (error.status !== 409 && error.status !== 404) return;
    }
    await done();
  };
  const approve = () => send(() => api.post(`${path}/approve`, { revision: plan.revision }), "Approved. The research begins.");
  const drop = () => send(() => api.post(`${path}/cancel`), "Dropped.");
  const save = (event) => (event.preventDefault(), send(() => api.patch(`${path}/plan`, { text: field.value, revision: plan.revision }), "The plan is saved."));
  const leave = () => {
    kept.clear();
    field.value = plan.text;
    read();
    focusOn(place.querySelector("[data-edit]"));
  };
  const read = () =>
    put(
      place,
      html`<div class="text" tabindex="0" role="region" aria-label="Plan">${plan.text}</div>`,
      html`<div class="row" data-writes>
        <button type="button" class="primary" onclick=${approve}>Approve and begin</button><button type="button" onclick=${drop}>Drop</button><button type="button" class="quiet" data-edit onclick=${() => (edit(), field.focus())}>Edit</button>
      </div>`,
    );
  const edit = (other = null) => {
    const form = html`<form class="stack" onsubmit=${save} oninput=${kept.touch}>${other}${field}<div class="row"><button class="primary" title="⌘Enter">Save the plan</button><button type="button" onclick=${leave}>Cancel</button></div></form>`;
    form.addEventListener("keydown", (event) => {
      if (commits(event)) (event.preventDefault(), form.requestSubmit());
      else if (event.key === "Escape") (event.preventDefault(), event.stopPropagation(), leave());
    });
    put(place, form);
  };
  if (!kept.stored) read();
  else {
    field.value = kept.stored.value.text;
    edit(kept.stored.revision !== String(plan.revision) && html`<div class="notice warn stack"><p>The plan has changed since you began. From it to yours:</p>${difference(plan.text, field.value)}</div>`);
  }
  return element;
}

const estimate = ({ estimate_low_usd: low, estimate_high_usd: high }) => `${dollars(low)} to ${dollars(high)}, once it is approved`;
