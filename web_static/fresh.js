/** Keeps a view fresh by asking every few seconds while its tab can be seen; draws only what has changed. */

const SECONDS = 3;

/** A function that loads and draws now; called once, it goes on by itself until `signal` is aborted. */
export function keepFresh(load, draw, signal) {
  let shown = null;
  let timer = null;
  const refresh = async () => {
    const value = await load();
    if (signal.aborted) return;
    const text = JSON.stringify(value);
    if (text !== shown && !selecting()) {
      shown = text;
      draw(value);
    }
    timer ??= setInterval(() => document.hidden || refresh().catch(() => {}), SECONDS * 1000);
  };
  signal.addEventListener("abort", () => clearInterval(timer));
  document.addEventListener("visibilitychange", () => document.hidden || (timer && refresh().catch(() => {})), { signal });
  return refresh;
}

const selecting = () => getSelection()?.type === "Range";
