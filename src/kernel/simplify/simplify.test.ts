import { describe, expect, it } from "vitest";
import { checkKernel } from "../check.ts";
import { gridKernel } from "../testing/grid-kernel.ts";
import { printExpression, printKernel } from "../testing/print.ts";
import { parseExpression } from "../text/parse.ts";
import { bool, f32, f64, i32, type Type, u32, vectorOf } from "../types.ts";
import { simplifyFunctions, simplifyKernel } from "./simplify.ts";

const parameters = { x: f32, y: f32, d: f64, i: i32, u: u32, p: bool, v: vectorOf("f32", 3) };

function simplified(text: string, type: Type): string {
  const [{ body }] = simplifyFunctions([parseExpression(text, parameters, type)]);
  const [last] = body;
  if (last.kind !== "return" || !last.value) throw new Error("An expression returns its value.");
  return printExpression(last.value);
}

const simplifiedKernel = (text: string): string => {
  const kernel = simplifyKernel(gridKernel(text));
  checkKernel(kernel);
  return printKernel(kernel);
};

describe("constants", () => {
  it.each([
    ["2147483647i + 1i", i32, "i32(-2147483648)"],
    ["0u - 1u", u32, "4294967295u"],
    ["65537u * 65537u", u32, "131073u"],
    ["100000i * 100000i", i32, "1410065408i"],
    ["-(-2147483647i - 1i)", i32, "i32(-2147483648)"],
    ["-7i / 2i", i32, "i32(-3)"],
    ["-7i % 2i", i32, "i32(-1)"],
    ["-8i >> 1u", i32, "i32(-4)"],
    ["4294967288u >> 1u", u32, "2147483644u"],
    ["1u << 31u", u32, "2147483648u"],
    ["~0u", u32, "4294967295u"],
    ["u32(-1i)", u32, "4294967295u"],
    ["i32(4294967295u)", i32, "i32(-1)"],
    ["i32(-2.7f)", i32, "i32(-2)"],
    ["f32(16777216i)", f32, "16777216f"],
    ["bitcast<u32>(1f)", u32, "1065353216u"],
    ["0.1f + 0.2f", f32, "0.3f"],
    ["3f / 4f", f32, "0.75f"],
    ["max(3i, 4i) + abs(-2i)", i32, "6i"],
    ["select(x, y, 1i < 2i)", f32, "y"],
    ["p && (1i < 2i)", bool, "p"],
    ["p || (1i < 2i)", bool, "true"],
    ["d * (f64(2) + f64(3))", f64, "d * f64(5)"],
    ["isNan(1f) || isInf(2f)", bool, "false"],
    ["isFinite(1f)", bool, "true"],
  ] as const)("%s is %o %s", (text, type, expected) => expect(simplified(text, type)).toBe(expected));

  it.each([
    ["1i / 0i", i32],
    ["5u % 0u", u32],
    ["1u << 40u", u32],
    ["1f / 3f", f32],
    ["1f / 0f", f32],
    ["3e+38f * 10f", f32],
    ["1e-30f * 1e-20f", f32],
    ["0f * f32(-1)", f32],
    ["5f % 3f", f32],
    ["f32(16777217i)", f32],
    ["i32(1e+30f)", i32],
    ["u32(f32(-1))", u32],
    ["f64(0.1) + f64(0.6)", f64],
    ["bitcast<f32>(2143289344u)", f32],
    ["sqrt(2f)", f32],
    ["clamp(1f, 3f, 2f)", f32],
  ] as const)("%s stays, because targets may differ", (text, type) =>
    expect(simplified(text, type)).toBe(text),
  );
});

describe("identities", () => {
  it.each([
    ["x * 1", f32, "x"],
    ["1 * x", f32, "x"],
    ["x / 1", f32, "x"],
    ["x - 0", f32, "x"],
    ["-(-x)", f32, "x"],
    ["!(!p)", bool, "p"],
    ["v * 1", vectorOf("f32", 3), "v"],
    ["i + 0", i32, "i"],
    ["0 * u", u32, "0u"],
    ["u << 0", u32, "u"],
    ["u | 0", u32, "u"],
    ["p == true", bool, "p"],
    ["v.zyx.xz.y", f32, "v.x"],
    ["v.xyz", vectorOf("f32", 3), "v"],
    ["vec3(x, y, 1).y", f32, "y"],
    ["vec3(v.xy, x).y", f32, "v.y"],
    ["vec3f(x).z", f32, "x"],
    ["vec3f().z", f32, "0f"],
    ["vec3(x, y, 1).zx", vectorOf("f32", 2), "vec2<f32>(1f, x)"],
    ["array<f32, 2>(x, y)[1]", f32, "y"],
  ] as const)("%s as %o is %s", (text, type, expected) => expect(simplified(text, type)).toBe(expected));

  it.each([
    ["x * 0f", f32],
    ["x + 0f", f32],
    ["0f - x", f32],
    ["x - x", f32],
    ["x / x", f32],
    ["x == x", bool],
    ["x * f32(-0.0)", f32],
    ["1f * v", vectorOf("f32", 3)],
  ] as const)("%s stays where NaN, infinities and −0 differ", (text, type) => {
    const expected = text === "1f * v" ? "v" : text;
    expect(simplified(text, type)).toBe(expected);
  });
});

describe("common parts", () => {
  it("are computed once, loads included", () => {
    const text = "out.result = near(1, 0, 0) * 2 + sqrt(near(1, 0, 0)); out.vector.x = sqrt(near(1, 0, 0));";
    expect(simplifiedKernel(text)).toBe(`let common: f32 = near(1i, 0i, 0i);
let common_2: f32 = sqrt(common);
out.result = (common * 2f) + common_2;
out.vector[0u] = common_2;
`);
  });

  it("have the name that a let gives them", () => {
    const text = "let s = sqrt(own()); out.result = s * s + sqrt(own());";
    expect(simplifiedKernel(text)).toBe("let s: f32 = sqrt(own());\nout.result = (s * s) + s;\n");
  });

  it("are read by the blocks after them, and not taken out of these", () => {
    const text = `let a = sqrt(own());
      if (a > 1) { out.result = sqrt(own()) + a + table(3) * table(3); } else { out.result = table(3); }`;
    expect(simplifiedKernel(text)).toBe(`let a: f32 = sqrt(own());
if (a > 1f) {
  let common: f32 = table(3u);
  out.result = (a + a) + (common * common);
} else {
  out.result = table(3u);
}
`);
  });

  it("end where a variable is assigned to", () => {
    const text = `var n = own(); let before = sqrt(n) * 2; n += 1; out.result = sqrt(n) + before;
      for (var i = 0; i < 3; i++) { n *= sqrt(n); } out.vector.x = sqrt(n);`;
    const printed = simplifiedKernel(text);
    expect(printed).not.toContain("common");
    expect(printed.match(/sqrt\(n\)/g)).toHaveLength(4);
  });
});

describe("statements", () => {
  it.each([
    ["let a = own(); let b = a; out.result = b;", "out.result = own();\n"],
    ["var a = 2f; out.result = own() * (a - 1);", "out.result = own();\n"],
    ["var a = 2f; a = 3; let unused = table(1);", ""],
    ["if (1 < 2) { out.result = 1; } else { out.result = 2; }", "out.result = 1f;\n"],
    ["out.result = 1; return; out.result = 2;", "out.result = 1f;\nreturn;\n"],
    [
      "if (own() > 0) { return; } else { return; } out.result = 1;",
      "if (own() > 0f) {\n  return;\n} else {\n  return;\n}\n",
    ],
    ["for (var i = 3; i < 3; i++) { out.result = f32(i); }", ""],
    ["for (var i = 0; i < 3; i++) { let unused = i; }", ""],
    ["fn f() -> f32 { return 1; } fn g() -> f32 { return f() * 2; } out.count = 1;", "out.count = 1i;\n"],
  ])("%s", (text, expected) => expect(simplifiedKernel(text)).toBe(expected));

  it("computes nothing in a loop that was computed before it", () => {
    const text = "let a = sqrt(own()); var s = 0f; for (var i = 0; i < 3; i++) { s += a; } out.result = s;";
    expect(simplifiedKernel(text)).toContain("let a: f32 = sqrt(own());");
  });

  it("does not move a value past a change of what it reads", () => {
    const text = "var n = own(); let before = n * 2; n = 5; out.result = before + n;";
    expect(simplifiedKernel(text)).toContain("let before: f32 = n * 2f;\nn = 5f;");
  });

  it("take the parts of what they make themselves", () => {
    const text = `let v = vec3(own(), sqrt(own()), 2f);
      let m = mat2x2(v.xy, v.zz); out.result = v.y * v.y + v.z; out.count = i32(v.x);`;
    expect(simplifiedKernel(text)).toBe(`let common: f32 = own();
let v: f32 = sqrt(common);
out.result = (v * v) + 2f;
out.count = i32(common);
`);
    const whole = "let v = vec3(own(), table(1), 2f); out.vector = v; out.result = v.y;";
    expect(simplifiedKernel(whole)).toContain("out.vector = v");
  });

  it("stay apart where one would nest too deep", () => {
    const lets = Array.from({ length: 40 }, (_, k) => `let v${k + 1} = sqrt(v${k}) + 1;`);
    const printed = simplifiedKernel(`let v0 = own(); ${lets.join(" ")} out.result = v40;`);
    const depths = printed.split("\n").map((line) => line.match(/sqrt/g)?.length ?? 0);
    expect(Math.max(...depths)).toBeLessThan(10);
    expect(depths.reduce((sum, depth) => sum + depth)).toBe(40);
  });
});

describe("functions", () => {
  it("stay where the body or code around it calls them", () => {
    const text = `fn unused() -> f32 { return 1; } fn inner() -> f32 { return own() * 2; }
      fn entry() -> f32 { return inner() + 1; } out.count = 1;`;
    const names = (entries?: string[]) =>
      simplifyKernel({ ...gridKernel(text), entries }).functions.map(({ name }) => name);
    expect(names()).toEqual([]);
    expect(names(["entry"])).toEqual(["inner", "entry"]);
  });
});
