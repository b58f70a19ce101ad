import { describe, expect, it } from "vitest";
import { allFilters, findFilter, operatorFilters } from "./registry.ts";

describe("the filters", () => {
  it("are found by name and by alias", () => {
    expect(findFilter("vorticity")).toBe(findFilter("curl"));
    expect(findFilter("norm")).toBe(findFilter("magnitude"));
    expect(findFilter("curls")).toBeUndefined();
    for (const name of Object.values(operatorFilters)) expect(findFilter(name)?.kind).toBe("element");
  });

  it("hold what people expect of VisIt, ParaView and Ascent, under the names used there", () => {
    const expected = {
      element:
        "lt le gt ge eq ne equal notequal gte lte and or not if abs ceil floor round exp ln log10 mod sign square sqrt min max divide sin cos tan asin acos atan atan2 sinh cosh tanh deg2rad rad2deg cross dot magnitude norm mag normalize determinant det eigenvalue eigenvector inverse trace transpose contraction",
      stencil: "gradient grad laplacian hessian median_filter",
      composite:
        "random curl vorticity divergence q_criterion lambda2 swirling_strength identity clamp mean_filter gaussian median rms variance stddev std cell_volume volume area rank procid",
      mesh: "coords min_coord max_coord node_id nodeid zone_id zoneid",
      recenter: "recenter",
      reduction:
        "minimum maximum sum avg average mean quantile histogram entropy min_position max_position argmin argmax",
    };
    for (const [kind, names] of Object.entries(expected)) {
      for (const name of names.split(" ")) expect(findFilter(name)?.kind, name).toBe(kind);
    }
  });

  it("choose stencils by a parameter in the name, one object for each", () => {
    const wide = findFilter("laplacian:3");
    expect(wide).toMatchObject({ kind: "stencil", name: "laplacian:3" });
    expect(findFilter("laplacian:3")).toBe(wide);
    expect(findFilter("laplacian:1")).toBe(findFilter("laplacian"));
    for (const name of ["laplacian:0", "laplacian:x", "gradient:2", "lap:2", "sin:1"]) {
      expect(findFilter(name), name).toBeUndefined();
    }
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
