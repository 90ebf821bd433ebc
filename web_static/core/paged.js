/** A list that keeps fresh and goes on: fifty rows at first, fifty more for each press of its button. */

import { api, query } from "./api.js";
import { keepFresh } from "./fresh.js";
import { html } from "./html.js";

const [PAGE, MOST, SECONDS] = [50, 200, 10];

/** `asked()` is [path, query]; `draw(answer)` hears what has changed. Gives `refresh` and the button. */
export function paged({ asked, draw, words, signal }) {
  let limit = PAGE;
  const load = () => {
    const [path, given] = asked();
    return api.get(`${path}${query({ ...given, limit })}`, signal);
  };
  const more = html`<button type="button" hidden>${words}</button>`;
  const refresh = keepFresh(load, (answer) => (draw(answer), (more.hidden = !answer.next_cursor || limit >= MOST)), signal, SECONDS);
  more.addEventListener("click", () => ((limit = Math.min(MOST, limit + PAGE)), refresh().catch(() => {})));
  return { refresh, more };
}
