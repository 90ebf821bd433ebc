/**
 * Keeps the page itself for when there is no network. Notes are not kept; what is written waits in the outbox.
 *
 * What belongs to the page is read from it: its document names the first files, those their imports, views.js the views.
 */

const CACHE = "memex-shell";
const NAMED = /(?:src|href|from|import|fetch)(?:=|\(| )"([./][^"#]*\.\w+)"/g;
const VIEW = /\{ name: "(\w+)"/g;
let renewing = null;

/** The addresses that a file of the page names. */
function named(address, text) {
  const views = address.endsWith("/views.js") ? [...text.matchAll(VIEW)].map(([, name]) => `/views/${name}/${name}.js`) : [];
  return [...[...text.matchAll(NAMED)].map(([, name]) => name), ...views].map((name) => new URL(name, address).href);
}

/** Keep the page as it is now: each file, and what it names. */
async function keep() {
  const cache = await caches.open(CACHE);
  const seen = new Set();
  const take = async (address) => {
    if (seen.has(address)) return;
    seen.add(address);
    const response = await fetch(address, { cache: "no-cache" });
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    const text = await response.clone().text();
    await cache.put(address, response);
    await Promise.all(named(address, text).map(take));
  };
  await take(`${location.origin}/`);
}

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const name = pathname === "/capture" || pathname === "/index.html" ? "/" : pathname;
  if (event.request.method === "GET" && origin === location.origin && !name.startsWith("/api/")) event.respondWith(fresh(event, name));
});

/** The newest from the network, which is asked with an entity tag; without it what was kept. A new one comes with all others. */
async function fresh(event, name) {
  const kept = await caches.match(name);
  try {
    const response = await fetch(event.request);
    if (kept && response.ok && tag(kept) !== tag(response)) event.waitUntil((renewing ??= keep().catch(() => {}).then(() => (renewing = null))));
    return response;
  } catch {
    return kept ?? Response.error();
  }
}

const tag = ({ headers }) => headers.get("ETag") ?? headers.get("Last-Modified");
