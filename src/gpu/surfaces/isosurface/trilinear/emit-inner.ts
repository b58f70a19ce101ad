import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { demand } from "../../demand.ts";
import { vertexRecord } from "../../surface-records.ts";
import { surfaceNormal } from "../kernels/surface-normal.ts";
import { vertexBindings } from "../kernels/vertex-bindings.ts";
import { decision } from "./decision.ts";
import { placeCode } from "./place-code.ts";

const innerPlace: Fragment = { name: "inner place", requires: [decision], code: placeCode };

/** The vertices inside ambiguous cells, which \`disambiguate_cells\` numbered after all others of the present isovalue. */
const emitInner: Fragment = {
  name: "emit inner vertices",
  requires: [innerPlace, surfaceNormal, vertexBindings, vertexRecord, demand],
  code: /* wgsl */ `
override threads = 128u;

@group(0) @binding(6) var<storage, read> cases: array<u32>;

fn emit_vertex(vertex: u32, isovalue: vec2f) {
  let mark = vertices[2u * vertex];
  let id = vertices[2u * vertex + 1u].w;
  let dims = parameters.dims;
  let nodes = dims.x * dims.y * dims.z;
  let slot = id / nodes - 3u;
  let cell = position_of(id % nodes, dims);
  let above = load_corners(cell, isovalue);
  scale_corners();
  var place = vec3f(0.5);
  if (mark.y == 0u) {
    place = fan_place(mark.x, slot);
  } else {
    place = ring_place(connection_along(above, mark.y - 1u), slot);
  }
  let low = parameters.axes + cell;
  let x0 = vec3f(coordinates[low.x], coordinates[low.y], coordinates[low.z]);
  let x1 = vec3f(coordinates[low.x + 1u], coordinates[low.y + 1u], coordinates[low.z + 1u]);
  var descent = vec3f(0.0);
  var scalar = 0.0;
  for (var corner = 0u; corner < 8u; corner++) {
    let weight = corner_weight(corner, place);
    let point = cell + corner_of(corner);
    let number = number_of(point, dims);
    descent -= weight * gradient(field_value(number), point);
    scalar += weight * color[parameters.color_plane + number];
  }
  let position = x0 + place * (x1 - x0);
  let normal = direction(descent, vec3f(0.0, 0.0, 1.0));
  write_vertex(vertex, position, normal, scalar, id);
}

/** As many workgroups as keep the GPU busy share the inner vertices of the present isovalue. */
@compute @workgroup_size(threads)
fn emit_inner(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let isovalue = parameters.isovalues[state.isovalue].xy;
  let vertex_demand = atomicLoad(&state.vertex_demand);
  if (vertex_demand >= max_demand) {
    return;
  }
  let first = vertex_demand - atomicLoad(&state.inner_count);
  let end = min(vertex_demand, parameters.vertex_capacity);
  for (var vertex = first + thread.x; vertex < end; vertex += groups.x * threads) {
    emit_vertex(vertex, isovalue);
  }
}
`,
};

export const emitInnerShader = {
  label: "isosurface: emit inner vertices",
  code: linkFragments(emitInner),
  entryPoint: "emit_inner",
};
