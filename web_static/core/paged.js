/** A list that keeps fresh and goes on: fifty rows at first, fifty more for each press of its button. */

import { api, query } from "./api.js";
import { keepFresh } from "./fresh.js";
import { html } from "./html.js";

const [PAGE, MOST, SECONDS] = [50, 200, 10];

/**
 * `asked()` is [path, query]; `draw(answer)` hears what has changed. Gives `refresh` and the button. While `still()`, as
 * for what is dear to ask, only a call of refresh asks again.
 */
export function paged({ asked, draw, words, signal, seconds = SECONDS, still = () => false }) {
  let [limit, latest, wanted] = [PAGE, null, false];
  const load = () => {
    const [path, given] = asked();
    if (wanted || !still()) latest = api.get(`${path}${query({ ...given, limit })}`, signal);
    wanted = false;
    return latest;
  };
  const more = html`<button type="button" hidden>${words}</button>`;
  const fresh = keepFresh(load, (answer) => (draw(answer), (more.hidden = !answer.next_cursor || limit >= MOST)), signal, seconds);
  const refresh = () => ((wanted = true), fresh());
  more.addEventListener("click", () => ((limit = Math.min(MOST, limit + PAGE)), refresh().catch(() => {})));
  return { refresh, more };
}
