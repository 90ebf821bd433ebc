/** Keeps the page itself for when there is no network. Notes are not kept; what is written waits in the outbox. */

const CACHE = "memex-shell";
const FILES = [
  "/",
  "/app.js",
  "/components/capture/capture.js",
  "/components/diff/diff.js",
  "/components/importing/frontMatter.js",
  "/components/importing/importing.js",
  "/components/markdown/citation.js",
  "/components/markdown/markdown.js",
  "/components/markdown/passage.js",
  "/components/meter/allowance.js",
  "/components/meter/meter.js",
  "/components/palette/palette.js",
  "/components/plot/plot.js",
  "/components/popover/popover.js",
  "/components/rail/rail.js",
  "/components/run/card.js",
  "/components/run/stopping.js",
  "/components/run/watching.js",
  "/components/run/words.js",
  "/components/tags/tags.js",
  "/components/toasts/toasts.js",
  "/core/api.js",
  "/core/connection.js",
  "/core/copy.js",
  "/core/database.js",
  "/core/diff.js",
  "/core/drafts.js",
  "/core/focus.js",
  "/core/follow.js",
  "/core/fresh.js",
  "/core/html.js",
  "/core/keys.js",
  "/core/live.js",
  "/core/marked.js",
  "/core/outbox.js",
  "/core/preferences.js",
  "/core/prices.js",
  "/core/router.js",
  "/core/rows.js",
  "/core/save.js",
  "/core/search.js",
  "/core/sse.js",
  "/core/time.js",
  "/core/trusted.js",
  "/core/ulid.js",
  "/core/upload.js",
  "/core/visible.js",
  "/core/words.js",
  "/icon.svg",
  "/manifest.webmanifest",
  "/style.css",
  "/theme.js",
  "/views.js",
  "/views/approvals/approvals.css",
  "/views/approvals/approvals.js",
  "/views/approvals/badge.js",
  "/views/approvals/editing.js",
  "/views/approvals/fields.js",
  "/views/capture/capture.css",
  "/views/capture/capture.js",
  "/views/chat/calls.js",
  "/views/chat/chat.css",
  "/views/chat/chat.js",
  "/views/chat/cites.js",
  "/views/chat/composer.js",
  "/views/chat/dock.js",
  "/views/chat/panel.js",
  "/views/chat/scrolling.js",
  "/views/chat/sessions.js",
  "/views/chat/transcript.js",
  "/views/chat/writing.js",
  "/views/document/document.css",
  "/views/document/document.js",
  "/views/document/passages.js",
  "/views/documents/documents.css",
  "/views/documents/documents.js",
  "/views/documents/uploads.js",
  "/views/documents/words.js",
  "/views/feed/deleting.js",
  "/views/feed/feed.css",
  "/views/feed/feed.js",
  "/views/feed/filters.js",
  "/views/feed/keys.js",
  "/views/feed/pending.js",
  "/views/feed/row.js",
  "/views/help/help.css",
  "/views/help/help.js",
  "/views/note/actions.js",
  "/views/note/editor.js",
  "/views/note/history.js",
  "/views/note/note.css",
  "/views/note/note.js",
  "/views/note/relations.js",
  "/views/note/sources.js",
  "/views/note/suggestions.js",
  "/views/operation/operation.css",
  "/views/operation/operation.js",
  "/views/operation/progress.js",
  "/views/operation/telling.js",
  "/views/operations/operations.css",
  "/views/operations/operations.js",
  "/views/run/answer.js",
  "/views/run/progress.js",
  "/views/run/run.css",
  "/views/run/run.js",
  "/views/run/steps.js",
  "/views/runs/runs.css",
  "/views/runs/runs.js",
  "/views/settings/export.js",
  "/views/settings/settings.css",
  "/views/settings/settings.js",
  "/views/tasks/form.js",
  "/views/tasks/tasks.css",
  "/views/tasks/tasks.js",
  "/views/trash/trash.css",
  "/views/trash/trash.js",
  "/views/usage/usage.css",
  "/views/usage/usage.js",
  "/views/welcome/welcome.css",
  "/views/welcome/welcome.js",
];

const shell = new Set(FILES);

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })))).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const name = pathname === "/capture" || pathname === "/index.html" ? "/" : pathname;
  if (event.request.method === "GET" && origin === location.origin && shell.has(name)) event.respondWith(fresh(event.request, name));
});

/** The newest from the network, which is asked with an entity tag; without it what was kept. */
async function fresh(request, name) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(name, response.clone());
    return response;
  } catch {
    return (await cache.match(name)) ?? Response.error();
  }
}
