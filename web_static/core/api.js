/** The API: requests with the token and clear refusals. */

import { api as address, token } from "./preferences.js";

const SECONDS = 30;

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
    return this.status === 401 || this.status === 403;
  }
}

export const url = (path) => `${address.get()}/api/v1${path}`;

/** The response, if it is good. Raises Refusal; AbortError when `signal` was aborted. `seconds` bounds the wait for headers. */
export async function send(method, path, { body, key, headers = {}, signal, keepalive = false, seconds = SECONDS } = {}) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), seconds * 1000);
  const cut = () => limit.abort();
  if (signal?.aborted) cut();
  signal?.addEventListener("abort", cut);
  const options = { method, keepalive, signal: limit.signal, headers: { ...headers, Authorization: `Bearer ${token.get()}` } };
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
  throw new Refusal(response.status, error.message ?? `The server answered ${response.status}.`, error);
}

const json = async (response) => (await response).json();

export const api = {
  get: (path, signal) => json(send("GET", path, { signal })),
  post: (path, body, { key, signal } = {}) => json(send("POST", path, { body, key, signal })),
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
