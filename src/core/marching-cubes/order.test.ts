import { expect, it } from "vitest";
import { orderByKey, orderTriangles } from "./order.ts";

it("orders by 32-bit keys and keeps equal keys in their order", () => {
  const keys = Uint32Array.of(2 ** 32 - 1, 5, 2 ** 31, 5, 0, 2 ** 22 + 1, 2 ** 11, 5, 2 ** 22);
  expect([...orderByKey(keys)]).toEqual([4, 1, 3, 7, 6, 8, 5, 2, 0]);
  expect([...orderByKey(Uint32Array.of(1, 1, 2))]).toEqual([0, 1, 2]);
  expect(orderByKey(new Uint32Array(0)).length).toBe(0);
});

it("begins triangles with their smallest vertex, keeps their sense, and orders them", () => {
  const indices = Uint32Array.of(5, 2, 4, 3, 4, 2, 1, 0, 3, 2, 5, 3, 0, 1, 2);
  orderTriangles(indices, 6);
  expect([...indices]).toEqual([0, 1, 2, 0, 3, 1, 2, 3, 4, 2, 4, 5, 2, 5, 3]);
});
