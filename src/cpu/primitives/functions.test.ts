import { expect, it } from "vitest";
import { defineOperator } from "../../core/primitives/operators.ts";
import { createCpuPrimitives } from "./cpu-primitives.ts";

const p = createCpuPrimitives();
const numbers = p.fromHost("u32", Uint32Array.of(1, 2, 3));

it("names a function whose text is wrong, and the place in the text", async () => {
  const problem = expect.stringContaining("“broken”");
  const fault = (from: number, to: number) => ({
    tag: "KernelError",
    problem,
    span: expect.objectContaining({ from, to }),
  });
  const broken = (text: string) => ({ name: "broken", text });
  await expect(p.transform(numbers, broken("x + 1.5"), "f32")).rejects.toMatchObject(fault(4, 7));
  await expect(p.zip([numbers, numbers], broken("x0 + y"), "u32")).rejects.toMatchObject(fault(5, 6));
  await expect(p.countIf(numbers, broken("x"))).rejects.toMatchObject(fault(0, 1));
  const operator = defineOperator({ name: "broken", identity: 0, text: "a - c" });
  await expect(p.reduce(numbers, operator)).rejects.toMatchObject(fault(4, 5));
});

it("takes functions of one name for different ones, and one function for every type", async () => {
  const texts = ["x + 1", "x * 2"];
  const results = texts.map(async (text) => p.toHost(await p.transform(numbers, { name: "f", text }, "u32")));
  expect(await Promise.all(results)).toEqual([Uint32Array.of(2, 3, 4), Uint32Array.of(2, 4, 6)]);
  const less = { name: "less two", text: "x - 2" };
  const floats = p.fromHost("f32", Float32Array.of(0.5, 3));
  expect(await p.toHost(await p.transform(numbers, less, "i32"))).toEqual(Int32Array.of(-1, 0, 1));
  expect(await p.toHost(await p.transform(floats, less, "f32"))).toEqual(Float32Array.of(-1.5, 1));
});
