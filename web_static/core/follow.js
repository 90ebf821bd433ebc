/**
 * Following event streams: one connection a browser, however many tabs are open.
 *
 * The tab that holds the lock "memex-stream" leads: it alone talks to the server and passes each frame on over a
 * BroadcastChannel. Only a tab that can be seen wants anything, and only such a one leads.
 */

import { Connection } from "./connection.js";

const LOCK = "memex-stream";
const STILL_MILLISECONDS = 5000;
const GAP_MILLISECONDS = 3000;

const tab = crypto.randomUUID();
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(LOCK) : { postMessage: () => {} };
const followers = new Set();
let leading = null;
let standing = null;

/**
 * Call `take(frame)` with each frame of a stream after `cursor`, each id once and in order; `frame.data` is parsed JSON.
 *
 * Resolves when `ended(frame)` was true of a frame, when `closed()` (asked when the server closes the stream) answers
 * true, or when `signal` is aborted. Rejects when the server refuses. `state("open" | "lost")` hears how it goes.
 */
export function follow(path, { cursor = 0, take, ended = () => false, closed = async () => false, state = () => {}, signal }) {
  return new Promise((resolve, reject) => {
    const follower = { path, cursor, take, ended, closed, state, resolve: () => drop(follower, resolve), reject: (why) => drop(follower, () => reject(why)) };
    if (signal?.aborted) return resolve();
    signal?.addEventListener("abort", follower.resolve, { once: true });
    followers.add(follower);
    stand();
    announce();
  });
}

function drop(follower, settle) {
  if (!followers.delete(follower)) return;
  settle();
  announce();
  if (!followers.size) standing?.abort();
}

/** The terminal events of an operation's stream. */
export const operationEnded = ({ data }) => ["completed", "failed", "cancelled"].includes(data.type);

function post(message) {
  channel.postMessage(message);
  hear({ data: message });
}

/** Say what this tab wants, to whoever leads. Only at a beginning may it stand behind the leader: later, frames are on their way. */
function announce(beginning = true) {
  const wants = new Map();
  if (!document.hidden) for (const { path, cursor } of followers) wants.set(path, Math.min(cursor, wants.get(path) ?? Infinity));
  post({ kind: "want", tab, beginning, wants: [...wants] });
}

function hear({ data: message }) {
  if (message.kind === "want") leading?.wanted(message);
  else if (message.kind === "lead") announce();
  else if (message.kind === "frame") deliver(message);
  else if (message.kind === "note") for (const one of [...followers]) if (one.path === message.path) note(one, message.what);
}

function deliver({ path, frame }) {
  const data = parse(frame.data);
  for (const follower of [...followers]) {
    if (follower.path !== path) continue;
    const id = frame.id === null ? null : Number(frame.id);
    if (id !== null && (id <= follower.cursor || (id > follower.cursor + 1 && !missing(follower)))) continue;
    if (id !== null) follower.cursor = id;
    const whole = { ...frame, data };
    follower.take(whole);
    if (follower.ended(whole)) follower.resolve();
  }
}

/**
 * Numbers are dense. One that is skipped is asked for again; when it does not come then either, it is missing for good.
 */
function missing(follower) {
  if (follower.gap?.cursor === follower.cursor) return Date.now() - follower.gap.asked > GAP_MILLISECONDS;
  const gap = (follower.gap = { cursor: follower.cursor, asked: Date.now() });
  announce();
  setTimeout(() => followers.has(follower) && follower.gap === gap && follower.cursor === gap.cursor && announce(), GAP_MILLISECONDS + 500);
  return false;
}

async function note(follower, what) {
  if (what === "closed") {
    if (await follower.closed().catch(() => false)) follower.resolve();
  } else if (what.refused) follower.reject(Object.assign(new Error(what.refused), { status: what.status }));
  else follower.state(what);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

/** Stand for leader, while there is something to follow and someone looks. */
function stand() {
  if (standing || document.hidden || !followers.size) return;
  const mine = (standing = new AbortController());
  const lead = () =>
    new Promise((resolve) => {
      if (mine.signal.aborted) return resolve();
      leading = new Leader();
      post({ kind: "lead" });
      mine.signal.addEventListener("abort", () => (leading?.stop(), (leading = null), resolve()), { once: true });
    });
  mine.signal.addEventListener("abort", () => standing === mine && (standing = null), { once: true });
  if (navigator.locks) navigator.locks.request(LOCK, { signal: mine.signal }, lead).catch(() => {});
  else lead();
}

class Leader {
  constructor() {
    this.tabs = new Map();
    this.wants = new Map();
    const tell = (path, frame) => post({ kind: "frame", path, frame });
    this.connection = new Connection(this.wants, tell, (path, what) => post({ kind: "note", path, what }));
    this.timer = setInterval(() => this.forget(), STILL_MILLISECONDS);
  }

  stop() {
    this.connection.stop();
    clearInterval(this.timer);
  }

  wanted({ tab: from, beginning, wants }) {
    this.tabs.set(from, { at: Date.now(), wants: new Map(wants) });
    this.renew(beginning);
  }

  /** Tabs that said nothing for long are gone. */
  forget() {
    for (const [id, { at }] of this.tabs) if (Date.now() - at > 3 * STILL_MILLISECONDS) this.tabs.delete(id);
    this.renew();
  }

  renew(beginning = false) {
    const wanted = new Map();
    for (const { wants } of this.tabs.values()) for (const [path, cursor] of wants) wanted.set(path, Math.min(cursor, wanted.get(path) ?? Infinity));
    let behind = null;
    for (const path of [...this.wants.keys()]) if (!wanted.has(path)) this.wants.delete(path);
    for (const [path, cursor] of wanted) {
      const known = this.wants.get(path);
      if (!known) this.wants.set(path, { cursor });
      else if (beginning && cursor < known.cursor) [known.cursor, behind] = [cursor, path];
    }
    this.connection.changed(behind);
  }
}

channel.onmessage = hear;
setInterval(() => followers.size && !document.hidden && announce(false), STILL_MILLISECONDS);
document.addEventListener("visibilitychange", () => {
  announce();
  if (document.hidden) standing?.abort();
  else stand();
});
addEventListener("pagehide", () => {
  post({ kind: "want", tab, wants: [] });
  standing?.abort();
});
addEventListener("pageshow", () => stand());
