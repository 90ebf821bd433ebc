// Everything here is made from /_cloud/faults/kinds, so a new kind of fault has its form without a change.

import { empty, field, h, head, region, span } from "../dom.js";
import { get, send } from "../net.js";
import { doing, toast } from "../toast.js";

const WORDS = {
  outage: ["A service is away", "Its calls are refused with UNAVAILABLE or 503, and nothing of them is applied.", { seconds: 60 }],
  lost_answer: ["An answer is lost", "The next calls of a method are applied, but the caller never hears so.", { method: "Commit" }],
  duplicate_events: ["Events come again", "The next deliveries to a function are made more than once; empty times means all.", { copies: 1 }],
  delay_events: ["Events come late", "The next deliveries wait, and those behind them overtake.", { seconds: 10 }],
  drop_events: ["Events never come", "Production does not do this; it shows whether reconciling works.", {}],
};

export default function faults() {
  const live = region(), forms = h("div", { class: "cards" }), actions = region();
  const ask = async (wish) => (await send("POST", "/faults", wish), dispatchEvent(new Event("changed")));

  function form(kind, { about, arguments: wanted }) {
    const [title, text, start] = WORDS[kind] ?? [kind.replaceAll("_", " "), about.split("\n")[0], {}];
    const error = h("p", { class: "error", role: "alert" });
    const controls = wanted.map((one) => {
      const value = start[one.name] ?? one.default ?? "";
      const control = one.choices.length
        ? h("select", null, one.choices.map((choice) => h("option", { value: choice }, choice)))
        : h("input", { value, required: one.required, autocomplete: "off", ...(one.kind === "number" && { type: "number", min: 0, step: "any" }) });
      return [one, control];
    });
    const submit = doing(async () => {
      error.textContent = "";
      const given = controls.filter(([one, control]) => control.value !== "" || one.default === null);
      await ask({ kind, ...Object.fromEntries(given.map(([one, control]) => [one.name, control.value === "" ? null : one.kind === "number" ? Number(control.value) : control.value])) });
      toast(`${title}: switched on`);
    }, (message) => (error.textContent = message));
    return h("form", { class: "form", onsubmit: submit }, h("h3", null, title), h("p", { class: "quiet" }, text), h("div", { class: "grid" }, controls.map(([one, control]) => field(one.name, control))), error, h("div", { class: "row" }, h("button", null, "Switch on")));
  }

  const build = (active) => {
    const lines = [
      ...Object.entries(active.outages).map(([name, seconds]) => `${name} is away for ${span(seconds)} more`),
      ...Object.entries(active.lost_answers).map(([method, left]) => `the next ${left} answers of ${method} are lost`),
      ...active.events.map((one) => `events for ${one.function === "*" ? "every function" : one.function}: ${[one.drop && "never delivered", one.copies && `${one.copies} more copies`, one.delay_seconds && `${span(one.delay_seconds)} late`].filter(Boolean).join(", ")}; ${one.left === null ? "until cleared" : `${one.left} left`}`),
      ...Object.entries(active).filter(([name]) => !["outages", "lost_answers", "events"].includes(name)).flatMap(([name, more]) => Object.keys(more).length ? [`${name}: ${JSON.stringify(more)}`] : []),
    ];
    return lines.length ? h("ul", { class: "list" }, lines.map((line) => h("li", null, h("div", { class: "warn" }, "▲ ", line)))) : empty("No fault is active.");
  };

  return {
    element: h("section", null, head("Faults", "What goes wrong on purpose, for as long as you say.", "/_cloud/faults", actions), live, h("h2", null, "Switch on"), forms),
    refresh: async (summary) => {
      if (!forms.firstChild) forms.append(...Object.entries(await get("/faults/kinds")).filter(([kind]) => kind !== "clear").map(([kind, what]) => form(kind, what)));
      actions.show(summary.faults > 0, (some) => some && h("button", { "data-key": "clear", class: "main", onclick: doing(() => ask({ kind: "clear" })) }, "Clear all"));
      live.show(await get("/faults"), build);
    },
  };
}
