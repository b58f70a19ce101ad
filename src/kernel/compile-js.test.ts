import { afterEach, expect, it, vi } from "vitest";
import { parseFunctions } from "./text/parse.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

class RefusedFunction {
  constructor() {
    throw new EvalError("Refused to evaluate a string as JavaScript because 'unsafe-eval' is not allowed.");
  }
}

/** The module as a page loads it; with a content security policy that forbids generated code where it is not allowed. */
async function loaded(isAllowed: boolean) {
  vi.resetModules();
  if (!isAllowed) vi.stubGlobal("Function", RefusedFunction);
  return import("./compile-js.ts");
}

const { functions } = parseFunctions(`
fn turned(v: vec3<f64>, isTurned: bool) -> vec3<f64> {
  if (!isTurned) { return v; }
  return v.zxy / length(v);
}`);

it.each([true, false])(
  "runs functions and their loops where generated code is allowed: %s",
  async (isAllowed) => {
    const { canGenerateCode, compileFunction, compileLoop } = await loaded(isAllowed);
    expect(canGenerateCode()).toBe(isAllowed);
    const turned = compileFunction(functions[0]);
    expect(turned([3, 0, 4], true)).toEqual([0.8, 0.6, 0]);
    expect(turned([3, 0, 4], false)).toEqual([3, 0, 4]);
    const vectors = Float64Array.of(3, 0, 4, 0, 5, 0);
    const out = new Float64Array(6);
    compileLoop(functions[0])([vectors, Float64Array.of(1, 0)], out, 2);
    expect([...out]).toEqual([0.8, 0.6, 0, 0, 5, 0]);
  },
);

it("runs a loop whose results replace an argument", async () => {
  const { compileLoop } = await loaded(true);
  const vectors = Float64Array.of(3, 0, 4, 6, 0, 8);
  compileLoop(functions[0])([vectors, Float64Array.of(1, 1)], vectors, 2);
  expect([...vectors]).toEqual([0.8, 0.6, 0, 0.8, 0.6, 0]);
});
