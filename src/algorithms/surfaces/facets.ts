import { facetNormal, facetNormalCode } from "../../core/facet-normal.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../vectors.ts";

const facets = defineKernel({
  name: "facet normals",
  inputs: {
    positions: { type: "f32", components: 3, reach: () => [2, 2] },
    otherwise: { type: "f32", components: 3, reach: "own" },
  },
  constants: {},
  outputs: { normals: { type: "f32", components: 3 } },
  js({ inputs: { positions, otherwise }, outputs: { normals } }) {
    const facet = new Float64Array(3);
    return (vertex, place) => {
      const first = vertex - (vertex % 3);
      const hasArea = facetNormal(positions, [first, first + 1, first + 2], facet);
      for (let d = 0; d < 3; d++) normals[3 * place + d] = hasArea ? facet[d] : otherwise[3 * place + d];
    };
  },
  wgsl: `
    let first = element - element % 3u;
    let corner = positions(first);
    let facet = facet_normal(positions(first + 1u) - corner, positions(first + 2u) - corner);
    out.normals = otherwise(place);
    if (any(facet != vec3f(0.0))) {
      out.normals = facet;
    }`,
  wgslFunctions: facetNormalCode,
});

/** For each vertex of triangles that share none, its facet's normal; what it had where the facet has no area. */
export async function facetNormals(
  p: Primitives,
  vectors: Vectors,
  positions: Vector<"f32">,
  otherwise: Vector<"f32">,
): Promise<Vector<"f32">> {
  const { normals } = await p.forEach(positions.length, facets, {
    inputs: { positions, otherwise },
    constants: {},
  });
  return vectors.hold(normals);
}
