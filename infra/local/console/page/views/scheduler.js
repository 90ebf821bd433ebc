import { code, empty, h, head, region, state, table, when } from "../dom.js";
import { get, send } from "../net.js";
import { doing, toast } from "../toast.js";

export default function scheduler() {
  const live = region();
  const run = (name) => doing(async () => (await send("POST", `/scheduler/${encodeURIComponent(name)}/run`), toast(`${name} is called`), dispatchEvent(new Event("changed"))));
  const last = ({ last: one }) => one && [state(one.status >= 200 && one.status < 300 ? "ok" : "bad", one.status ? `HTTP ${one.status}` : "no answer"), " ", when(one.at)];
  const build = ({ jobs }) => jobs.length === 0 ? empty("No function runs by the clock.") : table([
    ["Job", (one) => one.name, "fit"],
    ["Cron, UTC", (one) => code(one.cron), "fit"],
    ["Next run", (one) => when(one.next_run_at), "fit"],
    ["Last run", (one) => (one.running ? state("running", "running") : last(one) ?? "none since the start"), "fit"],
    ["", (one) => h("button", { "data-key": one.name, onclick: run(one.name), disabled: one.running }, "Run now"), "fit"],
  ], jobs);
  return {
    element: h("section", null, head("Scheduler", "Functions that run by the clock.", "/_cloud/scheduler"), live),
    refresh: async () => live.show(await get("/scheduler"), build),
  };
}
