import type { TrialStore } from "./trials.ts";

const table = "trials";

/**
 * Outcomes of trials in the browser's database, which workers have too: they outlast the page. Where the browser keeps nothing
 * for the page, neither does this.
 */
export function browserTrialStore(database = "crinkle"): TrialStore {
  return {
    get: (key) =>
      inTable(database, "readonly", (trials) => trials.get(key)).then(
        (value) => (typeof value === "string" ? value : undefined),
        () => undefined,
      ),
    set: (key, value) =>
      inTable(database, "readwrite", (trials) => trials.put(value, key)).catch(() => undefined),
  };
}

async function inTable(
  name: string,
  mode: IDBTransactionMode,
  body: (trials: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(table);
  const database = await resultOf(opening);
  try {
    return await resultOf<unknown>(body(database.transaction(table, mode).objectStore(table)));
  } finally {
    database.close();
  }
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
