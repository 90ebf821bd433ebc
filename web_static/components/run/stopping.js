/** Stopping a run: what there is stays. */

import { api, segment } from "../../core/api.js";
import { html } from "../../core/html.js";
import { alarm } from "../../core/live.js";
import { toast } from "../toasts/toasts.js";

/** A button that stops the run, and then calls `done()`. */
export function stopButton({ id }, done) {
  const stop = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      toast((await api.post(`/agent_runs/${segment(id)}/cancel`)).message);
      await done();
    } catch (error) {
      currentTarget.disabled = false;
      alarm(error.message);
      toast(`Not stopped: ${error.message}`);
    }
  };
  return html`<button type="button" data-stop onclick=${stop}>Stop</button>`;
}
