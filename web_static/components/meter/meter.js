/** How much of something is used: a bar with its words, which say the same; quotas, and a warning where one comes to its end. */

import { api } from "../../core/api.js";
import { html, put } from "../../core/html.js";
import { count, dollars } from "../../core/words.js";

/** `parts` are [part of the whole, class] from the left; `label` says what the bar shows. */
export function meter(parts, label) {
  const bar = html`<span class="meter" role="img" aria-label=${label}></span>`;
  for (const [part, name] of parts) {
    const piece = html`<span class=${name}></span>`;
    piece.style.width = `${Math.min(1, Math.max(0, part)) * 100}%`;
    bar.append(piece);
  }
  return bar;
}

/* What a month's usage means, in words and bars; a warning where four fifths of a quota are used or set aside. */

const FIGURE = { usd: dollars };
const SHOWN = { runs: (n) => count(n, "run"), tokens: (n) => `${whole(n)} tokens`, usd: dollars };
const whole = (n) => Math.round(n).toLocaleString();
const NAMES = { runs: "Agent runs", tokens: "Tokens", usd: "Money, at list price" };

/** A place that warns once the server says that a quota comes to its end; empty until then, and where it cannot be asked. */
export function warning(signal) {
  const place = html`<div class="stack" role="status"></div>`;
  api.get("/usage", signal).then(({ warnings }) => put(place, warnings.map((words) => html`<p class="notice warn">${words} <a href="#/usage">Usage</a></p>`)), () => {});
  return place;
}

/** A quota as its name, a bar and its figures. */
export function quota(name, { used, reserved, limit, share }) {
  const say = SHOWN[name] ?? String;
  const aside = reserved ? `, ${say(reserved)} set aside` : "";
  const words = limit === null ? `${say(used)} used${aside}; no limit` : `${(FIGURE[name] ?? whole)(used)} of ${say(limit)} used${aside}`;
  const full = share >= 1 ? "full" : share >= 0.8 ? "near" : "used";
  return html`<div><p class="row spread"><span>${NAMES[name] ?? name}</span><span class="meta">${words}</span></p>
    ${limit !== null && meter([[limit ? used / limit : 1, full], [limit ? reserved / limit : 0, "aside"]], words)}</div>`;
}
