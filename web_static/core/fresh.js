/** Keeps a view fresh: asks every few seconds while its tab can be seen, and draws only what has changed. */

import { selecting } from "./focus.js";
import { watchSight } from "./visible.js";

const SECONDS = 5;

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
