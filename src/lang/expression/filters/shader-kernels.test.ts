import { describe, expect, it } from "vitest";
import { checkFunctions, checkKernel } from "../../../kernel/check.ts";
import type { KernelFunction } from "../../../kernel/ir.ts";
import { elementKernel } from "./element-kernel.ts";
import type { ElementFilter, ElementOverload } from "./filter.ts";
import { meshKernel } from "./mesh-kernel.ts";
import { allFilters, findFilter } from "./registry.ts";
import { shaderStencil } from "./stencil-program.ts";

const overloadOf = (name: string, arity: number): ElementOverload =>
  (findFilter(name) as ElementFilter).overloads.find(({ inputs }) => inputs.length === arity)!;

describe("what shaders take of filters", () => {
  it("is a kernel or a function that keeps the representation's rules, of every overload", () => {
    for (const filter of allFilters) {
      if (filter.kind === "element") {
        for (const overload of filter.overloads) {
          const { callable, library } = elementKernel(overload, []);
          checkFunctions({ ...library, functions: [...library.functions, callable] });
        }
      } else if (filter.kind === "mesh") checkKernel(meshKernel(filter));
      else if (filter.kind === "stencil") {
        for (const overload of filter.overloads) {
          const text = overload.shader ?? ("text" in overload ? overload : undefined);
          const [input] = overload.inputs;
          if (text && input !== "mat3" && input !== "bool" && input !== "histogram") {
            checkKernel(shaderStencil(text, input));
          }
        }
      }
    }
  });

  it("calls functions by names of their own, so that any filters stand in one kernel", () => {
    const named = new Map<string, KernelFunction>();
    for (const filter of allFilters) {
      if (filter.kind !== "element") continue;
      for (const overload of filter.overloads) {
        for (const callable of elementKernel(overload, []).library.functions) {
          expect(named.get(callable.name) ?? callable, callable.name).toBe(callable);
          named.set(callable.name, callable);
        }
      }
    }
    expect([...named.keys()]).toContain("lambda2");
  });

  it("is made once, and for each number that is known", () => {
    const pow = overloadOf("pow", 2);
    expect(elementKernel(pow, [undefined, 3])).toBe(elementKernel(pow, [undefined, 3]));
    expect(elementKernel(pow, [undefined, 3])).not.toBe(elementKernel(pow, []));
  });
});
