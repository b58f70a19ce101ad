import { edgeLow } from "../../../../core/marching-cubes/cube.ts";
import { finite } from "../../../shader/finite.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { surfaceState } from "../../surface/surface-state.ts";
import { blockLayout } from "../blocks.ts";
import { parameters } from "../parameters.ts";
import { caseWords } from "./case-words.ts";
import { surfaceNormal } from "./surface-normal.ts";

const bindings: Fragment = {
  name: "emit surface: bindings",
  requires: [parameters, blockLayout, surfaceState],
  code: /* wgsl */ `
override threads = 128u;

struct SelectedBlocks {
  count: u32,
  blocks: array<u32>,
}

@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read> color: array<f32>;
@group(0) @binding(3) var<storage, read> coordinates: array<f32>;
@group(0) @binding(4) var<storage, read> cases: array<u32>;
@group(0) @binding(5) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(6) var<storage, read_write> state: SurfaceState;
@group(0) @binding(7) var<storage, read_write> vertices: array<vec4u>;
@group(0) @binding(8) var<storage, read_write> indices: array<u32>;

/** The values at the block's points; beyond the grid, those of its last points. */
var<workgroup> values: array<f32, point_count>;
/** For each point of the block: its first vertex · 8 + which of the three edges that begin there are cut. */
var<workgroup> edges_of: array<u32, point_count>;
/** Vertices by number: point | axis << 16. Triangles by number: cell | triangle << 12 | case << 16. */
var<workgroup> vertex_list: array<u32, 3u * point_count>;
var<workgroup> triangle_list: array<u32, max_block_triangles>;
/** Vertices | triangles << 16, so far; then the block's first vertex and first index. */
var<workgroup> tally: atomic<u32>;
var<workgroup> first: vec2u;
`,
};

/** One vertex per cut edge of the block, made in the edge's own direction so that all blocks' copies are equal. */
const emitVertex: Fragment = {
  name: "emit vertex",
  requires: [bindings, surfaceNormal],
  code: /* wgsl */ `
fn value_at(at: vec3u) -> f32 {
  return values[number_of(at, block_points)];
}

fn coordinate(axis: u32, i: u32) -> f32 {
  return coordinates[parameters.axes[axis] + i];
}

fn emit_vertex(vertex: u32, entry: u32, origin: vec3u) {
  let at = position_of(entry & 0xffffu, block_points);
  let axis = entry >> 16u;
  let step = vec3u(vec3u(axis) == vec3u(0u, 1u, 2u));
  let low = origin + at;
  let high = low + step;
  let f0 = value_at(at);
  let f1 = value_at(at + step);
  let t = clamp(((parameters.isovalue - f0) + parameters.isovalue_rest) / (f1 - f0), 0.0, 1.0);

  var position = vec3f(coordinate(0u, low.x), coordinate(1u, low.y), coordinate(2u, low.z));
  position[axis] += t * (coordinate(axis, high[axis]) - position[axis]);
  let g0 = gradient(f0, low);
  let g1 = gradient(f1, high);
  let normal = direction(g0 + t * (g1 - g0), vec3f(step) * sign(f1 - f0));
  let point = number_of(low, parameters.dims);
  let c0 = color[parameters.color_plane + point];
  let c1 = color[parameters.color_plane + number_of(high, parameters.dims)];
  let scalar = c0 + t * (c1 - c0);

  vertices[2u * vertex] = bitcast<vec4u>(vec4f(position, normal.x));
  vertices[2u * vertex + 1u] = vec4u(bitcast<vec3u>(vec3f(normal.yz, scalar)), 3u * point + axis);
}
`,
};

const emitTriangle: Fragment = {
  name: "emit triangle",
  requires: [bindings],
  code: /* wgsl */ `
const edge_low = array<vec3u, 12>(${edgeLow.map((c) => `vec3u(${c & 1}u, ${(c >> 1) & 1}u, ${c >> 2}u)`).join(", ")});

fn vertex_of(edge: u32, cell: vec3u) -> u32 {
  let entry = edges_of[number_of(cell + edge_low[edge], block_points)];
  return (entry >> 3u) + countOneBits(entry & ((1u << (edge >> 2u)) - 1u));
}

fn emit_triangle(index: u32, entry: u32) {
  let cell = position_of(entry & 0xfffu, block_cells);
  let triangle = (entry >> 12u) & 7u;
  let corners = cases[(entry >> 16u) * ${caseWords}u + (triangle >> 1u)] >> (12u * (triangle & 1u));
  let numbers = first.x + vec3u(
    vertex_of(corners & 15u, cell),
    vertex_of((corners >> 4u) & 15u, cell),
    vertex_of((corners >> 8u) & 15u, cell),
  );
  // A triangle whose vertices did not all fit collapses to a point.
  let kept = select(vec3u(0u), numbers, all(numbers < vec3u(parameters.vertex_capacity)));
  indices[index] = kept.x;
  indices[index + 1u] = kept.y;
  indices[index + 2u] = kept.z;
}
`,
};

const emitSurface: Fragment = {
  name: "emit surface",
  requires: [emitVertex, emitTriangle, finite],
  code: /* wgsl */ `
fn load_values(origin: vec3u, lane: u32) {
  for (var p = lane; p < point_count; p += threads) {
    let point = min(origin + position_of(p, block_points), parameters.dims - 1u);
    values[p] = field[parameters.plane + number_of(point, parameters.dims)];
  }
}

/** Which edges that begin at a point of the block are cut, as three bits. */
fn cut_edges(at: vec3u, origin: vec3u) -> u32 {
  let here = value_at(at);
  let is_above = here > parameters.isovalue;
  var cut = 0u;
  for (var axis = 0u; axis < 3u; axis++) {
    let step = vec3u(vec3u(axis) == vec3u(0u, 1u, 2u));
    if (at[axis] < block_cells[axis] && all(origin + at + step < parameters.dims)) {
      let there = value_at(at + step);
      if (is_finite(here) && is_finite(there) && is_above != (there > parameters.isovalue)) {
        cut |= 1u << axis;
      }
    }
  }
  return cut;
}

/** The set of corners above the isovalue; 0 for a cell beyond the grid or with a corner that is not finite. */
fn case_of(cell: vec3u, origin: vec3u) -> u32 {
  if (any(origin + cell + 1u >= parameters.dims)) {
    return 0u;
  }
  var above = 0u;
  var all_finite = true;
  for (var corner = 0u; corner < 8u; corner++) {
    let value = value_at(cell + (vec3u(corner, corner >> 1u, corner >> 2u) & vec3u(1u)));
    all_finite = all_finite && is_finite(value);
    above |= u32(value > parameters.isovalue) << corner;
  }
  return select(0u, above, all_finite);
}

fn emit_block(origin: vec3u, lane: u32) {
  workgroupBarrier();
  if (lane == 0u) {
    atomicStore(&tally, 0u);
  }
  load_values(origin, lane);
  workgroupBarrier();
  for (var p = lane; p < point_count; p += threads) {
    let cut = cut_edges(position_of(p, block_points), origin);
    if (cut != 0u) {
      var vertex = atomicAdd(&tally, countOneBits(cut)) & 0xffffu;
      edges_of[p] = (vertex << 3u) | cut;
      for (var axis = 0u; axis < 3u; axis++) {
        if (((cut >> axis) & 1u) != 0u) {
          vertex_list[vertex] = p | (axis << 16u);
          vertex++;
        }
      }
    }
  }
  for (var cell = lane; cell < cell_count; cell += threads) {
    let above = case_of(position_of(cell, block_cells), origin);
    let triangles = cases[above * ${caseWords}u + ${caseWords - 1}u];
    if (triangles != 0u) {
      let start = atomicAdd(&tally, triangles << 16u) >> 16u;
      for (var t = 0u; t < triangles; t++) {
        triangle_list[start + t] = cell | (t << 12u) | (above << 16u);
      }
    }
  }
  workgroupBarrier();

  let vertex_count = atomicLoad(&tally) & 0xffffu;
  let triangle_count = atomicLoad(&tally) >> 16u;
  if (lane == 0u) {
    first.x = atomicAdd(&state.vertex_demand, vertex_count);
    first.y = atomicAdd(&state.index_demand, 3u * triangle_count);
    atomicMax(&state.index_count, min(first.y + 3u * triangle_count, parameters.index_capacity));
  }
  workgroupBarrier();

  for (var v = lane; v < vertex_count; v += threads) {
    if (first.x + v < parameters.vertex_capacity) {
      emit_vertex(first.x + v, vertex_list[v], origin);
    }
  }
  for (var t = lane; t < triangle_count; t += threads) {
    let index = first.y + 3u * t;
    if (index + 3u <= parameters.index_capacity) {
      emit_triangle(index, triangle_list[t]);
    }
  }
}

/** As many workgroups as keep the GPU busy share the selected blocks: an indirect dispatch costs Dawn 1 ms. */
@compute @workgroup_size(threads)
fn emit_surface(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var item = group.x; item < selection.count; item += groups.x) {
    emit_block(position_of(selection.blocks[item], parameters.blocks) * block_cells, lane);
  }
}
`,
};

export const emitSurfaceShader = {
  label: "isosurface: emit surface",
  code: linkFragments(emitSurface),
  entryPoint: "emit_surface",
};
