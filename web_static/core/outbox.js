/**
 * Captures on their way to the server. Each is stored on this device first, and leaves it when the server has it: the
 * record's id is a ULID and the Idempotency-Key of its POST, so sending one twice makes one note.
 */

import { api, ulid } from "./api.js";
import { token, user } from "./preferences.js";

const LOCK = "memex-outbox";
const AGAIN_MILLISECONDS = 15_000;
const changes = new EventTarget();
const elsewhere = "BroadcastChannel" in globalThis ? new BroadcastChannel(LOCK) : null;
const memory = new Map();
let sending = false;
let again = null;

/** Store a capture {body, title, tags} and begin to send it; returns its record. */
export async function capture(note, id = ulid()) {
  const record = { id, user: user(), note, at: new Date().toISOString(), state: "waiting", problem: "" };
  memory.set(record.id, record);
  await keep(record);
  changed();
  flush();
  return record;
}

/** The captures of this person that the server does not have yet, newest first. */
export async function waiting() {
  const stored = await records.all().catch(() => []);
  for (const record of stored) if (!memory.has(record.id)) memory.set(record.id, record);
  return [...memory.values()].filter((record) => record.user === user()).sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** Try one again that was refused, or all. */
export async function retry(id) {
  for (const record of await waiting()) {
    if (record.state === "refused" && (!id || record.id === id)) await keep(Object.assign(record, { state: "waiting", problem: "" }));
  }
  changed();
  await flush();
}

/** Take one back; returns its note. */
export async function withdraw(id) {
  const record = memory.get(id);
  await forget(id);
  changed();
  return record?.note ?? null;
}

/** Call `hear({kept})` whenever something changes; `kept` is {record, note} of a capture the server has taken. */
export function watchOutbox(hear, signal) {
  changes.addEventListener("change", ({ detail }) => hear(detail), { signal });
}

/** Send what waits, oldest first. Only one tab at a time does. */
export async function flush() {
  if (sending || !token.get()) return;
  sending = true;
  clearTimeout(again);
  try {
    if (navigator.locks) await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => lock && sendAll());
    else await sendAll();
  } finally {
    sending = false;
  }
  if ([...memory.values()].some(({ state }) => state === "waiting")) again = setTimeout(flush, AGAIN_MILLISECONDS);
}

async function sendAll() {
  let record;
  while ((record = (await waiting()).reverse().find(({ state }) => state === "waiting"))) if (!(await sendOne(record))) return;
}

/** Whether to go on with the next. */
async function sendOne(record) {
  try {
    const { note } = await api.post("/notes", record.note, { key: record.id });
    await forget(record.id);
    changed({ kept: { record, note } });
    return true;
  } catch (error) {
    record.problem = error.message;
    if (!error.passing && !error.unknownToken) record.state = "refused";
    await keep(record);
    changed();
    return record.state === "refused";
  }
}

async function keep(record) {
  memory.set(record.id, record);
  await records.put(record).catch(() => {});
}

async function forget(id) {
  memory.delete(id);
  await records.remove(id).catch(() => {});
}

function changed(detail = {}, tell = true) {
  changes.dispatchEvent(new CustomEvent("change", { detail }));
  if (tell) elsewhere?.postMessage("change");
}

if (elsewhere) {
  elsewhere.onmessage = async () => {
    const stored = new Set((await records.all().catch(() => [])).map(({ id }) => id));
    for (const id of [...memory.keys()]) if (!stored.has(id)) memory.delete(id);
    changed({}, false);
  };
}
addEventListener("online", flush);
document.addEventListener("visibilitychange", () => document.hidden || flush());

/* A small IndexedDB: records by id in one store, with promises. */

const NAME = "memex";
const STORE = "outbox";
let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function ask(mode, question) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    const request = question(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

const records = {
  all: () => ask("readonly", (store) => store.getAll()),
  put: (record) => ask("readwrite", (store) => store.put(record)),
  remove: (id) => ask("readwrite", (store) => store.delete(id)),
};
