import { afterEach, expect, it, vi } from "vitest";
import { browserTrialStore } from "./browser-store.ts";

const database = "crinkle: test of strategies";

afterEach(() => {
  vi.unstubAllGlobals();
  indexedDB.deleteDatabase(database);
});

it("keeps what it is given for whoever opens it next, by key", async () => {
  const store = browserTrialStore(database);
  expect(await store.get("a GPU")).toBeUndefined();
  await store.set("a GPU", "chained");
  await store.set("another", "portable");
  await store.set("another", "reduce-then-scan");
  const later = browserTrialStore(database);
  expect(await later.get("a GPU")).toBe("chained");
  expect(await later.get("another")).toBe("reduce-then-scan");
});

it("forgets where the browser keeps nothing", async () => {
  const refuses = () => {
    throw new DOMException("Storage is off.", "SecurityError");
  };
  vi.stubGlobal("indexedDB", { open: refuses, deleteDatabase: () => {} });
  const store = browserTrialStore(database);
  await store.set("a GPU", "chained");
  expect(await store.get("a GPU")).toBeUndefined();
});
