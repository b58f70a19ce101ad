import { expect, it } from "vitest";
import { mapEventual, together } from "./eventual.ts";

it("gives what is there at once", () => {
  expect(together([1, "two", undefined])).toEqual([1, "two", undefined]);
  expect(mapEventual(2, (n) => n + 1)).toBe(3);
});

it("waits where one has to be waited for", async () => {
  const all = together([1, Promise.resolve("two")]);
  expect(all).toBeInstanceOf(Promise);
  expect(await all).toEqual([1, "two"]);
  expect(await mapEventual(Promise.resolve(2), (n) => n + 1)).toBe(3);
  await expect(together([1, Promise.reject(new Error("no shader"))])).rejects.toThrow("no shader");
});
