/** j k o e # x on the rows of the feed. */

import { key } from "../../core/keys.js";
import { go } from "../../core/router.js";
import { currentRow, walkRows, withRow } from "../../core/rows.js";
import { deleteNotes } from "./deleting.js";

export function rowKeys(list, signal) {
  const remove = () => {
    const chosen = [...list.querySelectorAll("[data-row].selected")];
    const going = chosen.length ? chosen : [currentRow()].filter(Boolean);
    if (!going.length) return false;
    const next = going.at(-1).nextElementSibling ?? going[0].previousElementSibling;
    const id = next?.dataset.row;
    deleteNotes(going.map((row) => row.dataset.row), going[0].querySelector(".title").textContent);
    if (id) list.querySelector(`[data-row="${CSS.escape(id)}"] a`)?.focus();
    return true;
  };
  walkRows(list, signal);
  key("e", withRow((row) => go(`${row.querySelector("a").hash}?edit`)), signal);
  key("x", withRow((row) => void row.classList.toggle("selected")), signal);
  key("#", remove, signal);
}
