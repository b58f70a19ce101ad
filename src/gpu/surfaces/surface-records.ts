import type { Fragment } from "../shader/fragment.ts";

/** Writes a vertex as `DrawableSurface` has it. Needs the array `vertices: array<vec4u>`. */
export const vertexRecord: Fragment = {
  name: "vertex record",
  code: /* wgsl */ `
fn write_vertex(vertex: u32, position: vec3f, normal: vec3f, scalar: f32, edge: u32) {
  vertices[2u * vertex] = bitcast<vec4u>(vec4f(position, normal.x));
  vertices[2u * vertex + 1u] = vec4u(bitcast<vec3u>(vec3f(normal.yz, scalar)), edge);
}
`,
};

/**
 * Writes a triangle where there is room for it; one whose vertices did not all fit collapses to a point. Needs the array
 * `indices`, and a uniform `parameters` with both capacities.
 */
export const triangleRecord: Fragment = {
  name: "triangle record",
  code: /* wgsl */ `
fn write_triangle(index: u32, numbers: vec3u) {
  if (index + 3u > parameters.index_capacity) {
    return;
  }
  let kept = select(vec3u(0u), numbers, all(numbers < vec3u(parameters.vertex_capacity)));
  indices[index] = kept.x;
  indices[index + 1u] = kept.y;
  indices[index + 2u] = kept.z;
}
`,
};
