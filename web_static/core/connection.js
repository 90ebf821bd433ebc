/** Event streams, and what the leading tab does for all: one event stream over the network, the other wanted ones by asking for pages. */

import { send } from "./api.js";
import { pause } from "./fresh.js";

const ASK_MILLISECONDS = 3000;
const BACKOFF = [500, 1000, 2000, 5000, 10000, 20000];

/**
 * Follows the streams in `wants` (a Map of path to {cursor}), the last one live and the others by polling, and hands
 * each frame to `tell(path, frame)`. `note(path, what)` hears "open", "lost", "closed" (the server ended it) and
 * {refused: message}.
 */
export class Connection {
  constructor(wants, tell, note) {
    Object.assign(this, { wants, tell, note, stopped: new AbortController(), current: null });
    this.live();
    this.others();
  }

  stop() {
    this.stopped.abort();
    this.current?.cut.abort();
  }

  /** Look again at what is wanted: it has changed. `path` is one whose reader stands further back than we do. */
  changed(path = null) {
    if (this.current && (this.current.path !== this.first() || this.current.path === path)) this.current.cut.abort();
    this.wake?.();
  }

  first() {
    return [...this.wants.keys()].at(-1) ?? null;
  }

  async live() {
    let failures = 0;
    while (!this.stopped.signal.aborted) {
      const path = this.first();
      if (!path) {
        await this.sleep(60_000);
        continue;
      }
      const cut = new AbortController();
      this.current = { path, cut };
      try {
        await this.read(path, cut.signal, () => (failures = 0));
        this.note(path, "closed");
        await this.sleep(1000);
      } catch (error) {
        if (cut.signal.aborted) continue;
        if (error.status >= 400 && error.status < 500 && error.status !== 429) this.refuse(path, error);
        else {
          this.note(path, "lost");
          await this.sleep(BACKOFF[Math.min(failures++, BACKOFF.length - 1)] * (0.75 + Math.random() / 2));
        }
      } finally {
        this.current = null;
      }
    }
  }

  async read(path, signal, good) {
    const response = await send("GET", path, { headers: this.headers(path, "text/event-stream"), signal });
    good();
    this.note(path, "open");
    for await (const frame of frames(response.body)) {
      if (signal.aborted) return; // what is still on its way belongs to a place that nobody is at any more
      this.take(path, frame);
    }
  }

  async others() {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await pause(ASK_MILLISECONDS, signal);
      const live = this.first();
      for (const path of [...this.wants.keys()].filter((one) => one !== live)) await this.page(path, signal);
    }
  }

  async page(path, signal) {
    try {
      const response = await send("GET", `${path}${path.includes("?") ? "&" : "?"}limit=200`, { headers: this.headers(path, "application/json"), signal });
      const { events } = await response.json();
      for (const event of events) this.take(path, { id: String(event.seq), event: "trace", data: JSON.stringify(event) });
      this.note(path, events.length ? "open" : "closed");
    } catch (error) {
      if (!signal.aborted && error.status >= 400 && error.status < 500 && error.status !== 429) this.refuse(path, error);
    }
  }

  headers(path, accept) {
    const cursor = this.wants.get(path)?.cursor;
    return { Accept: accept, ...(cursor ? { "Last-Event-ID": String(cursor) } : {}) };
  }

  take(path, frame) {
    const want = this.wants.get(path);
    if (!want) return;
    if (frame.id !== null) want.cursor = Number(frame.id);
    this.tell(path, frame);
  }

  refuse(path, error) {
    this.wants.delete(path);
    this.note(path, { refused: error.message, status: error.status });
  }

  sleep(milliseconds) {
    const { signal } = this.stopped;
    const woken = new Promise((resolve) => (this.wake = resolve));
    return Promise.race([pause(milliseconds, signal), woken]);
  }
}

/* Server-Sent Events of a fetch response: EventSource cannot send a bearer token. */

/** The frames of a body, {id, event, data (text)}; one that is cut off at the end is dropped, as it will come again. */
export async function* frames(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const frame = parsed(block);
        if (frame) yield frame;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(block) {
  const frame = { id: null, event: "message", data: null };
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") frame.data = frame.data === null ? value : `${frame.data}\n${value}`;
    else if (name === "id" || name === "event") frame[name] = value;
  }
  return frame.data === null ? null : frame;
}
