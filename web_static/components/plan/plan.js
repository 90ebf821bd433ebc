/** The plan of a research run, before money is spent: read, changed, and approved exactly as it is shown, or dropped. */

import { api, segment } from "../../core/api.js";
import { draft } from "../../core/drafts.js";
import { html, put } from "../../core/html.js";
import { committing, focusOn } from "../../core/keys.js";
import { dollars, moment } from "../../core/words.js";
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
    <p class="meta row"><span>Proposed ${moment(plan.proposed_at)}</span>${plan.edited_by_person && html`<span class="kind">edited by you</span>`}${plan.expires_at && html`<span>waits until ${moment(plan.expires_at)}</span>`}</p>
    <p>${estimate(plan)} <span class="meta">${plan.estimate_basis}</span></p>
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
      if (error.details.reason === "note_changed") return problem.after(anyway);
      if (error.status !== 409 && error.status !== 404) return;
    }
    await done();
  };
  const approve = (more = {}) => send(() => api.post(`${path}/approve`, { revision: plan.revision, ...more }), "Approved. The research begins.");
  const anyway = html`<div><button type="button" onclick=${() => approve({ anyway: true })}>Approve it all the same</button></div>`;
  const another = (event) => (event.preventDefault(), send(() => api.post(`${path}/plan`, { change: wish.value, revision: plan.revision }), "Asked for another plan."));
  const wish = html`<input required maxlength="4000" aria-label="What the plan should be like" placeholder="Leave out prices; look at papers since 2020" autocomplete="off" />`;
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
        <button type="button" class="primary" onclick=${() => approve()}>Approve and begin</button><button type="button" onclick=${drop}>Drop</button><button type="button" class="quiet" data-edit onclick=${() => (edit(), field.focus())}>Edit</button>
      </div>`,
      html`<details data-writes><summary>Ask for another plan</summary><form class="narrow" onsubmit=${another}>${wish}<button>Ask for it</button></form></details>`,
    );
  const edit = (other = null) => {
    const form = html`<form class="stack" onsubmit=${save} oninput=${kept.touch}>${other}${field}<div class="row"><button class="primary" title="⌘Enter">Save the plan</button><button type="button" onclick=${leave}>Cancel</button></div></form>`;
    put(place, committing(form, leave));
  };
  if (!kept.stored) read();
  else {
    field.value = kept.stored.value.text;
    edit(kept.stored.revision !== String(plan.revision) && html`<div class="notice warn stack"><p>The plan has changed since you began. From it to yours:</p>${difference(plan.text, field.value)}</div>`);
  }
  return element;
}

function estimate({ estimate_low_usd: low, estimate_high_usd: high, estimate_low_minutes: least, estimate_high_minutes: most, planning_usd: spent }) {
  const minutes = most ? ` and ${Math.round(least)} to ${Math.round(most)} minutes` : "";
  return `Once it is approved: ${dollars(low)} to ${dollars(high)}${minutes}.${spent ? ` The plan itself cost ${dollars(spent)}.` : ""}`;
}
