import { describe, expect, it } from "vitest";
import { allFilters, findFilter, operatorFilters } from "./registry.ts";

describe("the filters", () => {
  it("are found by name and by alias", () => {
    expect(findFilter("vorticity")).toBe(findFilter("curl"));
    expect(findFilter("norm")).toBe(findFilter("magnitude"));
    expect(findFilter("curls")).toBeUndefined();
    for (const name of Object.values(operatorFilters)) expect(findFilter(name)?.kind).toBe("element");
  });

  it("tell apart their overloads by their inputs", () => {
    for (const filter of allFilters) {
      if (!("overloads" in filter)) continue;
      const typings = filter.overloads.map(({ inputs }) => inputs.join());
      expect(new Set(typings).size, filter.name).toBe(typings.length);
    }
  });

  it("are documented", () => {
    for (const { name, doc, internal } of allFilters) {
      expect(doc.summary, name).toMatch(/^.+[.]$/);
      expect(doc.signature.length * doc.example.length * doc.group.length, name).toBeGreaterThan(0);
      if (!internal && /^\w+\(/.test(doc.signature))
        expect(doc.signature.startsWith(`${name}(`), name).toBe(true);
    }
  });
});
