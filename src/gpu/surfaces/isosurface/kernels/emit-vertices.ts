import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { blockLayout } from "../../blocks/block-layout.ts";
import { vertexRecord } from "../../surface-records.ts";
import { parameters } from "../parameters.ts";
import { surfaceNormal } from "./surface-normal.ts";
import { vertexBindings } from "./vertex-bindings.ts";

/** A vertex for each marked edge, made in the edge's own direction. */
const emitVertices: Fragment = {
  name: "emit vertices",
  requires: [parameters, blockLayout, surfaceNormal, vertexBindings, vertexRecord],
  code: /* wgsl */ `
override threads = 128u;

fn coordinate(axis: u32, i: u32) -> f32 {
  return coordinates[parameters.axes[axis] + i];
}

fn emit_vertex(vertex: u32, isovalue: vec2f) {
  let edge = vertices[2u * vertex + 1u].w;
  let point = edge / 3u;
  let axis = edge - 3u * point;
  let step = vec3u(vec3u(axis) == vec3u(0u, 1u, 2u));
  let low = position_of(point, parameters.dims);
  let high = low + step;
  let other = number_of(high, parameters.dims);
  let f0 = field_value(point);
  let f1 = field_value(other);
  let t = clamp(((isovalue.x - f0) + isovalue.y) / (f1 - f0), 0.0, 1.0);

  var position = vec3f(coordinate(0u, low.x), coordinate(1u, low.y), coordinate(2u, low.z));
  position[axis] += t * (coordinate(axis, high[axis]) - position[axis]);
  let g0 = gradient(f0, low);
  let g1 = gradient(f1, high);
  let normal = direction(t * (g0 - g1) - g0, vec3f(step) * sign(f0 - f1));
  let c0 = color[parameters.color_plane + point];
  let c1 = color[parameters.color_plane + other];
  let scalar = c0 + t * (c1 - c0);
  write_vertex(vertex, position, normal, scalar, edge);
}

/** As many workgroups as keep the GPU busy share the vertices of the present isovalue. */
@compute @workgroup_size(threads)
fn emit_vertices(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let isovalue = parameters.isovalues[state.isovalue].xy;
  let first = select(0u, state.ends[2u * (max(state.isovalue, 1u) - 1u)], state.isovalue > 0u);
  let end = min(atomicLoad(&state.vertex_demand), parameters.vertex_capacity);
  for (var vertex = first + thread.x; vertex < end; vertex += groups.x * threads) {
    emit_vertex(vertex, isovalue);
  }
}
`,
};

export const emitVerticesShader = {
  label: "isosurface: emit vertices",
  code: linkFragments(emitVertices),
  entryPoint: "emit_vertices",
};
