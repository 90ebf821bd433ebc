/** Whether anyone is looking: a hidden tab holds no connection and asks nothing. */

/** Calls `seen` when the tab comes into sight and `gone` when it is hidden, until `signal` is aborted. */
export function watchSight({ seen = () => {}, gone = () => {}, signal } = {}) {
  document.addEventListener("visibilitychange", () => (document.hidden ? gone() : seen()), { signal });
}

export const pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
