/** Keeping a view fresh while someone looks at it: it asks every few seconds, and draws only what has changed. */

import { api, query } from "./api.js";
import { html } from "./html.js";
import { selecting } from "./keys.js";
import { renameAddress } from "./router.js";

const [SECONDS, LIST_SECONDS] = [5, 10];
const [PAGE, MOST] = [50, 200];

/** A function that loads and draws now; called once, it goes on by itself, also after a failure, until `signal` is aborted. */
export function keepFresh(load, draw, signal, seconds = SECONDS) {
  let shown = null;
  let timer = null;
  let asked = 0;
  const refresh = async () => {
    timer ??= setInterval(() => document.hidden || quietly(), seconds * 1000);
    const mine = (asked += 1);
    const value = await load();
    if (signal.aborted || mine < asked) return;
    const text = JSON.stringify(value);
    if (text !== shown && !(shown !== null && selecting(document.getElementById("main")))) {
      shown = text;
      draw(value);
    }
  };
  const quietly = () => refresh().catch(() => {});
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  watchSight({ seen: () => timer && quietly(), signal });
  return refresh;
}

/** Calls `seen` when the tab comes into sight and `gone` when it is hidden, until `signal` is aborted: a hidden tab asks nothing. */
export function watchSight({ seen = () => {}, gone = () => {}, signal } = {}) {
  document.addEventListener("visibilitychange", () => (document.hidden ? gone() : seen()), { signal });
}

/**
 * What narrows a list stands in its address: `set(name, value)`, and `choice(name, label, all, values)` as a field;
 * `apply()` follows a change, `said(value)` is what a value is called.
 */
export function narrowing(wanted, address, apply, said = (value) => value.replaceAll("_", " ")) {
  const set = (name, value) => {
    if (value) wanted.set(name, value);
    else wanted.delete(name);
    renameAddress(wanted.size ? `${address}?${wanted}` : address);
    apply();
  };
  const choice = (name, label, all, values) => {
    const option = (value) => html`<option value=${value} selected=${wanted.get(name) === value}>${said(value)}</option>`;
    return html`<select aria-label=${label} onchange=${({ currentTarget: { value } }) => set(name, value)}><option value="">${all}</option>${values.map(option)}</select>`;
  };
  return { set, choice };
}

export const pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/**
 * A list that keeps fresh and goes on: fifty rows at first, fifty more for each press of its button.
 *
 * `asked()` is [path, query]; `draw(answer)` hears what has changed. Gives `refresh` and the button. While `still()`, as
 * for what is dear to ask, only a call of refresh asks again.
 */
export function paged({ asked, draw, words, signal, seconds = LIST_SECONDS, still = () => false }) {
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
