import { expect, it } from "vitest";
import { wholeRow } from "../layout.ts";
import { gridKernel } from "../testing/grid-kernel.ts";
import { parseFunctions } from "../text/parse.ts";
import { interpretFunction, interpretKernel } from "./interpret.ts";

const evaluate = (text: string, ...values: readonly (readonly (number | boolean)[])[]) =>
  interpretFunction(parseFunctions(text).functions.at(-1)!)(...values);

it("runs functions with loops, arrays and early returns", () => {
  const text = `fn sum(n: i32) -> f32 {
  var values = array<f32, 4>(1, 2, 3, 4);
  var total = 0.0;
  for (var i = 0; i < n; i++) {
    if (i == 2) { continue; }
    if (total > 100) { return -1; }
    values[i] += 0.5;
    total += values[i];
  }
  return total;
}`;
  expect(evaluate(text, [3])).toEqual([1.5 + 2.5]);
  // Beyond the end the last element counts: 4.5, 5, 5.5, …
  expect(evaluate(text, [6])).toEqual([1.5 + 2.5 + 4.5 + 5 + 5.5]);
  expect(evaluate(text, [1000])).toEqual([-1]);
});

it("multiplies matrices by columns", () => {
  const text = "fn product(m: mat2x3f, v: vec2f) -> vec3f { return m * v; }";
  expect(evaluate(text, [1, 2, 3, 4, 5, 6], [10, 100])).toEqual([410, 520, 630]);
  expect(evaluate("fn d(m: mat3x3f) -> f32 { return determinant(m); }", [2, 0, 1, 1, 3, 2, 1, 1, 4])).toEqual(
    [18],
  );
});

it("clamps offsets at borders", () => {
  const kernel = gridKernel("out.result = near(-1) + near(2);");
  const result = new Float32Array(4);
  interpretKernel(kernel)({
    space: wholeRow(4),
    inputs: { near: { words: Float32Array.of(1, 10, 100, 1000), part: wholeRow(4) } },
    outputs: { result, vector: new Float32Array(12), count: new Int32Array(4) },
    constants: {},
  });
  expect([...result]).toEqual([101, 1001, 1010, 1100]);
});
