import { describe, expect, it } from "vitest";
import { randomNumbers } from "../execute/testing/data-sets.ts";
import { componentsOf } from "../types.ts";
import { elementLoop } from "./element-loops.ts";
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
