import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { blockLayout } from "../blocks/block-layout.ts";
import { selectedBlocks } from "../blocks/block-selection.ts";
import { colorValues } from "../color-values.ts";
import { takeRanges } from "../demand.ts";
import { triangleRecord, vertexRecord } from "../surface-records.ts";
import { surfaceState } from "../surface-state.ts";
import { triangleTableWords } from "../triangle-table.ts";
import { cutParameters, implicitValue } from "./cut-parameters.ts";

const bindings: Fragment = {
  name: "emit cut: bindings",
  requires: [cutParameters, blockLayout, surfaceState, selectedBlocks],
  code: /* wgsl */ `
override threads = 128u;

@group(0) @binding(1) var<storage, read> color: array<f32>;
@group(0) @binding(2) var<storage, read> coordinates: array<f32>;
@group(0) @binding(3) var<storage, read> cases: array<u32>;
@group(0) @binding(4) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(5) var<storage, read_write> state: SurfaceState;
@group(0) @binding(6) var<storage, read_write> vertices: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> indices: array<u32>;

/** The implicit function at the block's points; beyond the grid, at its last points. */
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
  name: "emit cut: vertex",
  requires: [bindings, implicitValue, colorValues, vertexRecord],
  code: /* wgsl */ `
fn value_at(at: vec3u) -> f32 {
  return values[number_of(at, block_points)];
}

fn emit_vertex(vertex: u32, entry: u32, origin: vec3u) {
  let at = position_of(entry & 0xffffu, block_points);
  let axis = entry >> 16u;
  let step = vec3u(vec3u(axis) == vec3u(0u, 1u, 2u));
  let low = origin + at;
  let f0 = value_at(at);
  let f1 = value_at(at + step);
  let t = clamp(-f0 / (f1 - f0), 0.0, 1.0);
  var position = node_position(low);
  position[axis] += t * (coordinate(axis, low[axis] + 1u) - position[axis]);
  var normal = parameters.normal;
  if (parameters.is_sphere != 0u) {
    normal = normalize((position - parameters.origin) * parameters.factors);
  }
  let point = number_of(low, parameters.dims);
  let scalar = color_between(point, number_of(low + step, parameters.dims), t);
  write_vertex(vertex, position, normal, scalar, 3u * point + axis);
}
`,
};

const emitTriangle: Fragment = {
  name: "emit cut: triangle",
  requires: [bindings, triangleRecord],
  code: /* wgsl */ `
/** \`edge\` is its lower corner | axis << 3. */
fn vertex_of(edge: u32, cell: vec3u) -> u32 {
  let low = cell + (vec3u(edge, edge >> 1u, edge >> 2u) & vec3u(1u));
  let entry = edges_of[number_of(low, block_points)];
  return (entry >> 3u) + countOneBits(entry & ((1u << (edge >> 3u)) - 1u));
}

fn emit_triangle(index: u32, entry: u32) {
  let cell = position_of(entry & 0xfffu, block_cells);
  let triangle = (entry >> 12u) & 7u;
  let edges = cases[(entry >> 16u) * ${triangleTableWords}u + (triangle >> 1u)] >> (15u * (triangle & 1u));
  let numbers = first.x + vec3u(
    vertex_of(edges & 31u, cell),
    vertex_of((edges >> 5u) & 31u, cell),
    vertex_of((edges >> 10u) & 31u, cell),
  );
  write_triangle(index, numbers);
}
`,
};

const emitCut: Fragment = {
  name: "emit cut",
  requires: [emitVertex, emitTriangle, takeRanges],
  code: /* wgsl */ `
/** Which edges that begin at a point of the block are cut and belong to the cells, as three bits. */
fn cut_edges(at: vec3u, origin: vec3u) -> u32 {
  let place = origin + at - parameters.first_cell;
  let is_above = value_at(at) > 0.0;
  var cut = 0u;
  for (var axis = 0u; axis < 3u; axis++) {
    let step = vec3u(vec3u(axis) == vec3u(0u, 1u, 2u));
    if (at[axis] < block_cells[axis] && all(place <= parameters.cell_counts - step)) {
      cut |= u32(is_above != (value_at(at + step) > 0.0)) << axis;
    }
  }
  return cut;
}

/** The set of corners above zero; 0 for a cell that is none of those to be cut. */
fn case_of(cell: vec3u, origin: vec3u) -> u32 {
  if (any(origin + cell - parameters.first_cell >= parameters.cell_counts)) {
    return 0u;
  }
  var above = 0u;
  for (var corner = 0u; corner < 8u; corner++) {
    let value = value_at(cell + (vec3u(corner, corner >> 1u, corner >> 2u) & vec3u(1u)));
    above |= u32(value > 0.0) << corner;
  }
  return above;
}

fn emit_block(origin: vec3u, lane: u32) {
  workgroupBarrier();
  if (lane == 0u) {
    atomicStore(&tally, 0u);
  }
  for (var p = lane; p < point_count; p += threads) {
    let node = min(origin + position_of(p, block_points), parameters.dims - 1u);
    values[p] = implicit_value(node_position(node));
  }
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
    let triangles = cases[above * ${triangleTableWords}u + ${triangleTableWords - 1}u];
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
    first = take_ranges(vertex_count, 3u * triangle_count);
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

/** As many workgroups as keep the GPU busy share the selected blocks. */
@compute @workgroup_size(threads)
fn emit_cut(
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

export const emitCutShader = {
  label: "cut: emit",
  code: linkFragments(emitCut),
  entryPoint: "emit_cut",
};
