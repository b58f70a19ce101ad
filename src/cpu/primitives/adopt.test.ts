import { expect, it } from "vitest";
import { own } from "../../core/primitives/access.ts";
import { add, max } from "../../core/primitives/operators.ts";
import { defineReduction } from "../../core/primitives/reduction.ts";
import { createCpuPrimitives } from "./cpu-primitives.ts";
import { createCpuEach } from "./each-primitives.ts";

const p = createCpuPrimitives();

const highest = defineReduction({
  name: "highest",
  inputs: { x: { type: "f32", access: own } },
  constants: {},
  terms: { value: { type: "f32", operator: max } },
  hostLoop({ inputs: { x } }, from, to, totals) {
    for (let i = from; i < to; i++) totals.value = Math.max(totals.value, x[i]);
  },
  text: "out.value = x();",
});

it("reads the host's array where it is", async () => {
  const data = Float32Array.of(1, 2, 3);
  const vector = p.adopt("f32", data);
  data[0] = 5;
  expect(await p.reduce(vector, add)).toBe(10);
  vector.release();
  await expect(p.reduce(vector, add)).rejects.toMatchObject({ tag: "BadArgument" });
  expect([...data]).toEqual([5, 2, 3]);
});

it("lets reductions see all digits of f64, and other methods the nearest f32", async () => {
  const vector = p.adoptWide(Float64Array.of(1, 1 + 1e-12));
  const { value } = await p.reduceEach(2, highest, { inputs: { x: vector }, constants: {} });
  expect(value).toBe(1 + 1e-12);
  expect([...(await p.toHost(vector))]).toEqual([1, 1]);
  vector.release();
  const given = { inputs: { x: vector }, constants: {} };
  await expect(p.reduceEach(2, highest, given)).rejects.toMatchObject({ tag: "BadArgument" });
});

it("runs loops without the kernel layer, and says which records need it", async () => {
  const each = createCpuEach();
  const given = { inputs: { x: each.adopt("f32", Float32Array.of(1, 3)) }, constants: {} };
  expect(await each.reduceEach(2, highest, given)).toEqual({ value: 3 });
  await expect(each.reduceEach(2, { ...highest, hostLoop: undefined }, given)).rejects.toMatchObject({
    tag: "BadArgument",
    problem: expect.stringContaining("“highest”"),
  });
});
