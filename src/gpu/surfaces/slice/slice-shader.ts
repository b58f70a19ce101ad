import { linearGroup } from "../../shader/dispatch.ts";
import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { type ColorParameters, colorValues } from "../color-values.ts";
import { maxDemand } from "../demand.ts";
import type { CellRangeParameters } from "../part/cell-range.ts";
import { triangleRecord, vertexRecord } from "../surface-records.ts";
import { surfaceState } from "../surface-state.ts";

export const sliceParameters: Fragment = {
  name: "slice: parameters",
  code: /* wgsl */ `
struct Parameters {
  dims: vec3u,
  axis: u32,
  /** First words of x, y and z in the coordinate tables. */
  axes: vec3u,
  /** The node plane before the slice, and the share of the way to the next. */
  plane: u32,
  t: f32,
  /** Along the axis, relative to the grid's center. */
  position: f32,
  color_plane: u32,
  has_color: u32,
  /** 0: the slice misses the cells. */
  is_inside: u32,
  vertex_capacity: u32,
  index_capacity: u32,
  /** The cells that are sliced. */
  first_cell: vec3u,
  cell_counts: vec3u,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
`,
};

export interface SliceParameters extends ColorParameters, CellRangeParameters {
  dims: readonly number[];
  axis: number;
  axes: readonly number[];
  plane: number;
  t: number;
  position: number;
  is_inside: number;
  vertex_capacity: number;
  index_capacity: number;
}

/** Threads of a workgroup, each with a vertex and the cell that it begins. */
export const sliceThreads = 128;

/** Axes u and v follow the slice's own, so that u × v points along it. Vertices and cells are numbered u first. */
const slice: Fragment = {
  name: "slice",
  requires: [sliceParameters, linearGroup, surfaceState, colorValues, vertexRecord, triangleRecord],
  code: /* wgsl */ `
/** Cells whose indices are counted. */
const max_cells = ${Math.ceil(maxDemand / 6)}u;

@group(0) @binding(1) var<storage, read> color: array<f32>;
@group(0) @binding(2) var<storage, read> coordinates: array<f32>;
@group(0) @binding(3) var<storage, read_write> state: SurfaceState;
@group(0) @binding(4) var<storage, read_write> vertices: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> indices: array<u32>;

fn emit_vertex(vertex: u32, node: vec3u) {
  let axis = parameters.axis;
  let dims = parameters.dims;
  var position: vec3f;
  for (var a = 0u; a < 3u; a++) {
    position[a] = coordinates[parameters.axes[a] + node[a]];
  }
  position[axis] = parameters.position;
  let normal = vec3f(vec3u(axis) == vec3u(0u, 1u, 2u));
  let stride = vec3u(1u, dims.x, dims.x * dims.y);
  let point = node.x + node.y * stride.y + node.z * stride.z;
  let scalar = color_between(point, point + select(stride[axis], 0u, parameters.t == 0.0), parameters.t);
  write_vertex(vertex, position, normal, scalar, 3u * point + axis);
}

@compute @workgroup_size(${sliceThreads})
fn emit_slice(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let vertex = linear_group(group, groups) * ${sliceThreads}u + lane;
  let u = (parameters.axis + 1u) % 3u;
  let v = (parameters.axis + 2u) % 3u;
  let cells = vec2u(parameters.cell_counts[u], parameters.cell_counts[v]);
  let extents = cells + 1u;
  let is_empty = parameters.is_inside == 0u || any(cells == vec2u(0u));
  if (vertex == 0u) {
    let vertex_demand = select(extents.x * extents.y, 0u, is_empty);
    let index_demand = select(6u * min(cells.x * cells.y, max_cells), 0u, is_empty);
    atomicStore(&state.index_count, min(index_demand, parameters.index_capacity));
    state.instance_count = 1u;
    atomicStore(&state.vertex_demand, vertex_demand);
    atomicStore(&state.index_demand, index_demand);
  }
  let at = vec2u(vertex % extents.x, vertex / extents.x);
  if (is_empty || at.y >= extents.y) {
    return;
  }
  if (vertex < parameters.vertex_capacity) {
    var node: vec3u;
    node[parameters.axis] = parameters.plane;
    node[u] = parameters.first_cell[u] + at.x;
    node[v] = parameters.first_cell[v] + at.y;
    emit_vertex(vertex, node);
  }
  let cell = at.x + at.y * cells.x;
  if (all(at < cells) && cell < max_cells) {
    let index = 6u * cell;
    write_triangle(index, vertex + vec3u(0u, 1u, 1u + extents.x));
    write_triangle(index + 3u, vertex + vec3u(0u, 1u + extents.x, extents.x));
  }
}
`,
};

export const sliceShader = { label: "slice", code: linkFragments(slice), entryPoint: "emit_slice" };
