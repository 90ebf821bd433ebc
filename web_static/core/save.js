/** Saving a text as a file of this device. */

import { html } from "./html.js";

export const save = (name, text, type = "text/markdown") => saveBlob(name, new Blob([text], { type }));

export function saveBlob(name, blob) {
  const address = URL.createObjectURL(blob);
  html`<a href=${address} download=${name}></a>`.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
