import { code, empty, facts, h, head, link, region, span, state, table, when } from "../dom.js";
import { get, send } from "../net.js";
import { doing } from "../toast.js";

const KINDS = { ACTIVE: "running", IN_PROGRESS: "running", SUCCEEDED: "ok", FAILED: "bad", CANCELLED: "off" };
const stateOf = (word) => state(KINDS[word] ?? "warn", word.toLowerCase().replace("_", " "));
const stepsOf = (one) => one.steps.map((step) => `${step.routine}.${step.step}`).join(", ");

export default function executions(words) {
  return words.length === 2 ? one(...words) : list();
}

function list() {
  const live = region();
  const build = ({ executions: rows }) => rows.length === 0 ? empty("No execution yet. A workflow starts when the product starts one, or with gcloud workflows execute.") : table([
    ["Execution", (row) => link(`#/executions/${row.workflow}/${row.id}`, code(row.id.slice(0, 8))), "fit"],
    ["Workflow", (row) => row.workflow, "fit"],
    ["State", (row) => stateOf(row.state), "fit"],
    ["Step", (row) => code(stepsOf(row))],
    ["Began", (row) => when(row.started_at), "fit"],
    ["Took", (row) => (row.ended_at ? span(row.seconds) : ""), "num"],
  ], rows);
  return {
    element: h("section", null, head("Executions", "Workflows under way and ended, newest first.", "/_cloud/executions"), live),
    refresh: async () => {
      const found = await get("/executions");
      live.show({ executions: found.executions.map((row) => (row.ended_at ? row : { ...row, seconds: 0 })) }, build);
    },
  };
}

function one(workflow, id) {
  const path = `/executions/${encodeURIComponent(workflow)}/${encodeURIComponent(id)}`;
  const about = region(), history = region(), actions = region({ class: "row" }), source = h("pre", { class: "source", tabindex: "0", "aria-label": "Source" });
  const cancel = doing(async () => (await send("POST", `${path}/cancel`), dispatchEvent(new Event("changed"))));
  let lines, shown = "";

  const text = (value) => h("pre", { class: "clip" }, typeof value === "string" ? value : JSON.stringify(value, null, 2));
  const describe = (row) => [
    facts([["State", stateOf(row.state)], ["Step", code(stepsOf(row))], ["Began", when(row.started_at)], ["Took", row.ended_at && span(row.seconds)], ["Revision", row.revision], ["Labels", Object.entries(row.labels).map(([name, value]) => `${name}=${value}`).join(", ")]]),
    row.error && [h("h2", null, "Error"), text(`${row.error.payload}\n${row.error.context}`.trim())],
    row.result !== null && [h("h2", null, "Result"), text(row.result)],
    row.argument !== null && [h("h2", null, "Argument"), text(row.argument)],
  ];
  const past = (row) => [
    h("h2", null, "History"),
    row.history_left_out > 0 && h("p", { class: "quiet" }, `${row.history_left_out} older entries are left out.`),
    table([
      ["Step", (entry) => code(`${entry.routine}.${entry.step}`)],
      ["Kind", (entry) => h("span", { class: "quiet" }, entry.kind.replace(/^STEP_/, "").toLowerCase().replaceAll("_", " ")), "fit"],
      ["State", (entry) => stateOf(entry.state), "fit"],
      ["Began", (entry) => when(entry.started_at), "fit"],
      ["Took", (entry) => (entry.seconds === null ? "" : span(entry.seconds)), "num"],
    ], row.history.toReversed()),
  ];

  async function mark(row) {
    if (!lines) {
      const found = await get(`${path}/source`);
      lines = new Map(found.steps.map((step) => [`${step.routine}.${step.step}`, step.line]));
      source.replaceChildren(...found.source.split("\n").map((line, at) => h("div", null, h("i", null, String(at + 1)), line)));
    }
    const now = row.steps.map((step) => lines.get(`${step.routine}.${step.step}`)).filter(Boolean);
    if (now.join() === shown) return;
    shown = now.join();
    for (const [at, line] of [...source.children].entries()) {
      line.classList.toggle("now", now.includes(at + 1));
      if (now.includes(at + 1)) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
    const first = source.children[Math.min(...now) - 1];
    if (first) source.scrollTop = first.offsetTop - source.offsetTop - source.clientHeight / 3;
  }

  return {
    element: h("section", null, h("nav", { class: "crumbs" }, link("#/executions", "Executions")), head(`${workflow} ${id.slice(0, 8)}`, null, `/_cloud${path}`, actions), h("div", { class: "split" }, about, h("div", null, h("h2", null, "Source"), source)), history),
    refresh: async () => {
      const row = await get(path);
      actions.show(row.state, (word) => word === "ACTIVE" && h("button", { "data-key": "cancel", class: "grave", onclick: cancel }, "Cancel"));
      const { history: entries, seconds, ...rest } = row;
      about.show(row.ended_at ? row : rest, describe);
      history.show({ history: entries, history_left_out: row.history_left_out }, past);
      await mark(row);
    },
  };
}
