/** A small IndexedDB: records by id in one store, with promises. */

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

export const records = {
  all: () => ask("readonly", (store) => store.getAll()),
  put: (record) => ask("readwrite", (store) => store.put(record)),
  remove: (id) => ask("readwrite", (store) => store.delete(id)),
};
