import { describe, expect, it } from "vitest";
import { kernelErrorOf } from "../testing/caught.ts";
import { gridKernel } from "../testing/grid-kernel.ts";
import { f32 } from "../types.ts";
import { parseExpression, parseFunctions } from "./parse.ts";

/** Text with the place of the error between ‹ and ›, and the whole message. */
const faults: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "characters and tokens": [
    [
      "out.result = 1 ‹#› 2;",
      "The character “#” has no meaning here. Kernels are written with WGSL's operators and ASCII names.",
    ],
    ["‹/*› never closed", "A comment has no end. Close it with */."],
    [
      "out.count = ‹12abc›;",
      "“12abc” is not a number. Numbers are written like 12, 12u, 12i, 0x1f, 1.5, 1.5f or 1e-3.",
    ],
    [
      "out.count = ‹012›;",
      "“012” is not a number. Numbers are written like 12, 12u, 12i, 0x1f, 1.5, 1.5f or 1e-3.",
    ],
    ["out.result = 1‹›", "The text ends here. Expected “;” after the statement."],
    ["out.result = (1 + 2‹;›", "“;” is unexpected. Expected “)” to close the parenthesis."],
    ["out.result = ‹*› 2;", "“*” is unexpected. Expected a value."],
    ["let ‹for› = 1;", "“for” is a word of the language. Expected a name after let: choose another name."],
    ["let x‹;›", "“;” is unexpected. Expected “=” and a value for “x”."],
    ["var x‹;›", "“;” is unexpected. Expected a type or a value for “x”."],
    ["if (true) { ‹›", "The text ends here. Expected “}” after the statements."],
    ["‹}›", "“}” is unexpected. Expected a statement."],
    ["own‹;›", "“;” is unexpected. Expected “=”, as in `x = value;`."],
    ["‹own()›;", "This call does nothing: its value is not used. Assign it, or remove it."],
    ["‹while› (true) { }", "“while” may never end. Write a loop with bounds: for (var i = 0; i < n; i++)."],
  ],
  names: [
    ["out.result = ‹valeu›;", "There is no name “valeu”. Known here: element, place, at."],
    ["let value = own(); out.result = ‹valeu›;", "There is no name “valeu”. Did you mean “value”?"],
    ["out.result = ‹own›;", "The input “own” is named without parentheses. Read an element of it: own(…)."],
    ["out.result = ‹scale›;", "“scale” is a constant of the kernel. Write constants.scale."],
    ["out.result = ‹ownn›();", "There is no function “ownn”. Did you mean “own”?"],
    ["out.result = ‹sqr›(2);", "There is no function “sqr”. Did you mean “sqrt”?"],
    ["out.result = constants.‹scael›;", "There is no constant “scael”. Did you mean “scale”?"],
    ["out.‹reslut› = 1;", "There is no output “reslut”. Did you mean “result”?"],
    [
      "out.result = ‹out.result› + 1;",
      "The output “result” is read. Outputs are only written: keep the value in a var, and set the output at the end.",
    ],
    ["let x: ‹vec3q› = 1;", "There is no type “vec3q”. Did you mean “vec3f”?"],
    ["let x = 1; let ‹x› = 2;", "“x” is declared twice. Give one of them another name."],
    ["let ‹at› = 1;", "“at” has a meaning of its own in kernels. Choose another name."],
    ["fn ‹own›() -> f32 { return 1; }", "“own” is declared twice. Give one of them another name."],
    [
      "let x = 1; let y = ‹x›(2);",
      "“x” is a value, and is called like a function. Call a function, or name it otherwise.",
    ],
    ["if (true) { let x = 1; } out.count = ‹x›;", "There is no name “x”. Known here: element, place, at."],
    ["fn ‹max›(x: f32) -> f32 { return x; }", "“max” is a built-in function. Choose another name."],
    ["struct ‹vec3f› { x: f32 }", "“vec3f” is a type. Choose another name."],
    ["struct S { a: f32, ‹a›: f32 }", "S has two members “a”. Give one of them another name."],
  ],
  types: [
    [
      "out.result = ‹own() + at.x›;",
      "`+` is not defined for f32 and u32. Convert one of them, as in f32(…).",
    ],
    [
      "out.result = own() + ‹at.q›;",
      "vec3<u32> has no member “q”. Components are x, y, z and w, or r, g, b and a, without mixing.",
    ],
    ["out.result = ‹vectors().xyz.w›;", "vec3<f32> has no component “w”. It has x, y, z."],
    ["out.result = ‹vectors()›;", "The output “result” is f32, and the value is vec3<f32>."],
    ["out.count = ‹1.5›;", "The float 1.5 is not an i32. Write an integer, or convert it: i32(…)."],
    ["out.count = ‹own()›;", "The output “count” is i32, and the value is f32. Convert it: i32(…)."],
    ["let x: u32 = ‹-1›;", "-1 is not a value of u32. Its values are the integers from 0 to 4294967295."],
    [
      "let x = ‹4294967296›;",
      "4294967296 is not a value of i32. Its values are the integers from -2147483648 to 2147483647.",
    ],
    ["let x = ‹1e39f›;", "1e+39 is not a value of f32. It holds finite numbers below 3.4028235e38."],
    ["out.count = ‹7 / 0›;", "7 / 0 has no value. Divide by another number."],
    ["if ‹(own())› { }", "A condition is bool, and the value is f32. Convert it: bool(…)."],
    ["out.result = ‹!own()›;", "`!` is not defined for f32. It takes scalars and vectors of bool."],
    [
      "out.result = ‹-at.x›;",
      "`-` is not defined for u32. It takes scalars and vectors of f32, f64 and i32.",
    ],
    ["out.result = ‹own() & 1›;", "`&` is not defined for f32 and f32. It takes i32, u32 and bool."],
    [
      "out.result = ‹vectors() * vec2f(1)›;",
      "`*` is not defined for vec3<f32> and vec2<f32>. Vectors need the same number of components.",
    ],
    ["out.result = ‹clamp(own(), 1)›;", "“clamp” is called with 2 arguments. It is clamp(x, low, high)."],
    [
      "out.result = ‹cross(own(), 1.0)›;",
      "“cross” does not take (f32, f32). It is cross(a: T, b: T) with T a vec3 of f32 or f64.",
    ],
    [
      "out.vector = ‹vec3f(1, 2)›;",
      "vec3<f32> cannot be made of (f32, f32). It takes one f32, or scalars and vectors of f32 with 3 components in all.",
    ],
    [
      "let x = ‹f32(vectors())›;",
      "vec3<f32> cannot be converted to f32. Scalars convert to scalars, and vectors to vectors of as many components.",
    ],
    [
      "let x = ‹bitcast<u32>(vectors())›;",
      "The bits of vec3<f32> cannot be taken as u32. bitcast goes between f32, i32 and u32, and vectors of them with as many components.",
    ],
    ["let x = ‹vec3f(1)[3]›;", "vec3<f32> has no element 3. Its indices are 0 to 2."],
    ["let x = ‹own()[0]›;", "f32 has no elements. Vectors, matrices and arrays have indices."],
    [
      "let x: array<f32, ‹0›> = 1;",
      "An array's length is not a number above 0. Write a number, or the name of a const.",
    ],
    ["let x: ‹mat3x3<u32>› = 1;", "mat3x3 cannot consist of u32. Matrices consist of f32 or f64."],
    ["struct S { low: f32 } let s = S(1); let x = ‹s.lwo›;", "S has no member “lwo”. Did you mean “low”?"],
    [
      "const x = ‹own()›;",
      "“x” is not known when the kernel is compiled. Use let for values that are computed in the kernel.",
    ],
  ],
  assignment: [
    [
      "let x = 1; ‹x› = 2;",
      "“x” cannot be assigned to. Only what is declared with var changes: not what is declared with let, parameters or the variables of loops.",
    ],
    [
      "for (var i = 0; i < 3; i++) { ‹i› += 1; }",
      "“i” cannot be assigned to. Only what is declared with var changes: not what is declared with let, parameters or the variables of loops.",
    ],
    ["‹own()› = 1;", "This cannot be assigned to. Assign to a var or to an output, as in out.name = …."],
    [
      "var v = vec3f(); ‹v.xy› = vec2f();",
      "Several components cannot be assigned at once. Assign one after the other.",
    ],
    [
      "‹out.result› += 1;",
      "The output “result” is read. Outputs are only written: keep the value in a var, and set the output at the end.",
    ],
  ],
  functions: [
    [
      "fn f(x: f32) -> f32 { return g(x); } fn g(x: f32) -> f32 { return ‹f›(x); }",
      "The function “f” calls itself: f → g → f. Kernels have no recursion: write a loop.",
    ],
    [
      "fn ‹f›(x: f32) -> f32 { if (x > 0) { return 1; } }",
      "The function “f” can end without a value. Return f32 on every way through it.",
    ],
    [
      "fn f(x: f32) -> f32 { return x; } out.result = ‹f()›;",
      "“f” is called with no arguments. It is f(x: f32).",
    ],
    [
      "fn f(x: f32) -> f32 { return x; } out.result = f(‹at.x›);",
      "The argument “x” of “f” is f32, and the value is u32. Convert it: f32(…).",
    ],
    [
      "fn f() -> u32 { return ‹own()›; }",
      "The function's result is u32, and the value is f32. Convert it: u32(…).",
    ],
    ["fn f() -> u32 { ‹return›; }", "The function returns no value. Return u32."],
    ["return ‹1›;", "A kernel returns no value. Assign it to an output: out.name = …."],
    ["‹break›;", "“break” stands in no loop. Remove it, or return."],
  ],
  loops: [
    ["for (‹var i = 0.0›; i < 3; i++) { }", "A loop cannot count in f32. Its variable is i32 or u32."],
    [
      "for (var i = 0; ‹i != 3›; i++) { }",
      "The loop counts up, and its condition is not i < … or i <= …. Loops have the form for (var i = a; i < b; i++), with <=, > or >=, and i += 2, i-- or i -= 2.",
    ],
    [
      "for (var i = 0; ‹i < 3›; i--) { }",
      "The loop counts down, and its condition is not i > … or i >= …. Loops have the form for (var i = a; i < b; i++), with <=, > or >=, and i += 2, i-- or i -= 2.",
    ],
    [
      "for (var i = 1; i < 9; ‹i *= 2›) { }",
      "The loop does not count “i” up or down. Loops have the form for (var i = a; i < b; i++), with <=, > or >=, and i += 2, i-- or i -= 2.",
    ],
    [
      "for (var i = 0; i < 9; i += ‹0›) { }",
      "The loop's step is not a number, or is 0. Loops have the form for (var i = a; i < b; i++), with <=, > or >=, and i += 2, i-- or i -= 2.",
    ],
    [
      "var n = 3; for (var i = 0; i < ‹n›; i++) { n += 1; }",
      "The loop's bound depends on “n”, which changes in the loop. Take its value into a let before the loop.",
    ],
    [
      "for (var i = 3u; i >= ‹0›; i--) { }",
      "Every u32 is at least 0: the loop has no end. Count in i32, or choose a higher bound.",
    ],
    [
      "for (var i = 0; i < ‹at.x›; i++) { }",
      "The loop's bound is i32, and the value is u32. Convert it: i32(…).",
    ],
  ],
  inputs: [
    [
      "out.result = ‹own(1)›;",
      "The input “own” is read with one index, and its access is “own”. Write own().",
    ],
    [
      "out.result = ‹near(1, 2)›;",
      "The input “near” is read with 2 indices, and its access is “offsets”. Write near(dx, dy, dz) in a grid, or (d) in a row.",
    ],
    [
      "let i = 1; out.result = near(‹i›, 0, 0);",
      "An offset into the input “near” is not a literal of i32. Write the number itself, or declare a footprint and read at a position.",
    ],
    [
      "out.result = near(0, 0, 0) + ‹near(1)›;",
      "“near” is read with one offset, as in a row, and “near” otherwise. A kernel runs over a row or over a grid, with as many offsets everywhere.",
    ],
    [
      "out.result = corners(‹8›);",
      "The map “nodes” of the input “corners” has no entry 8. Its entries are 0 to 7.",
    ],
    [
      "out.result = ‹wide(1, 2)›;",
      "The input “wide” is read with 2 indices, and its access is “footprint”. Write wide(x, y, z) in a grid, or (i).",
    ],
    ["out.result = table(‹own()›);", "An index of the input “table” cannot be f32. Indices are i32 or u32."],
    [
      "out.result = ‹wide(at.x, 1i, 0)›;",
      "The indices of the input “wide” are of two types, i32 and u32. Convert them to one.",
    ],
  ],
};

function marked(text: string) {
  const from = text.indexOf("‹");
  const to = text.indexOf("›") - 1;
  return { text: text.replace(/[‹›]/g, ""), from, to };
}

for (const [subject, cases] of Object.entries(faults)) {
  describe(subject, () => {
    it.each(cases)("%s", (annotated, message) => {
      const { text, from, to } = marked(annotated);
      const error = kernelErrorOf(() => gridKernel(text));
      expect(error.message).toBe(message);
      expect(error.span).toEqual({ from, to, line: 1, column: from + 1 });
    });
  });
}

it("counts lines and columns", () => {
  const { span } = kernelErrorOf(() => gridKernel("// first\n\n  out.result = nothing;"));
  expect(span).toEqual({ from: 25, to: 32, line: 3, column: 16 });
});

it("refuses what has no meaning outside kernels", () => {
  expect(kernelErrorOf(() => parseFunctions("let x = 1;")).message).toBe(
    "A statement stands outside a function. Write it in a function: fn name(x: f32) -> f32 { … }.",
  );
  expect(kernelErrorOf(() => parseExpression("x + at.x", { x: f32 }, f32)).message).toBe(
    "There is no name “at”. Known here: x.",
  );
  expect(kernelErrorOf(() => parseExpression("x x", { x: f32 }, f32)).message).toBe(
    "“x” is unexpected. Expected an operator, or the end of the expression.",
  );
});

it("ends with an error where expressions nest without end", () => {
  for (const text of ["(".repeat(5000), "!".repeat(5000), "abs(".repeat(5000)]) {
    expect(kernelErrorOf(() => parseExpression(text, { x: f32 }, f32)).message).toBe(
      "Expressions nest 200 deep here. Name parts of them with let.",
    );
  }
});
