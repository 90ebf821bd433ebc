/** /capture?url&title&text: what comes in by the bookmarklet or the share menu, to be looked at and kept. */

import { captureBox } from "../../components/capture/capture.js";
import { html, put } from "../../core/html.js";
import { go } from "../../core/router.js";

export async function show({ main, signal, wanted }) {
  const [title, text, url] = ["title", "text", "url"].map((name) => wanted.get(name)?.trim() ?? "");
  const address = /^https?:\/\//i.test(url) ? url : "";
  const quote = text && text !== url ? text.split("\n").map((line) => (address ? `> ${line}` : line)).join("\n") : "";
  const body = [title, quote, address || (url && url !== text ? url : "")].filter(Boolean).join("\n\n");
  const given = { title, body };
  const box = captureBox(signal, new URLSearchParams("capture"), { given, rows: 8, done: () => go("#/notes") });
  put(main, html`<h1>Write down</h1>`, box, html`<p class="meta">Nothing is kept before you say so. <a href="#/settings">A bookmarklet for this</a></p>`);
}
