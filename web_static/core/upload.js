/** Sending a file, with progress: fetch tells none of what it has sent. */

import { api, credentials, Refusal, refused, url } from "./api.js";

const DIRECT_BYTES = 32_000_000;

/** Send a file as a document; `progress(part)` hears 0 to 1. The same `key` again is the same document. Raises Refusal. */
export async function upload(file, { key, progress = () => {}, signal }) {
  if (file.size > DIRECT_BYTES) return large(file, { key, progress, signal });
  const form = new FormData();
  form.append("file", file);
  const headers = { ...credentials(), "Idempotency-Key": key };
  return JSON.parse(await put("POST", url("/documents"), headers, form, progress, signal));
}

/** A large file goes straight to where files are kept. */
async function large(file, { key, progress, signal }) {
  const { document, url: place, headers } = await api.post("/documents/uploads", { name: file.name, bytes: file.size }, { key, signal });
  await put("PUT", place, headers, file, progress, signal);
  return api.post(`/documents/${encodeURIComponent(document.id)}/complete`);
}

function put(method, address, headers, body, progress, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    request.onload = () => (request.status < 300 ? resolve(request.responseText) : reject(refusal(request)));
    request.onerror = () => reject(new Refusal(0, navigator.onLine === false ? "You are offline." : "The connection broke."));
    request.onabort = () => reject(new DOMException("Stopped.", "AbortError"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

function refusal({ status, responseText }) {
  try {
    return refused(status, JSON.parse(responseText).error);
  } catch {
    return refused(status);
  }
}
