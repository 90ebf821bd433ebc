/** Runs and steps in words. */

import { html } from "../../core/html.js";
import { status } from "../tags/tags.js";
import { count } from "../../core/words.js";

const STATES = {
  queued: ["running", "Queued"],
  planning: ["running", "Planning"],
  running: ["running", "Working"],
  synthesising: ["running", "Writing the answer"],
  succeeded: ["completed", "Answered"],
  failed: ["failed", "Failed"],
  cancelled: ["cancelled", "Stopped"],
};
const ICONS = { pending: "○", running: "●", succeeded: "✓", failed: "✕", cancelled: "–", skipped: "–" };
const STEPS = { pending: "waiting", running: "running", succeeded: "done", failed: "failed", cancelled: "stopped", skipped: "left out" };
const REASONS = {
  steps: "No more steps were begun: there were as many as one run may have.",
  tokens: "It stopped at the tokens that one run may use; what was found until then is in the answer.",
  calls: "It stopped at the tool calls that one run may make; what was found until then is in the answer.",
  usd: "It stopped at what one run may cost; what was found until then is in the answer.",
  time: "It stopped when its time was up; what was found until then is in the answer.",
  cancelled: "It was stopped; what was found until then is kept.",
};

export const stateOf = ({ status: name }) => status(...(STATES[name] ?? ["running", name]));

/** The state of a step as icon and word, the word for who cannot see the icon. */
export const mark = ({ status: name }) => html`<span class=${`mark ${name}`}><span aria-hidden="true">${ICONS[name] ?? "?"}</span><span class="unseen">${STEPS[name] ?? name}: </span></span>`;

/** Why no more was done, where that is not what was wanted. */
export const reason = ({ stop_reason }) => REASONS[stop_reason] ?? "";

/** The steps of the plan with how they stand: [planned, step]. */
export function planned({ plan, steps = [] }) {
  const known = new Map(steps.map((step) => [step.id, step]));
  return plan.map((one) => [one, known.get(one.step_id) ?? { status: "pending" }]);
}

export const tokens = ({ tokens_in, tokens_out }) => count(tokens_in + tokens_out, "token");
