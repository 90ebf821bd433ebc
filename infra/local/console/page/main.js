// The frame: which view the address names, and the one loop that keeps it fresh while somebody looks.

import { h, tick, usd } from "./dom.js";
import { get } from "./net.js";

const PAUSE_MS = 2000, LONGEST_PAUSE_MS = 15000, IDLE_MS = 600000;
const SECTIONS = [
  ["", "Services", "services"],
  ["firestore", "Firestore", "firestore"],
  ["topics", "Pub/Sub", "topics", (s) => s.backlog || ""],
  ["executions", "Executions", "executions", (s) => s.executions || ""],
  ["deliveries", "Deliveries", "deliveries", (s) => s.pending || (s.dropped ? `✕ ${s.dropped}` : ""), (s) => s.dropped],
  ["scheduler", "Scheduler", "scheduler"],
  ["faults", "Faults", "faults", (s) => (s.faults ? `▲ ${s.faults}` : ""), (s) => s.faults],
  ["bill", "Bill", "bill", (s) => usd(s.total_usd)],
  ["reset", "Reset", "reset"],
];

const main = document.getElementById("main"), nav = document.getElementById("nav"), pulse = document.getElementById("pulse");
const badges = new Map();
let view, section, timer, failures = 0, busy = false, again = false, touched = Date.now();

nav.append(...SECTIONS.map(([name, label]) => {
  const badge = h("span");
  badges.set(name, badge);
  return h("a", { href: `#/${name}`, "data-name": name }, label, badge);
}));

async function open() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const words = path.split("/").filter(Boolean).map(decodeURIComponent);
  const found = SECTIONS.find(([name]) => name === (words[0] ?? "")) ?? SECTIONS[0];
  const mine = (section = {});
  const { default: make } = await import(`./views/${found[2]}.js`);
  if (section !== mine) return;
  for (const one of nav.children) {
    if (one.dataset.name === found[0]) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  }
  document.title = `${found[1]} · Local cloud`;
  view = make(words.slice(1), new URLSearchParams(query));
  main.replaceChildren(view.element);
  scrollTo(0, 0);
  reveal();
  await refresh();
}

// On a phone the sections are one line that scrolls, and what they count makes it longer.
function reveal() {
  nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

// One small summary, then what the view itself needs; nothing while the tab is hidden.
async function refresh() {
  if (busy) return void (again = true);
  clearTimeout(timer);
  busy = true;
  try {
    const summary = await get("/summary"), width = nav.scrollWidth;
    for (const [name, , , badge, alert] of SECTIONS) {
      badges.get(name).textContent = badge ? badge(summary) : "";
      badges.get(name).classList.toggle("alert", Boolean(alert?.(summary)));
    }
    if (nav.scrollWidth !== width) reveal();
    await view?.refresh(summary);
    failures = 0;
    pulse.textContent = "live";
    pulse.className = "state ok";
  } catch (failure) {
    failures += 1;
    pulse.textContent = failure.message;
    pulse.className = "state bad";
  }
  busy = false;
  if (again) return void ((again = false), refresh());
  const idle = Date.now() - touched > IDLE_MS;
  const pause = idle ? LONGEST_PAUSE_MS : Math.min(PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  if (!document.hidden) timer = setTimeout(refresh, pause);
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden) refresh();
});
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => (touched = Date.now()), { passive: true });
addEventListener("hashchange", open);
addEventListener("changed", refresh); // a view has changed something
setInterval(() => document.hidden || tick(), 1000);
open();
