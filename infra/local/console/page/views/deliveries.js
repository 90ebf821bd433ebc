import { empty, h, head, link, pathname, region, state, table, when } from "../dom.js";
import { get, send } from "../net.js";
import { doing } from "../toast.js";

const STATES = ["", "pending", "dropped", "delivered"];
const kind = (word) => (word === "delivered" ? "ok" : word === "pending" ? "running" : "bad");

export default function deliveries([wanted = ""]) {
  const live = region();
  const hurry = (id) => doing(async () => (await send("POST", `/deliveries/${id}/now`), dispatchEvent(new Event("changed"))));
  const build = ({ counts, newest }) => [
    Object.keys(counts).length > 0 && h("p", { class: "quiet" }, Object.entries(counts).map(([name, states]) => `${name}: ${Object.entries(states).map(([word, count]) => `${count} ${word}`).join(", ")}`).join(" · ")),
    newest.length ? table([
      ["Function", (one) => one.function, "fit"],
      ["Document", (one) => [link(`#/firestore/${one.document}`, pathname(one.document)), h("div", { class: "quiet small" }, `${one.event_type.split(".").at(-1)}, ${one.bytes.toLocaleString()} bytes`)], "long"],
      ["State", (one) => [state(kind(one.state), one.state), one.last_error && h("div", { class: "quiet small" }, one.last_error)]],
      ["Attempts", (one) => String(one.attempts), "num"],
      ["Status", (one) => (one.last_status === null ? "" : String(one.last_status || "no answer")), "num"],
      ["Next try, or end", (one) => (one.state === "pending" ? when(one.next_at) : when(one.ended_at)), "fit"],
      ["", (one) => one.state === "pending" && h("button", { "data-key": `now-${one.id}`, onclick: hurry(one.id) }, "Deliver now"), "fit"],
    ], newest) : empty(wanted ? `Nothing is ${wanted}.` : "Nothing yet. A delivery is made when a document changes that a function listens to."),
  ];
  const chips = h("div", { class: "chips" }, STATES.map((word) => h("a", { href: `#/deliveries/${word}`, "aria-current": word === wanted }, word || "all")));
  return {
    element: h("section", null, head("Deliveries", "Changes of documents on their way to functions. Messages of Pub/Sub wait in their subscriptions.", `/_cloud/deliveries${wanted && `?state=${wanted}`}`), chips, live),
    refresh: async () => live.show(await get(`/deliveries${wanted && `?state=${encodeURIComponent(wanted)}`}`), build),
  };
}
