import { describe, expect, it } from "vitest";
import { builtins, overloadsOf, signatureText } from "./builtins.ts";
import { isSameType, matrixOf, type Type, typeText, vectorOf } from "./types.ts";
import { builtinType } from "./typing.ts";

const textsOf = (name: string) =>
  overloadsOf(builtins.get(name)!).map(
    ({ parameters, result }) => `${parameters.map(typeText).join(", ")} -> ${typeText(result)}`,
  );

describe("the types of built-in functions", () => {
  it.each([
    ["abs", 16],
    ["sign", 12],
    ["floor", 8],
    ["mix", 14],
    ["select", 35],
    ["dot", 12],
    ["cross", 2],
    ["normalize", 6],
    ["transpose", 18],
    ["determinant", 6],
    ["all", 4],
    ["reverseBits", 8],
  ] as const)("%s has %i", (name, count) => {
    const texts = textsOf(name);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(count);
  });

  it("follow from T", () => {
    expect(textsOf("mix")).toContain("vec2<f64>, vec2<f64>, f64 -> vec2<f64>");
    expect(textsOf("select")).toContain("vec3<u32>, vec3<u32>, vec3<bool> -> vec3<u32>");
    expect(textsOf("dot")).toContain("vec4<i32>, vec4<i32> -> i32");
    expect(textsOf("length")).toContain("f32 -> f32");
    expect(textsOf("transpose")).toContain("mat2x3<f32> -> mat3x2<f32>");
    expect(textsOf("isNan")).toContain("vec3<f64> -> vec3<bool>");
    expect(textsOf("insertBits")).toContain("vec2<u32>, vec2<u32>, u32, u32 -> vec2<u32>");
  });

  it("are what calls are typed by", () => {
    for (const builtin of builtins.values()) {
      for (const { parameters, result } of overloadsOf(builtin)) {
        expect(isSameType(builtinType(builtin.name, parameters), result)).toBe(true);
      }
    }
  });
});

it("shows signatures in messages", () => {
  expect(signatureText(builtins.get("clamp")!)).toBe(
    "clamp(x: T, low: T, high: T) with T a scalar or vector of f32, f64, i32 or u32",
  );
  expect(signatureText(builtins.get("all")!)).toBe("all(x: T) with T a scalar or vector of bool");
  const types: Type[] = [vectorOf("f32", 3), matrixOf("f32", 3, 3)];
  expect(() => builtinType("dot", types)).toThrow("“dot” does not take (vec3<f32>, mat3x3<f32>).");
});
