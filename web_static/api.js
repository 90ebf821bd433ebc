/** The API: requests with the token, and event streams that resume. */

const KEY = "memex.token";

export const token = {
  get: () => localStorage.getItem(KEY),
  set: (value) => localStorage.setItem(KEY, value.trim()),
  forget: () => localStorage.removeItem(KEY),
};

/** A refusal in the server's words; `field` names the field that is wrong. */
export class Refusal extends Error {
  constructor(status, message, field) {
    super(field && !message.startsWith(`${field}:`) ? `${message} (${field})` : message);
    this.status = status;
  }
}

async function send(method, path, { body, headers = {}, signal } = {}) {
  const options = { method, signal, headers: { ...headers, Authorization: `Bearer ${token.get() ?? ""}` } };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(`/api/v1${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "Memex does not answer. Is it running?");
  }
  if (!response.ok) {
    const error = (await response.json().catch(() => ({}))).error ?? {};
    throw new Refusal(response.status, error.message ?? `The server answered ${response.status}.`, error.details?.field);
  }
  return response;
}

export const api = {
  get: async (path, signal) => (await send("GET", path, { signal })).json(),
  post: async (path, body, headers) => (await send("POST", path, { body, headers })).json(),
  remove: async (path) => void (await send("DELETE", path)),
  patch: async (path, body) => (await send("PATCH", path, { body })).json(),
};

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Wait until the tab can be seen: a hidden one holds no connection. */
function visible() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

/**
 * Call `take` with each event of an operation, in order and once, until a terminal one or until `signal` is aborted.
 * A connection that breaks is taken up after the last event that was seen; `waiting` hears of it.
 */
export async function follow(operationId, take, waiting, signal) {
  let cursor = 0;
  while (!signal.aborted) {
    await visible();
    const connection = new AbortController();
    const stop = () => connection.abort();
    const hide = () => document.hidden && stop();
    signal.addEventListener("abort", stop);
    document.addEventListener("visibilitychange", hide);
    try {
      const headers = { Accept: "text/event-stream", ...(cursor ? { "Last-Event-ID": String(cursor) } : {}) };
      const path = `/operations/${encodeURIComponent(operationId)}/events`;
      const response = await send("GET", path, { headers, signal: connection.signal });
      waiting(false);
      for await (const event of events(response.body)) {
        if (event.seq <= cursor) continue;
        cursor = event.seq;
        take(event);
        if (["completed", "failed", "cancelled"].includes(event.type)) return;
      }
      if ((await ended(operationId)) <= cursor) return;
    } catch (error) {
      if (signal.aborted || (error.status >= 400 && error.status < 500)) {
        if (signal.aborted) return;
        throw error;
      }
      if (!document.hidden) waiting(true);
    } finally {
      signal.removeEventListener("abort", stop);
      document.removeEventListener("visibilitychange", hide);
    }
    await pause(1000);
  }
}

/** The last event's number of an operation that has ended, Infinity for one that runs. */
async function ended(operationId) {
  const { operation } = await api.get(`/operations/${encodeURIComponent(operationId)}`);
  return operation.status === "running" ? Infinity : operation.seq;
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const records = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = records.pop();
    for (const record of records) {
      const lines = record.split("\n").filter((line) => line.startsWith("data:"));
      if (lines.length) yield JSON.parse(lines.map((line) => line.slice(5)).join("\n"));
    }
  }
}
