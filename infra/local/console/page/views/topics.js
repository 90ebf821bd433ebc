import { code, empty, field, h, head, region, short, table, when } from "../dom.js";
import { get, send } from "../net.js";
import { doing, toast } from "../toast.js";

export default function topics() {
  const live = region(), peeked = region();
  let subscription = "";

  const topic = h("select"), data = h("textarea", { placeholder: "Text" }), key = h("input", { autocomplete: "off" });
  const attributes = h("input", { placeholder: "kind=greeting, from=me", autocomplete: "off" });
  const error = h("p", { class: "error", role: "alert" });
  const publish = doing(async () => {
    error.textContent = "";
    const pairs = attributes.value.split(",").map((pair) => pair.trim()).filter(Boolean).map((pair) => pair.split(/=(.*)/s).slice(0, 2).map((part) => part.trim()));
    const { message_id } = await send("POST", "/publish", { topic: topic.value, data: data.value, attributes: Object.fromEntries(pairs.map(([name, value]) => [name, value ?? ""])), ordering_key: key.value });
    toast(`Published message ${message_id}`);
    data.value = "";
    dispatchEvent(new Event("changed"));
  }, (message) => (error.textContent = message));
  const form = h("form", { class: "form", onsubmit: publish }, h("div", { class: "grid" }, field("Topic", topic), field("Attributes", attributes), field("Ordering key", key)), field("Data", data), error, h("div", { class: "row" }, h("button", { class: "main" }, "Publish")));

  const peek = (name) => () => ((subscription = name), dispatchEvent(new Event("changed")));
  const build = (found) => [
    found.subscriptions.length ? table([
      ["Subscription", (one) => [code(short(one.name)), h("div", { class: "quiet small" }, `of ${short(one.topic)}${one.filter ? `, ${one.filter}` : ""}${one.push_endpoint ? `, to ${one.push_endpoint}` : ""}`)]],
      ["Backlog", (one) => String(one.backlog), "num"],
      ["Oldest unacked", (one) => when(one.oldest_published_at), "fit"],
      ["Messages", (one) => Object.entries(one.states).map(([name, count]) => `${count} ${name}`).join(", ") || "none", "fit"],
      ["Consumers", (one) => String(one.consumers), "num"],
      ["", (one) => h("button", { "data-key": one.name, onclick: peek(one.name) }, "Peek"), "fit"],
    ], found.subscriptions) : empty("No subscriptions yet."),
    h("h2", null, "Topics"),
    table([["Topic", (one) => code(short(one.name))], ["Subscriptions", (one) => one.subscriptions.map(short).join(", ") || "none: what is published is gone"]], found.topics),
  ];
  const messages = (found) => [
    h("h2", null, `Waiting in ${short(subscription)}`),
    found.messages.length ? table([
      ["Message", (one) => code(one.id), "fit"],
      ["State", (one) => one.state + (one.failed_attempts ? `, failed ${one.failed_attempts} times` : ""), "fit"],
      ["Published", (one) => when(one.published_at), "fit"],
      ["Attributes", (one) => Object.entries(one.attributes).map(([name, value]) => `${name}=${value}`).join(", ")],
      ["Data", (one) => h("div", { class: "clip mono" }, one.data ?? `${one.bytes} bytes, base64 ${one.data_base64}`), "long"],
    ], found.messages) : empty("Nothing waits here. Looking takes nothing away."),
  ];

  return {
    element: h("section", null, head("Pub/Sub", "What was published and is not acknowledged yet.", "/_cloud/topics"), live, peeked, h("h2", null, "Publish a message"), form),
    refresh: async () => {
      const found = await get("/topics");
      const stable = { ...found, subscriptions: found.subscriptions.map(({ oldest_age_seconds, ...one }) => one) };
      live.show(stable, build);
      const names = found.topics.map((one) => one.name).join();
      if (topic.names !== names) {
        topic.names = names;
        topic.replaceChildren(...found.topics.map((one) => h("option", { value: one.name }, short(one.name))));
      }
      if (subscription) peeked.show([subscription, await get(`/messages?${new URLSearchParams({ subscription })}`)], ([, one]) => messages(one));
    },
  };
}
