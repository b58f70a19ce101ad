import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../kd-tree/vectors.ts";

const facets = defineKernel({
  name: "facet normals",
  inputs: {
    positions: { type: "f32", components: 3, reach: () => [2, 2] },
    otherwise: { type: "f32", components: 3, reach: "own" },
  },
  constants: {},
  outputs: { normals: { type: "f32", components: 3 } },
  js({ inputs: { positions, otherwise }, outputs: { normals } }) {
    return (vertex, place) => {
      const at = 3 * (vertex - (vertex % 3));
      const a = [0, 1, 2].map((d) => positions[at + 3 + d] - positions[at + d]);
      const b = [0, 1, 2].map((d) => positions[at + 6 + d] - positions[at + d]);
      const largest = Math.max(...[...a, ...b].map(Math.abs));
      const normal = [0, 1, 2].map((d) => {
        const [e, f] = [(d + 1) % 3, (d + 2) % 3];
        return (a[e] / largest) * (b[f] / largest) - (a[f] / largest) * (b[e] / largest);
      });
      const length = Math.hypot(...normal);
      for (let d = 0; d < 3; d++) {
        normals[3 * place + d] = length > 0 ? normal[d] / length : otherwise[3 * place + d];
      }
    };
  },
  wgsl: `
    let first = element - element % 3u;
    let corner = positions(first);
    let a = positions(first + 1u) - corner;
    let b = positions(first + 2u) - corner;
    let most = max(abs(a), abs(b));
    let largest = max(most.x, max(most.y, most.z));
    let normal = cross(a / largest, b / largest);
    let length_of = length(normal);
    if (length_of > 0.0) {
      out.normals = normal / length_of;
    } else {
      out.normals = otherwise(place);
    }`,
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
