import { facetNormalCode } from "../../core/facet-normal.ts";
import { around, own } from "../../core/primitives/access.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../vectors.ts";

const facets = defineKernel({
  name: "facet normals",
  inputs: {
    positions: { type: "f32", components: 3, access: around(2, 2) },
    otherwise: { type: "f32", components: 3, access: own },
  },
  constants: {},
  outputs: { normals: { type: "f32", components: 3 } },
  text: `
    let first = element - element % 3u;
    let corner = positions(first);
    let facet = facet_normal(positions(first + 1u) - corner, positions(first + 2u) - corner);
    if (any(facet != vec3f(0.0))) {
      out.normals = facet;
    } else {
      out.normals = otherwise();
    }`,
  functions: facetNormalCode,
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
