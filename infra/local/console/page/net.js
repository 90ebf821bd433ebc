// Requests to the console's own addresses.

export class Failure extends Error {
  constructor(status, message, field) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(`/_cloud${path}`, { ...options, signal: AbortSignal.timeout(20000) });
  } catch {
    throw new Failure(0, "The local cloud does not answer.");
  }
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Failure(answer.status, content.error?.message ?? `HTTP ${answer.status}`, content.error?.field);
  return content;
}

// An unchanged answer comes as 304 out of the browser's cache.
export const get = (path) => ask(path, { cache: "no-cache" });

export const send = (method, path, content = {}) =>
  ask(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) });
