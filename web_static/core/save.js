/** Saving a text as a file of this device. */

import { html } from "./html.js";

export function save(name, text, type = "text/markdown") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  html`<a href=${address} download=${name}></a>`.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
