import { describe, expect, it } from "vitest";
import type { Expression } from "../ir.ts";
import { gridKernel } from "../testing/grid-kernel.ts";
import { printExpression, printFunction, printKernel } from "../testing/print.ts";
import { bool, f32, f64, i32, type Type, u32, vectorOf } from "../types.ts";
import { parseExpression, parseFunctions, parseKernel } from "./parse.ts";

const parameters = {
  ...{ a: f32, b: f32, c: f32, d: f64, i: i32, j: i32, u: u32, w: u32, p: bool, q: bool },
  ...{ v: vectorOf("f32", 3), n: vectorOf("i32", 3), e: vectorOf("f64", 3) },
};

function returned(text: string, type: Type): Expression {
  const [last] = parseExpression(text, parameters, type).body;
  if (last.kind !== "return" || !last.value) throw new Error("An expression returns its value.");
  return last.value;
}

const read = (text: string, type: Type = f32) => printExpression(returned(text, type));

describe("precedence", () => {
  it.each([
    ["a + b * c", f32, "a + (b * c)"],
    ["a * b + c", f32, "(a * b) + c"],
    ["a - b - c", f32, "(a - b) - c"],
    ["a / b * c", f32, "(a / b) * c"],
    ["-a * b", f32, "(-a) * b"],
    ["a - -b", f32, "a - (-b)"],
    ["(a + b) * c", f32, "(a + b) * c"],
    ["a < b + c", bool, "a < (b + c)"],
    ["a < b && b < c", bool, "(a < b) && (b < c)"],
    ["!p && q", bool, "(!p) && q"],
    ["a < b == q", undefined, ""],
    ["i << u == j", bool, "(i << u) == j"],
    ["u & w & 3", u32, "(u & w) & 3u"],
    ["u & (w | 3)", u32, "u & (w | 3u)"],
    ["~i + j", i32, "(~i) + j"],
    ["v.x * v.yz.y", f32, "v.x * v.yz.y"],
    ["-v[1]", f32, "-v[1i]"],
  ] as const)("%s", (text, type, expected) => {
    if (type === undefined) expect(() => read(text, bool)).toThrow("Put one of them in parentheses.");
    else expect(read(text, type)).toBe(expected);
  });

  it.each(["p && q || p", "u & w | u", "u << w << u", "u + w << u", "u & w == u", "a < b < c"])(
    "%s needs parentheses, as in WGSL",
    (text) => expect(() => read(text, bool)).toThrow("Put one of them in parentheses."),
  );
});

describe("numbers", () => {
  it.each([
    ["1", f32, "1f"],
    ["1", f64, "f64(1)"],
    ["1", i32, "1i"],
    ["1", u32, "1u"],
    ["1.5", f64, "f64(1.5)"],
    ["-1", i32, "i32(-1)"],
    ["-0.0", f32, "f32(-0.0)"],
    ["0x1f", u32, "31u"],
    ["0xFFu", u32, "255u"],
    ["3i", i32, "3i"],
    ["2f", f32, "2f"],
    [".5e1", f32, "5f"],
    ["0.1", f32, "0.1f"],
    ["a + 1", f32, "a + 1f"],
    ["1 + a", f32, "1f + a"],
    ["d * 0.1", f64, "d * f64(0.1)"],
    ["u + 1", u32, "u + 1u"],
    ["7 / 2", i32, "3i"],
    ["7 / 2.0", f32, "3.5f"],
    ["1 << 31", u32, "2147483648u"],
    ["i << 2", i32, "i << 2u"],
    ["v * 2", vectorOf("f32", 3), "v * 2f"],
    ["v + vec3(1, 2, 3)", vectorOf("f32", 3), "v + vec3<f32>(1f, 2f, 3f)"],
    ["e + vec3(1)", vectorOf("f64", 3), "e + vec3<f64>(f64(1))"],
    ["vec3(a, 1, 2)", vectorOf("f32", 3), "vec3<f32>(a, 1f, 2f)"],
    ["max(a, 0)", f32, "max(a, 0f)"],
    ["max(0, u)", u32, "max(0u, u)"],
    ["select(1, 2, p)", f32, "select(1f, 2f, p)"],
    ["select(1, 2, p) + u", u32, "select(1u, 2u, p) + u"],
    ["sqrt(2)", f64, "sqrt(f64(2))"],
    ["-vec2(1, 2).x", i32, "-vec2<i32>(1i, 2i).x"],
    ["extractBits(u, 3, 4)", u32, "extractBits(u, 3u, 4u)"],
    ["u32(-1.5 + 3)", u32, "1u"],
    ["f32(i)", f32, "f32(i)"],
    ["f32(a)", f32, "a"],
    ["vec3f(n)", vectorOf("f32", 3), "vec3<f32>(n)"],
    ["vec3d(v) + e", vectorOf("f64", 3), "vec3<f64>(v) + e"],
    ["vec3<f32>(a)", vectorOf("f32", 3), "vec3<f32>(a)"],
    ["bitcast<u32>(a)", u32, "bitcast<u32>(a)"],
    ["bitcast<vec3<u32>>(n).x", u32, "bitcast<vec3<u32>>(n).x"],
    ["array<f32, 2>(1, a)[i]", f32, "array<f32, 2>(1f, a)[i]"],
    ["mat2x2f(1, 0, 0, 1)[0].y", f32, "mat2x2<f32>(1f, 0f, 0f, 1f)[0i].y"],
    ["v.rgb.x", f32, "v.xyz.x"],
  ] as const)("%s as %o is %s", (text, type, expected) => expect(read(text, type)).toBe(expected));
});

it("gives each node its place", () => {
  const value = returned("a +\n  max(b, 2)", f32);
  expect(value.span).toEqual({ from: 0, to: 15, line: 1, column: 1 });
  expect(value.kind === "binary" && value.right.span).toEqual({ from: 6, to: 15, line: 2, column: 3 });
});

const functions = `// smooth, and its use
fn weight(x: f32, reach: f32) -> f32 {
  if (x >= reach) { return 0; } else if (x < 0) { return 1; }
  let t = 1 - x / reach; /* a /* nested */ comment */
  return t * t;
}
struct Pair { low: f32, high: vec2f, }
const steps = 2 * 2;
fn range(p: Pair) -> f32 { return p.high.y - p.low; }
fn sum(start: i32) -> i32 {
  var total = start;
  for (var i = 0; i < steps; i++) { if (i == 2) { continue; } total += i; }
  for (var i = start; i >= -3; i -= 2) { total *= 2; if (total > 1000) { break; } }
  var cells: array<i32, steps>;
  cells[1] = total;
  cells[1] -= 3;
  return cells[1] + i32(range(Pair(1, vec2f(2, 3))));
}`;

it("reads functions, structs and consts, in whatever order they stand", () => {
  const parsed = parseFunctions(functions);
  expect(parsed.functions.map(({ name }) => name)).toEqual(["weight", "range", "sum"]);
  expect(parsed.structs.map(({ name }) => name)).toEqual(["Pair"]);
  const [weight, , sum] = parsed.functions.map(printFunction);
  expect(weight).toBe(`fn weight(x: f32, reach: f32) -> f32 {
  if (x >= reach) {
    return 0f;
  } else {
    if (x < 0f) {
      return 1f;
    }
  }
  let t: f32 = 1f - (x / reach);
  return t * t;
}
`);
  expect(sum).toContain("for (var i: i32 = 0i; i < 4i; i += 1) {");
  expect(sum).toContain("for (var i_2: i32 = start; i_2 > i32(-4); i_2 -= 2) {");
  expect(sum).toContain("var cells: array<i32, 4>;");
  expect(sum).toContain("cells[1i] = cells[1i] - 3i;");
  const reversed = parseFunctions(
    "fn b() -> f32 { return a(); } fn a() -> f32 { return 1; } fn c() -> f32 { return a() + b(); }",
  );
  expect(reversed.functions.map(({ name }) => name)).toEqual(["a", "b", "c"]);
});

it("prints text that reads as the same functions", () => {
  const { structs, functions: parsed } = parseFunctions(functions);
  const printed = printKernel({ structs, functions: parsed, body: [] });
  const again = parseFunctions(printed);
  expect(printKernel({ ...again, body: [] })).toBe(printed);
});

it("reads the same text for several types", () => {
  const text = "fn twice(x: T) -> T { return x * 2 + T(); }";
  for (const type of [f32, i32, vectorOf("f64", 3)]) {
    const [twice] = parseFunctions(text, { aliases: { T: type } }).functions;
    expect(twice.result).toEqual(type);
  }
  const components = parseFunctions("fn first(x: vec3<T>) -> T { return x.x; }", { aliases: { T: f64 } });
  expect(components.functions[0].parameters[0].type).toEqual(vectorOf("f64", 3));
});

it("reads inputs, constants and positions, and sets outputs", () => {
  const kernel = gridKernel(`
    fn slope(h: f32) -> f32 { return (near(1, 0, 0) - near(-1, 0, 0)) / h; }
    let i = i32(at.x);
    let around = wide(i - 1, i, 0) + corners(7) + table(nodes(element * 8 + 3));
    if (own() > constants.weights[2]) { return; }
    out.result = slope(constants.scale) * around;
    out.vector = vectors().zyx + constants.offset;
    out.vector.y = 1;
    out.vector[2] = 2;
    out.count = i32(place);
  `);
  expect(printKernel(kernel)).toBe(`fn slope(h: f32) -> f32 {
  return (near(1i, 0i, 0i) - near(i32(-1), 0i, 0i)) / h;
}
let i: i32 = i32(at.x);
let around: f32 = (wide(i - 1i, i, 0i) + corners(7u)) + table(nodes((element * 8u) + 3u));
if (own() > constants.weights[2i]) {
  return;
}
out.result = slope(constants.scale) * around;
out.vector = vectors().zyx + constants.offset;
out.vector[1u] = 1f;
out.vector[2i] = 2f;
out.count = i32(place);
`);
});

it("calls functions that were made elsewhere", () => {
  const { functions: callables } = parseFunctions(
    "fn half(x: u32) -> u32 { return x / 2; } fn third(x: u32) -> u32 { return half(x) / 3; }",
  );
  const outputs = { result: { scalar: "u32" } } as const;
  const kernel = { name: "calls", inputs: {}, outputs, constants: {}, callables };
  const { functions: called } = parseKernel({
    ...kernel,
    text: "out.result = third(element) + half(element);",
  });
  expect(called).toEqual(callables);
  expect(() => parseKernel({ ...kernel, text: "fn half(x: u32) -> u32 { return x; }" })).toThrow(
    "“half” is declared twice.",
  );
  expect(() => parseKernel({ ...kernel, text: "out.result = haf(element);" })).toThrow("half");
});

it("needs no statements", () => {
  expect(parseKernel({ name: "zeros", inputs: {}, outputs: {}, constants: {}, text: "" }).body).toEqual([]);
});
