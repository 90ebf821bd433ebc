/** j k o e # x on the rows of the feed. */

import { key } from "../../core/keys.js";
import { go } from "../../core/router.js";
import { deleteNotes } from "./deleting.js";

export function rowKeys(list, signal) {
  const rows = () => [...list.querySelectorAll("[data-row]")];
  const current = () => document.activeElement?.closest("[data-row]");
  const move = (by) => {
    const all = rows();
    const at = all.indexOf(current());
    const next = at < 0 ? all[0] : all[Math.min(all.length - 1, Math.max(0, at + by))];
    next?.querySelector("a").focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const withRow = (act) => () => {
    const row = current();
    return row ? act(row) : false;
  };
  const remove = () => {
    const chosen = [...list.querySelectorAll("[data-row].selected")];
    const going = chosen.length ? chosen : [current()].filter(Boolean);
    if (!going.length) return false;
    const next = going.at(-1).nextElementSibling ?? going[0].previousElementSibling;
    const id = next?.dataset.row;
    deleteNotes(going.map((row) => row.dataset.row), going[0].querySelector(".title").textContent);
    if (id) list.querySelector(`[data-row="${CSS.escape(id)}"] a`)?.focus();
    return true;
  };
  key("j", () => move(1), signal);
  key("k", () => move(-1), signal);
  key("o", withRow((row) => row.querySelector("a").click()), signal);
  key("e", withRow((row) => go(`${row.querySelector("a").hash}?edit`)), signal);
  key("x", withRow((row) => void row.classList.toggle("selected")), signal);
  key("#", remove, signal);
}
