/** The chat as a page of its own. */

import { html, put } from "../../core/html.js";
import { renameAddress } from "../../core/router.js";
import { panel } from "./panel.js";

export async function show({ main, argument, wanted }) {
  put(main, html`<h1 class="unseen">Chat</h1>`);
  await panel().into(main, (id) => main.contains(panel().element) && renameAddress(id ? `#/chat/${id}` : "#/chat"));
  if (argument || wanted.has("new")) await panel().open(argument ?? "");
  if (wanted.has("q")) panel().composer.put(wanted.get("q"));
  panel().composer.focus();
}
