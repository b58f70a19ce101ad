import { describe, expect, it } from "vitest";
import { randomNumbers } from "../execute/testing/data-sets.ts";
import { componentsOf } from "../types.ts";
import { elementLoop } from "./element-loops.ts";
import { elementWgsl } from "./element-shader.ts";
import type { ElementFilter, ElementOverload } from "./filter.ts";
import { allFilters, findFilter } from "./registry.ts";

const elementFilters = allFilters.filter((filter): filter is ElementFilter => filter.kind === "element");
const special = [0, -0, 1, -1, 0.5, 2, 1e-30, 3e38, Number.NaN, Number.POSITIVE_INFINITY, -7];
const count = 40;

/** Booleans, numbers of every kind, and what makes a matrix singular. */
function valuesOf({ inputs }: ElementOverload): Float64Array[] {
  const random = randomNumbers(3);
  return inputs.map((type) =>
    Float64Array.from({ length: count * componentsOf(type) }, () => {
      const number = random() < 0.3 ? special[Math.floor(random() * special.length)] : 4 * random() - 2;
      return type === "bool" ? Number(number > 0) : number;
    }),
  );
}

describe("the loops of element filters", () => {
  it("are the same to the bit where the page forbids generated code", () => {
    for (const { name, overloads } of elementFilters) {
      for (const overload of overloads) {
        const args = valuesOf(overload);
        const [generated, interpreted] = [true, false].map((generates) => {
          const out = new Float64Array(count * componentsOf(overload.output));
          elementLoop(overload, { generates })(args, out, count);
          return out;
        });
        expect(interpreted, `${name}(${overload.inputs})`).toEqual(generated);
      }
    }
  });

  it("are made once", () => {
    const [overload] = (findFilter("sqrt") as ElementFilter).overloads;
    expect(elementLoop(overload)).toBe(elementLoop(overload));
  });
});

describe("shaders", () => {
  const wgsl = (name: string, args: string[], known: (number | undefined)[] = []) => {
    const filter = findFilter(name) as ElementFilter;
    const overload = filter.overloads.find(({ inputs }) => inputs.length === args.length)!;
    return elementWgsl(overload, args, known);
  };

  it("take the text with its arguments in place", () => {
    expect(wgsl("add", ["u_1", "2.0"]).expression).toBe("u_1 + 2.0");
    expect(wgsl("if", ["a_1", "b_1.x", "c_1.a"]).expression).toBe("select(c_1.a, b_1.x, a_1)");
    expect(wgsl("compose", ["b", "a"]).expression).toBe("vec2f(b, a)");
    expect(wgsl("curl_of_gradient", ["m"]).expression).toBe(
      "vec3f(m[2].y - m[1].z, m[0].z - m[2].x, m[1].x - m[0].y)",
    );
  });

  it("have the functions that the text calls, as f32", () => {
    const { expression, fragments } = wgsl("random_of_place", ["at", "seed"]);
    expect(expression).toBe("random_number(at, seed)");
    expect(fragments.map(({ code }) => code).join("\n")).toMatch(
      /fn random_number\(place: vec3f, seed: f32\) -> f32/,
    );
    expect(wgsl("is_nan", ["x"]).fragments.map(({ name }) => name)).toEqual(["float tests"]);
    expect(wgsl("add", ["x", "y"]).fragments).toEqual([]);
  });

  it("have functions of their own where f32 needs them", () => {
    expect(wgsl("sin", ["x"])).toMatchObject({ expression: "sine(x)", fragments: [{ name: "sine" }] });
    expect(wgsl("pow", ["x", "y"], [undefined, 3]).expression).toBe("x * x * x");
  });
});
