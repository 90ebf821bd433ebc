import { h, head } from "../dom.js";
import { get, send } from "../net.js";
import { confirmed, doing, toast } from "../toast.js";

export default function reset() {
  const list = h("div", { class: "form" });
  const wipe = async (parts, what) => {
    if (!(await confirmed(`Wipe ${what}?`, "It is gone for good. The local cloud goes on running, and so do the functions.", `Wipe ${what}`))) return;
    const { wiped } = await send("POST", "/reset", { parts });
    const words = Object.entries(wiped).filter(([, count]) => count).map(([name, count]) => `${name} ${count}`);
    toast(`Wiped${words.length ? `: ${words.join(", ")}` : ""}`);
    dispatchEvent(new Event("changed"));
  };
  const chosen = () => [...list.querySelectorAll("input:checked")].map((one) => one.name);
  const some = h("button", { disabled: true, onclick: doing(() => wipe(chosen(), chosen().join(", "))) }, "Wipe what is ticked");
  list.addEventListener("change", () => (some.disabled = chosen().length === 0));
  return {
    element: h("section", null, head("Reset", "Back to a local cloud that nobody has used yet, without stopping it.", "/_cloud/reset", h("button", { class: "grave", onclick: doing(() => wipe(["all"], "everything")) }, "Wipe everything")), h("h2", null, "Or parts of it"), list),
    refresh: async () => {
      if (list.firstChild) return;
      const { parts } = await get("/reset");
      const boxes = Object.entries(parts).map(([name, about]) => h("label", { class: "tick" }, h("input", { type: "checkbox", name }), h("span", null, h("strong", null, name), h("span", { class: "quiet" }, `: ${about}`))));
      list.append(...boxes, h("div", { class: "row" }, some));
    },
  };
}
