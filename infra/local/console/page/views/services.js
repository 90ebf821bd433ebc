import { code, facts, h, head, region, span, state, table } from "../dom.js";
import { get } from "../net.js";

const KINDS = { ready: "ok", loading: "running", off: "off" };

export default function services() {
  const live = region();
  const build = (data) => [
    facts([
      ["Project", `${data.project}, ${data.location}`],
      ["Data", code(data.data)],
      ["Functions", data.host ? `${data.host.pid ? `process ${data.host.pid}` : "in this process"}, ${data.host.restarts} restarts` : "switched off"],
    ]),
    table([
      ["Service", (one) => one.name],
      ["State", (one) => (one.out_seconds ? state("bad", `away for ${span(one.out_seconds)}`) : state("ok", "answers"))],
      ["Address", (one) => code(one.address), "fit"],
      ["Speaks", (one) => one.speaks],
    ], data.services),
    h("h2", null, "For a client in a terminal"),
    h("pre", null, data.services.filter((one) => one.variable).map((one) => `export ${one.variable}=${one.address}`).join("\n")),
    h("h2", null, "Functions"),
    table([
      ["Function", (one) => one.name, "fit"],
      ["State", (one) => state(KINDS[one.state] ?? "bad", one.state)],
      ["Called by", (one) => code(one.called_by), "long"],
      ["Invoker", (one) => one.invoker],
    ], data.functions),
  ];
  return {
    element: h("section", null, head("Services", "Google Cloud as far as Memex uses it, in one process on this machine.", "/_cloud/services"), live),
    refresh: async () => live.show(await get("/services"), build),
  };
}
