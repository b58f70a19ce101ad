import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../../core/errors.ts";
import { compile } from "../compile.ts";
import type { FieldSignature } from "../network/network.ts";

const fields: FieldSignature[] = [
  { name: "vectors", components: 3, centering: "node" },
  { name: "pressure", components: 1, centering: "node" },
  { name: "X Velocity", components: 1, centering: "cell" },
  { name: "stress", components: 6, centering: "node" },
];

function errorOf(text: string, of: readonly FieldSignature[] = fields) {
  try {
    compile(text, of);
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    return { tag: error.tag, message: error.message, at: text.slice(error.span?.from, error.span?.to) };
  }
  throw new Error(`“${text}” compiled`);
}

describe("names", () => {
  it.each([
    ["vecotrs", "Did you mean vectors?"],
    ["PRESSURE", "Did you mean pressure?"],
    ["X_Velocity", 'Did you mean "X Velocity"?'],
    ["Coords", "Did you mean coords?"],
    ["speed = 1\nspede", "Did you mean speed?"],
  ])("%s is unknown: %s", (text, suggestion) => {
    const error = errorOf(text);
    expect(error.tag).toBe("UnknownName");
    expect(error.message).toContain(suggestion);
  });

  it("that are unknown are reported with those that exist", () => {
    expect(errorOf("a = 1\nb = temperature")).toEqual({
      tag: "UnknownName",
      message:
        'There is no field “temperature” (line 2, column 5). The fields are: vectors, pressure, "X Velocity", stress. Defined so far: a.',
      at: "temperature",
    });
    expect(errorOf("q", []).message).toBe(
      "There is no field “q” (line 1, column 1). The data set has no fields.",
    );
    const many = Array.from({ length: 20 }, (_, i) => ({ ...fields[1], name: `f${i}` }));
    expect(errorOf("temperature", many).message).toMatch(/f10, f11 and 8 more\.$/);
  });

  it("of functions are distinguished from fields", () => {
    expect(errorOf("curl").message).toBe("“curl” is a function (line 1, column 1). Call it: curl(v).");
    expect(errorOf("pressure(2 + 1)").message).toBe(
      "“pressure” is a field and no function (line 1, column 1). Multiply with *: pressure*(2 + 1).",
    );
    expect(errorOf("a = 1; qcriterion(vectors)")).toEqual({
      tag: "UnknownName",
      message: "There is no function “qcriterion” (line 1, column 8). Did you mean q_criterion?",
      at: "qcriterion",
    });
    expect(errorOf("fourier(pressure)").message).toMatch(/Functions are: abs, acos, .* and \d+ more\.$/);
    expect(errorOf("curl_of_gradient(gradient(vectors))").tag).toBe("UnknownName");
  });

  it("mean the latest definition before them, then a field, then the language's own", () => {
    const own: FieldSignature[] = [{ name: "x", components: 1, centering: "cell" }];
    const sources = (text: string) =>
      compile(text, own).nodes.map((node) => (node.kind === "source" ? node.field : node.kind));
    expect(sources("x")).toEqual(["x"]);
    expect(sources("y")).toEqual(["mesh", "element"]);
    expect(sources("y = x; y")).toEqual(["x"]);
    expect(sources("x = 2 * x; x = x + 1")).toEqual(["constant", "x", "element", "constant", "element"]);
  });

  it("in error do not cause more errors", () => {
    expect(errorOf("a = curl(pressure); b = a + 1; c = b").message).toContain("curl");
  });
});

describe("VisIt's spellings", () => {
  const built = (text: string) => compile(text, fields);
  const kinds = (text: string) => built(text).nodes.map(({ kind }) => kind);

  it.each([
    ["coords(mesh)", "coords()"],
    ["volume(<Mesh 1>)", "cell_volume()"],
    ["cell_volume(mesh)", "cell_volume()"],
    ["area(mesh)", "area()"],
    ["zoneid(<mesh/a>) + nodeid(mesh)", "zone_id() + node_id()"],
    ["procid(mesh)", "rank()"],
    ["def size(a) = a * volume(mesh); size(2)", "2 * volume()"],
    ["gradient(<pressure>)", "gradient(pressure)"],
    ["<X Velocity> < 2 and 1 < <X Velocity>", '"X Velocity" < 2 and 1 < "X Velocity"'],
  ])("%s is %s", (theirs, ours) => {
    expect(kinds(theirs)).toEqual(kinds(ours));
  });

  it("are comparisons after a value", () => {
    expect(errorOf("u = pressure <pressure> (1)").message).toMatch(/^Comparisons do not chain/);
  });

  it("name the one mesh, and say that it is the grid", () => {
    expect(built("2 * volume(mesh)").notes).toEqual([
      "There is one mesh, the data set's own grid: volume() takes it for “mesh”.",
    ]);
    expect(built("gradient(<pressure>)").notes).toEqual([]);
  });

  it.each([
    ["volume(pressure)", "“cell_volume()” takes no arguments, but was given 1 (line 1, column 1)."],
    ["mesh = 1; volume(mesh)", "“cell_volume()” takes no arguments, but was given 1 (line 1, column 11)."],
    ["volume(x)", "“cell_volume()” takes no arguments, but was given 1 (line 1, column 1)."],
    ["volume(a, b)", "“cell_volume()” takes no arguments, but was given 2 (line 1, column 1)."],
    ["def f(mesh) = volume(mesh); f(pressure)", "takes no arguments, but was given 1"],
    ["magnitude(mesh)", "There is no field “mesh”"],
    ["mean_filter(mesh)", "There is no field “mesh”"],
    ["a = mesh", "There is no field “mesh”"],
    ["random(mesh)", "There is no field “mesh”"],
  ])("are no way for typos: %s", (text, message) => {
    expect(errorOf(text).message).toContain(message);
  });
});

describe("types", () => {
  it.each([
    [
      "curl(pressure)",
      "“curl(v)” was given a scalar (line 1, column 1). It takes a vector (3) or a vector (2).",
    ],
    [
      "a = dot(vectors, pressure)",
      "“dot(a, b)” was given a vector (3) and a scalar (line 1, column 5). It takes a vector (2) and a vector (2); or a vector (3) and a vector (3).",
    ],
    [
      "a = 1\nb = vectors + 1",
      "“a + b” was given a vector (3) and a scalar (line 2, column 5). It takes a scalar and a scalar; or a vector (2) and a vector (2); or a vector (3) and a vector (3); or a tensor (3×3) and a tensor (3×3).",
    ],
    [
      "atan2(1)",
      "“atan2(y, x)” takes 2 arguments, but was given 1 (line 1, column 1). For example: atan2(v, u).",
    ],
    ["coords(1)", "“coords()” takes no arguments, but was given 1 (line 1, column 1)."],
    ["vectors[3]", "The field “vectors” has no component 3 (line 1, column 1). Its components are 0 to 2."],
    ["vectors[-1]", "The field “vectors” has no component -1 (line 1, column 1). Its components are 0 to 2."],
    [
      "curl(vectors)[7]",
      "A vector (3) has no component [7] (line 1, column 1). Its components are [0] to [2].",
    ],
    [
      "gradient(vectors)[3]",
      "A tensor (3×3) has no component [3] (line 1, column 1). Its rows are [0] to [2].",
    ],
    [
      "pressure[0]",
      "[0] takes a component of a vector or a row of a tensor, but was given a scalar (line 1, column 1).",
    ],
    ["vectors[pressure]", "An index in [ ] must be a whole number that does not vary (line 1, column 9)."],
    ["vectors[0.5]", "An index in [ ] must be a whole number that does not vary (line 1, column 9)."],
    [
      "stress",
      "The field “stress” has 6 components, which is neither a vector nor a tensor (line 1, column 1). Take one of them: stress[0] to stress[5].",
    ],
    ["{1}", "A vector in { } has 2 or 3 components, this one has 1 (line 1, column 1)."],
    ["{1, 2, 3, 4}", "A vector in { } has 2 or 3 components, this one has 4 (line 1, column 1)."],
    [
      "0 < pressure <= 1 + 1",
      "Comparisons do not chain (line 1, column 1). Write 0 < pressure and pressure <= 1 + 1.",
    ],
    [
      "quantile(pressure, 2)",
      "“quantile(f, p)” needs a share p from 0 to 1, but was given 2 (line 1, column 1). For example: if p > quantile(p, 0.9) then p else 0.",
    ],
    [
      "quantile(pressure, pressure)",
      "“quantile(f, p)” takes one field; what else it is given must be the same everywhere (line 1, column 1). For example: if p > quantile(p, 0.9) then p else 0.",
    ],
    [
      "histogram(pressure, 0)",
      "“histogram(f, bins, low, high)” needs a whole number of bins from 1 to 1,024, but was given 0 (line 1, column 1). For example: h = histogram(p, 64).",
    ],
    [
      "histogram(pressure, 8, 1)",
      "“histogram(f, bins, low, high)” takes 1, 2 or 4 arguments, but was given 3 (line 1, column 1). For example: h = histogram(p, 64).",
    ],
    [
      "h = histogram(pressure, 8)\nh + 1",
      "“a + b” was given a histogram and a scalar (line 2, column 1). It takes a scalar and a scalar; or a vector (2) and a vector (2); or a vector (3) and a vector (3); or a tensor (3×3) and a tensor (3×3).",
    ],
    [
      "histogram(pressure)[0]",
      "[0] takes a component of a vector or a row of a tensor, but was given a histogram (line 1, column 1).",
    ],
    ["dims", "dims has a meaning only as second argument of grad3d(f, dims, x, y, z) (line 1, column 1)."],
  ])("%s", (text, message) => {
    expect(errorOf(text)).toMatchObject({ tag: "TypeError", message });
  });

  it("underline the piece that is wrong", () => {
    expect(errorOf("a = 2 * (1 + curl(pressure))").at).toBe("curl(pressure)");
    expect(errorOf("a = 2 * (vectors + 1)").at).toBe("vectors + 1");
  });

  it("allow comparing comparisons that stand in parentheses", () => {
    expect(compile("(pressure < 1) == (pressure > 0)", fields).nodes.at(-1)?.type.value).toBe("scalar");
  });

  it("let functions whose arguments commute take more than two", () => {
    expect(compile("max(pressure, 1, 2)", fields).nodes.at(-1)?.type.value).toBe("scalar");
    expect(errorOf("atan2(1, 2, 3)").message).toContain("takes 2 arguments, but was given 3");
  });
});

describe("an empty text", () => {
  it("is refused", () => {
    expect(errorOf(" # nothing\n").message).toBe(
      "The text holds no expression. Write one, such as q = q_criterion(velocity).",
    );
  });
});
