import { empty, h, head, region, table } from "../dom.js";
import { get, send } from "../net.js";
import { confirmed, doing, toast } from "../toast.js";

export default function bill() {
  const live = region();
  const reset = doing(async () => {
    if (!(await confirmed("Begin to count anew?", "The counts of all services go back to nothing. This cannot be undone.", "Reset the counts"))) return;
    await send("POST", "/bill/reset");
    toast("The counts are at nothing");
    dispatchEvent(new Event("changed"));
  });
  const amount = (value) => value.toLocaleString(undefined, { maximumFractionDigits: 3 });
  const usd = (value) => (value > 0 && value < 1e-6 ? "< $0.000001" : `$${value.toFixed(6)}`); // one form, so that the columns can be compared
  const build = (data) => data.rows.length === 0 ? empty("Nothing was counted yet.") : [
    table([["Service", ([name]) => name], ["USD", ([, value]) => usd(value), "num"]], Object.entries(data.services), ["Total", data.total_usd]),
    h("h2", null, "By unit"),
    table([
      ["Service", (row) => row.service, "fit"],
      ["Unit", (row) => row.unit.replaceAll("_", " ")],
      ["Amount", (row) => amount(row.amount), "num"],
      ["USD", (row) => (row.priced ? usd(row.usd) : "no price"), "num"],
    ], data.rows),
    h("p", { class: "quiet small below" }, `List prices of ${data.as_of}, ${data.region}; free tiers are not taken off.`),
  ];
  return {
    element: h("section", null, head("Bill", "What all this would have cost in production.", "/_cloud/bill", h("button", { onclick: reset }, "Reset the counts")), live),
    refresh: async () => live.show(await get("/bill"), build),
  };
}
