import type { StrategyStore } from "./choose-strategy.ts";

const table = "strategies";

/**
 * Strategies in the browser's database, which workers have too: they outlast the page. Where the browser keeps nothing
 * for the page, neither does this.
 */
export function browserStrategyStore(database = "crinkle"): StrategyStore {
  return {
    get: (key) =>
      inTable(database, "readonly", (strategies) => strategies.get(key)).then(
        (value) => (typeof value === "string" ? value : undefined),
        () => undefined,
      ),
    set: (key, value) =>
      inTable(database, "readwrite", (strategies) => strategies.put(value, key)).catch(() => undefined),
  };
}

async function inTable(
  name: string,
  mode: IDBTransactionMode,
  body: (strategies: IDBObjectStore) => IDBRequest,
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
