/** What is remembered: the records, what was refused, what contradicts, people and things, and all of it in short. */

import { contradictions, OPEN } from "./contradictions.js";
import { graph } from "./graph.js";
import { records } from "./records.js";
import { rejected, short } from "./short.js";
import { tabs } from "../../components/tags/tags.js";
import { api } from "../../core/api.js";
import { html, put } from "../../core/html.js";

const PARTS = { "": records, short, graph, contradictions, rejected };
const NAMES = [["", "Records"], ["short", "In short"], ["graph", "People and things"], ["contradictions", "Contradictions"], ["rejected", "Refused"]];

export async function show({ main, signal, argument, wanted }) {
  const place = html`<div class="stack"></div>`;
  const open = html`<span></span>`;
  const address = (name) => (name ? `#/memory/${name}` : "#/memory");
  const parts = NAMES.map(([name, words]) => [address(name), words, name === "contradictions" ? open : null]);
  put(main, html`<h1>Memory</h1>`, tabs("Parts of the memory", parts, address(argument ?? "")), place);
  const told = (n) => put(open, n > 0 && html`<span class="badge" aria-label=${`${n} open`}>${n}</span>`);
  if (argument !== "contradictions") api.get(OPEN, signal).then((answer) => told(answer.contradictions.length), () => {});
  await PARTS[argument ?? ""]({ place, signal, wanted, told });
}
