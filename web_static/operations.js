/** The list of operations, and one operation with its events as they come. */

import { api, follow } from "./api.js";
import { elapsed, h, moment, put, say, state } from "./dom.js";
import { keepFresh } from "./fresh.js";

export async function operationsView({ main, signal }) {
  const list = h("ul", { class: "list" });
  const empty = h("p", { class: "empty", hidden: true }, "No operations yet. Tag a note “research” and one starts.");
  const load = async () => (await api.get("/operations?limit=50", signal)).operations;
  const draw = (operations) => {
    put(list, ...operations.map((operation) => h("li", {}, item(operation))));
    empty.hidden = operations.length > 0;
  };
  put(main, h("h1", {}, "Operations"), list, empty);
  await keepFresh(load, draw, signal)();
}

function item(operation) {
  return h(
    "a",
    { class: "item", href: `#/operations/${encodeURIComponent(operation.id)}` },
    h("p", { class: "row spread" }, h("span", { class: "title" }, operation.title || operation.source_note_id), state(operation.status)),
    h("p", { class: "meta row" }, operation.kind.replaceAll("_", " "), moment(operation.created_at), elapsed(operation.created_at, operation.finished_at)),
    operation.error && h("p", { class: "excerpt" }, operation.error.message),
  );
}

export async function operationView({ main, signal, argument: id }) {
  const path = `/operations/${encodeURIComponent(id)}`;
  const head = h("section", { class: "stack" });
  const live = h("p", { class: "meta" });
  const log = h("ol", { class: "events", role: "log", "aria-live": "off" });
  const renew = async () => {
    const { operation } = await api.get(path, signal);
    put(head, ...summary(operation, renew));
    return operation;
  };
  const first = await renew();
  put(main, head, h("section", { class: "stack" }, h("h2", {}, "What happened"), live, log));
  const take = (event) => {
    log.append(line(event, first.created_at));
    live.textContent = "";
  };
  const waiting = (away) => (live.textContent = away ? "The connection broke; trying again…" : "");
  await follow(id, take, waiting, signal);
  if (signal.aborted) return;
  const last = await renew();
  if (first.status === "running") say(`The research is ${last.status}.`);
}

function summary(operation, renew) {
  const running = operation.status === "running";
  return [
    h("h1", {}, operation.title || "Operation"),
    h("p", { class: "row" }, state(operation.status), elapsed(operation.created_at, operation.finished_at), running && cancelButton(operation, renew)),
    operation.error && h("p", { class: "notice bad" }, operation.error.message),
    h(
      "dl",
      { class: "facts meta" },
      fact("Source", h("a", { href: `#/notes/${encodeURIComponent(operation.source_note_id)}` }, "source note")),
      operation.result_note_id && fact("Report", h("a", { href: `#/notes/${encodeURIComponent(operation.result_note_id)}` }, "report")),
      fact("Begun", moment(operation.created_at)),
      fact("Polls", String(operation.attempts)),
      operation.usage.output_tokens > 0 && fact("Tokens", `${operation.usage.input_tokens} in, ${operation.usage.output_tokens} out`),
    ),
  ];
}

const fact = (name, value) => [h("dt", {}, name), h("dd", {}, value)];

function cancelButton(operation, renew) {
  const cancel = async ({ currentTarget }) => {
    currentTarget.disabled = true;
    try {
      const answer = await api.post(`/operations/${encodeURIComponent(operation.id)}/cancel`);
      say(answer.message);
      await renew();
    } catch (error) {
      currentTarget.disabled = false;
      say(error.message);
    }
  };
  return h("button", { type: "button", onclick: cancel }, "Cancel");
}

function line(event, began) {
  const words = wordsOf(event);
  return h("li", {}, elapsed(began, event.at), h("span", { class: "what" }, event.type.replaceAll("_", " ")), h("span", { class: "words" }, words));
}

const TELL = {
  execution_started: ({ execution }) => `workflow execution ${execution?.split("/").pop()}`,
  interaction_started: ({ interaction_id, attempt }) => `${interaction_id}, attempt ${attempt}`,
  search: ({ queries }) => queries?.join("\n"),
  reading: ({ urls }) => urls?.join("\n"),
  writing: ({ characters }) => `${characters} characters so far`,
  completed: ({ citations, unresolved }) => `${citations} ${citations === 1 ? "source" : "sources"}${unresolved ? `, ${unresolved} not resolved` : ""}`,
};

/** The data of an event for a reader: in words where they are known, else each field by its name. */
function wordsOf({ type, data }) {
  if (TELL[type]) return TELL[type](data) ?? "";
  const told = data.text ?? data.message ?? data.title;
  if (typeof told === "string") return told;
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length))
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join("\n");
}
