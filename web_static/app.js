/** The page begins here: the shell, the keys that work everywhere, the outbox, the worker that keeps the page for offline. */

import { palette } from "./components/palette/palette.js";
import { close as closePopover } from "./components/popover/popover.js";
import { badge, mark, rail } from "./components/rail/rail.js";
import { watchSpending } from "./components/spending/spending.js";
import { learn } from "./core/access.js";
import { locate } from "./core/api.js";
import { key } from "./core/keys.js";
import { flush } from "./core/outbox.js";
import { person, token } from "./core/preferences.js";
import { go, start } from "./core/router.js";
import { workerAddress } from "./core/trusted.js";
import { VIEWS } from "./views.js";
import { beside } from "./views/chat/dock.js";

/** /capture?url&title&text, where bookmarklets and the share menu come in, is a view like any other. */
if (location.pathname === "/capture") history.replaceState(null, "", `/#/capture${location.search}`);

rail(VIEWS);
palette(VIEWS);
for (const { key: letter, nav, address } of VIEWS) if (letter) key(`g ${letter}`, () => go(address));
key("c", () => {
  const box = document.querySelector("[data-capture]");
  if (box) box.focus();
  else go("#/notes?capture");
});
key("/", () => {
  const box = document.querySelector("[data-search]");
  if (box) box.focus();
  else go("#/notes?search");
});
key("?", () => go("#/help"));
key("Escape", () => {
  closePopover();
  document.activeElement?.blur?.();
});

await locate();
const known = token.get() && learn().catch(() => {});
if (!person.get()) await known; // whose drafts these are
start(VIEWS, (row) => {
  mark(row);
  beside(row);
});
badge();
watchSpending();
flush();
navigator.serviceWorker?.register(workerAddress()).catch(() => {});
