/** Who one is here: what one may not do is not offered (style.css hides it by the role), and drafts are of a person, not of a token. */

import { api } from "./api.js";
import { person, role, token, workspace } from "./preferences.js";

const RANKS = ["reader", "member", "owner"];

/** Whether one may do what takes this role; the server decides in the end. */
export const may = (least) => RANKS.indexOf(role.get() || "owner") >= RANKS.indexOf(least);

let asking = null;

/** Ask the server who one is. Raises Refusal; a server that does not know of roles lets its owner in. */
export const learn = () => (asking ??= ask().finally(() => (asking = null)));

async function ask() {
  const me = await api.get("/me").catch((error) => {
    if (error.status !== 404) throw error;
    return { workspace: "", name: "", role: "owner" };
  });
  person.set(me.workspace && `${me.workspace}/${me.name.startsWith("person-") ? me.name : ""}`);
  role.set(me.role);
  shown();
  return me;
}

/** Another token, or none: who one is must be asked anew. */
export function entered(value) {
  token.set(value);
  for (const one of [workspace, role]) one.set("");
  shown();
}

const shown = () => (document.documentElement.dataset.role = role.get());

shown();
addEventListener("refused", ({ detail: { status, code } }) => status === 403 && code === "forbidden" && role.get() !== "reader" && learn().catch(() => {}));
