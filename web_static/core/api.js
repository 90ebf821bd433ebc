/** The API: where it is, requests with the token, and refusals that say what to do. */

import { api as own, token, workspace } from "./preferences.js";

const SECONDS = 30;
/** What to do about it, where the server does not say so itself. */
const WORDS = {
  forbidden: ({ role }) => role && `Ask an owner of this workspace to make you ${role === "owner" ? "an owner" : `a ${role}`}, or use a token of that role.`,
  spending_paused: () => "Work that costs money waits until an owner resumes spending.",
  budget_exceeded: () => "The usage, in the settings, says when the quotas begin anew.",
};

/** A refusal in the server's words. `status` 0: nobody answered; `field` names what is wrong in what was sent. */
export class Refusal extends Error {
  constructor(status, message, { code = "", details = {} } = {}) {
    super(message);
    Object.assign(this, { status, code, details, field: details.field ?? null });
  }

  /** Whether the same request may succeed later. */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  get unknownToken() {
    return this.status === 401;
  }
}

let places = {};

/** Learn where the functions are: /memex.json has their origins by the beginnings of their paths, none where it is the page's own. */
export async function locate() {
  places = await fetch("/memex.json").then((response) => (response.ok ? response.json() : {})).catch(() => ({}));
}

/** The whole address of a path of the API: at the place that its person chose, else where the longest beginning leads. */
export function url(path) {
  const whole = `/api/v1${path}`;
  const fits = Object.keys(places).filter((route) => whole.replace(/[?#].*|$/, "/").startsWith(`${route}/`));
  const [found] = fits.sort((one, other) => other.length - one.length);
  return `${own.get() || places[found] || location.origin}${whole}`;
}

/** The response, if it is good. Raises Refusal; AbortError when `signal` was aborted. `seconds` bounds the wait for headers. */
export async function send(method, path, { body, key, headers = {}, signal, keepalive = false, seconds = SECONDS } = {}) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  const cut = () => limit.abort();
  if (signal?.aborted) cut();
  signal?.addEventListener("abort", cut);
  const options = { method, keepalive, signal: limit.signal, headers: { ...headers, ...credentials() } };
  if (body !== undefined) Object.assign(options, { body: JSON.stringify(body) }) && (options.headers["Content-Type"] = "application/json");
  if (key) options.headers["Idempotency-Key"] = key;
  let response;
  try {
    response = await fetch(url(path), options);
  } catch {
    if (signal?.aborted) throw new DOMException("The view was left.", "AbortError");
    const why = navigator.onLine === false ? "You are offline." : "Memex does not answer. Is it running?";
    throw new Refusal(0, why);
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return response;
  const error = (await response.json().catch(() => ({})))?.error ?? {};
  throw refused(response.status, error);
}

/** What says who asks. */
export const credentials = () => ({ Authorization: `Bearer ${token.get()}`, ...(workspace.get() && { "X-Memex-Workspace": workspace.get() }) });

/** A refusal by the server, told also to who listens: it may be about more than the one request. */
export function refused(status, { message = `The server answered ${status}.`, code, details = {} } = {}) {
  const more = WORDS[code]?.(details) ?? "";
  const refusal = new Refusal(status, more && !message.includes(more) ? `${message} ${more}` : message, { code, details });
  dispatchEvent(new CustomEvent("refused", { detail: refusal }));
  return refusal;
}

const json = async (response) => (await response).json();

export const api = {
  get: (path, signal) => json(send("GET", path, { signal })),
  post: (path, body, { key, signal } = {}) => json(send("POST", path, { body, key, signal })),
  put: (path, body) => json(send("PUT", path, { body })),
  patch: (path, body) => json(send("PATCH", path, { body })),
  remove: async (path, { keepalive } = {}) => void (await send("DELETE", path, { keepalive })),
  text: async (path) => (await send("GET", path)).text(),
};

/** A path segment, or a query, from values; empty ones are left out of a query. */
export const segment = encodeURIComponent;
export function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/* Identifiers made here: a ULID is sortable by time and unguessable, and serves as an Idempotency-Key. */

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function ulid(now = Date.now()) {
  let time = "";
  for (let rest = now, n = 0; n < 10; n += 1, rest = Math.floor(rest / 32)) time = DIGITS[rest % 32] + time;
  return time + [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => DIGITS[byte % 32]).join("");
}
