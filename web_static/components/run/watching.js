/** Following a run: the server's own view of it is asked for whenever its stream says that something happened. */

import { api, segment } from "../../core/api.js";
import { follow } from "../../core/follow.js";

const SOON_MILLISECONDS = 200;
const TEXT_MILLISECONDS = 800;
const BEAT_MILLISECONDS = 3000;

export const over = ({ status }) => ["succeeded", "failed", "cancelled"].includes(status);

/**
 * Calls `draw(run, at)` with a run as it is, now and whenever it changes; `at` is when it last said something. Resolves
 * with the run once it has ended. `renew()` of the answer asks at once. Rejects when there is no such run.
 */
export async function watchRun(id, draw, signal) {
  const path = `/agent_runs/${segment(id)}`;
  let [at, timer, asked] = [null, null, 0];
  const load = async () => {
    const mine = (asked += 1);
    const { run } = await api.get(`${path}?html=1`, signal);
    if (mine === asked) draw(run, at);
    return run;
  };
  const quietly = () => load().catch(() => {});
  const soon = (milliseconds) => (timer ??= setTimeout(() => ((timer = null), quietly()), milliseconds));
  const first = await load();
  if (over(first)) return { renew: load, ended: Promise.resolve(first) };
  const take = ({ data }) => {
    at = Date.parse(data.at);
    soon(data.type === "answer_text" ? TEXT_MILLISECONDS : SOON_MILLISECONDS);
  };
  const beat = setInterval(() => document.hidden || quietly(), BEAT_MILLISECONDS);
  signal.addEventListener("abort", () => clearInterval(beat), { once: true });
  const ended = follow(`${path}/events`, {
    cursor: Math.max(0, first.seq - 1),
    take,
    signal,
    ended: ({ data }) => data.type === "run_completed",
    closed: async () => over(await load()),
  }).then(() => (clearInterval(beat), signal.aborted ? null : load()));
  ended.catch(() => clearInterval(beat));
  return { renew: load, ended };
}
