/** Stopping research or a run: what there is stays. */

import { api } from "../../core/api.js";
import { html } from "../../core/html.js";
import { alarm } from "../../core/live.js";
import { toast } from "../toasts/toasts.js";

/** A button that stops what is at this path of the API, and then calls `done()`. */
export function stopButton(path, done) {
  const stop = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      toast((await api.post(`${path}/cancel`)).message);
      await done();
    } catch (error) {
      currentTarget.disabled = false;
      alarm(error.message);
      toast(`Not stopped: ${error.message}`);
    }
  };
  return html`<button type="button" data-stop data-writes onclick=${stop}>Stop</button>`;
}
