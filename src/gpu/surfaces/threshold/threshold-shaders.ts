import { finite } from "../../shader/finite.ts";
import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { blockLayout } from "../blocks/block-layout.ts";
import { largest } from "../blocks/block-ranges.ts";
import { listBlock, selectBlocks, selectedBlocks } from "../blocks/block-selection.ts";
import { type ColorParameters, colorValues } from "../color-values.ts";
import { takeRanges } from "../demand.ts";
import { fieldValues } from "../field-values.ts";
import type { CellRangeParameters } from "../part/cell-range.ts";
import { triangleRecord, vertexRecord } from "../surface-records.ts";
import { surfaceState } from "../surface-state.ts";

export const thresholdParameters: Fragment = {
  name: "threshold: parameters",
  code: /* wgsl */ `
struct Parameters {
  dims: vec3u,
  /** First word of the field's component. */
  plane: u32,
  blocks: vec3u,
  block_count: u32,
  /** First words of x, y and z in the coordinate tables. */
  axes: vec3u,
  color_plane: u32,
  has_color: u32,
  /** Of the field: see \`storedValue\`. */
  storage: u32,
  /** The least and the greatest f32 in the range; low > high where there is none. */
  low: f32,
  high: f32,
  vertex_capacity: u32,
  index_capacity: u32,
  /** The cells whose faces are shown. */
  first_cell: vec3u,
  cell_counts: vec3u,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
`,
};

export interface ThresholdParameters extends ColorParameters, CellRangeParameters {
  dims: readonly number[];
  plane: number;
  blocks: readonly number[];
  block_count: number;
  axes: readonly number[];
  storage: number;
  low: number;
  high: number;
  vertex_capacity: number;
  index_capacity: number;
}

/** Lists the blocks that may show a face: not those without a value of the range, nor those wholly among kept cells. */
const selectThresholdBlocks: Fragment = {
  name: "threshold: select blocks",
  requires: [thresholdParameters, blockLayout, selectBlocks, listBlock],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> ranges: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> selection: Selection;

/** Whether all values of a block are finite and in the range. */
fn is_full(block: u32) -> bool {
  let range = ranges[block];
  return range.x > -${largest} && range.x <= range.y && range.x >= parameters.low && range.y <= parameters.high;
}

/** Whether a block and those beside it are full, and none of its faces is the grid's. */
fn is_within(block: u32) -> bool {
  let at = position_of(block, parameters.blocks);
  if (any(at == vec3u(0u)) || any((at + 1u) * block_cells + 1u >= parameters.dims) || !is_full(block)) {
    return false;
  }
  let slice = parameters.blocks.x * parameters.blocks.y;
  return is_full(block - 1u) && is_full(block + 1u) &&
    is_full(block - parameters.blocks.x) && is_full(block + parameters.blocks.x) &&
    is_full(block - slice) && is_full(block + slice);
}

fn may_show(block: u32) -> bool {
  let range = ranges[block];
  let holds = range.x <= parameters.high && range.y >= parameters.low && range.x <= range.y;
  return holds && !is_within(block);
}
`,
};

/**
 * Of each selected block, the faces between a kept cell and one that is not kept, or none. Directions are numbered
 * 2 · axis + (1: towards higher coordinates); axes u and v follow the face's, so that u × v points along it. One
 * vertex for each corner and direction in the block.
 */
const emitThreshold: Fragment = {
  name: "emit threshold",
  requires: [
    thresholdParameters,
    blockLayout,
    surfaceState,
    takeRanges,
    selectedBlocks,
    colorValues,
    fieldValues,
    finite,
    vertexRecord,
    triangleRecord,
  ],
  code: /* wgsl */ `
override threads = 128u;

@group(0) @binding(1) var<storage, read> field: array<u32>;
@group(0) @binding(2) var<storage, read> color: array<f32>;
@group(0) @binding(3) var<storage, read> coordinates: array<f32>;
@group(0) @binding(4) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(5) var<storage, read_write> state: SurfaceState;
@group(0) @binding(6) var<storage, read_write> vertices: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> indices: array<u32>;

/** The block with one more cell on every side. */
const wide_cells = block_cells + 2u;
const wide_points = block_cells + 3u;
const wide_cell_count = wide_cells.x * wide_cells.y * wide_cells.z;
const wide_point_count = wide_points.x * wide_points.y * wide_points.z;

/** Of the wide block: 1 where a point's value is not in the range | 2 where one is. Without both there is no face. */
var<workgroup> seen: atomic<u32>;
/** Of the wide block: whether a point's value is in the range, and whether a cell is kept. */
var<workgroup> is_inside: array<u32, wide_point_count>;
var<workgroup> is_kept: array<u32, wide_cell_count>;
/** For each cell of the block, which of its six faces are shown. */
var<workgroup> faces_of: array<u32, cell_count>;
/** For each point of the block: its first vertex · 64 + of which directions it has one. */
var<workgroup> corners_of: array<u32, point_count>;
/** By number, cell or point | direction << 16. */
var<workgroup> face_list: array<u32, 6u * cell_count>;
var<workgroup> vertex_list: array<u32, 6u * point_count>;
/** Vertices | faces << 16, so far; then the block's first vertex and first index. */
var<workgroup> tally: atomic<u32>;
var<workgroup> first: vec2u;

fn unit(axis: u32) -> vec3u {
  return vec3u(vec3u(axis) == vec3u(0u, 1u, 2u));
}

/** Whether the value of a point of the wide block is in the range: not beyond the grid, nor where it is not finite. */
fn inside_at(at: vec3u, origin: vec3u) -> bool {
  let node = origin + at;
  if (any(node < vec3u(1u)) || any(node > parameters.dims)) {
    return false;
  }
  let value = field_value(number_of(node - 1u, parameters.dims));
  return is_finite(value) && value >= parameters.low && value <= parameters.high;
}

fn kept_at(cell: vec3u) -> u32 {
  var kept = 1u;
  for (var corner = 0u; corner < 8u; corner++) {
    kept &= is_inside[number_of(cell + (vec3u(corner, corner >> 1u, corner >> 2u) & vec3u(1u)), wide_points)];
  }
  return kept;
}

/** Which faces of a cell of the block are shown, as six bits. */
fn shown_faces(cell: vec3u, origin: vec3u) -> u32 {
  let wide = cell + 1u;
  let is_own = all(origin + cell - parameters.first_cell < parameters.cell_counts);
  if (!is_own || is_kept[number_of(wide, wide_cells)] == 0u) {
    return 0u;
  }
  var faces = 0u;
  for (var axis = 0u; axis < 3u; axis++) {
    faces |= (1u - is_kept[number_of(wide - unit(axis), wide_cells)]) << (2u * axis);
    faces |= (1u - is_kept[number_of(wide + unit(axis), wide_cells)]) << (2u * axis + 1u);
  }
  return faces;
}

/** In which directions a point of the block is a corner of shown faces, as six bits. */
fn corner_directions(at: vec3u) -> u32 {
  var directions = 0u;
  for (var corner = 0u; corner < 8u; corner++) {
    let back = vec3u(corner, corner >> 1u, corner >> 2u) & vec3u(1u);
    // The cell has this point at its corner \`back\`; beyond the block there is none.
    if (all(at >= back) && all(at - back < block_cells)) {
      // On each axis, the face that the point lies on.
      let own = (1u << back.x) | (4u << back.y) | (16u << back.z);
      directions |= faces_of[number_of(at - back, block_cells)] & own;
    }
  }
  return directions;
}

fn emit_vertex(vertex: u32, entry: u32, origin: vec3u) {
  let node = origin + position_of(entry & 0xffffu, block_points);
  let direction = entry >> 16u;
  let position = vec3f(
    coordinates[parameters.axes.x + node.x],
    coordinates[parameters.axes.y + node.y],
    coordinates[parameters.axes.z + node.z],
  );
  let normal = vec3f(unit(direction >> 1u)) * select(-1.0, 1.0, (direction & 1u) == 1u);
  let point = number_of(node, parameters.dims);
  write_vertex(vertex, position, normal, color_at(point), 6u * point + direction);
}

fn vertex_of(point: vec3u, direction: u32) -> u32 {
  let entry = corners_of[number_of(point, block_points)];
  return first.x + (entry >> 6u) + countOneBits(entry & ((1u << direction) - 1u));
}

fn emit_face(index: u32, entry: u32) {
  let cell = position_of(entry & 0xffffu, block_cells);
  let direction = entry >> 16u;
  let axis = direction >> 1u;
  let is_high = (direction & 1u) == 1u;
  let u = unit((axis + 1u) % 3u);
  let v = unit((axis + 2u) % 3u);
  let corner = cell + select(vec3u(0u), unit(axis), is_high);
  let second = vertex_of(corner + select(v, u, is_high), direction);
  let fourth = vertex_of(corner + select(u, v, is_high), direction);
  let one = vertex_of(corner, direction);
  let third = vertex_of(corner + u + v, direction);
  write_triangle(index, vec3u(one, second, third));
  write_triangle(index + 3u, vec3u(one, third, fourth));
}

fn emit_block(origin: vec3u, lane: u32) {
  workgroupBarrier();
  if (lane == 0u) {
    atomicStore(&tally, 0u);
  }
  var own = 0u;
  for (var p = lane; p < wide_point_count; p += threads) {
    let inside = u32(inside_at(position_of(p, wide_points), origin));
    is_inside[p] = inside;
    own |= 1u + inside;
  }
  atomicOr(&seen, own);
  workgroupBarrier();
  let may_show = atomicLoad(&seen) == 3u;
  for (var cell = lane; may_show && cell < wide_cell_count; cell += threads) {
    is_kept[cell] = kept_at(position_of(cell, wide_cells));
  }
  workgroupBarrier();
  if (lane == 0u) {
    atomicStore(&seen, 0u);
  }
  for (var cell = lane; may_show && cell < cell_count; cell += threads) {
    let faces = shown_faces(position_of(cell, block_cells), origin);
    faces_of[cell] = faces;
    if (faces != 0u) {
      var face = atomicAdd(&tally, countOneBits(faces) << 16u) >> 16u;
      for (var direction = 0u; direction < 6u; direction++) {
        if (((faces >> direction) & 1u) != 0u) {
          face_list[face] = cell | (direction << 16u);
          face++;
        }
      }
    }
  }
  workgroupBarrier();
  let face_count = atomicLoad(&tally) >> 16u;
  workgroupBarrier();
  if (face_count > 0u) {
    for (var p = lane; p < point_count; p += threads) {
      let directions = corner_directions(position_of(p, block_points));
      if (directions != 0u) {
        var vertex = atomicAdd(&tally, countOneBits(directions)) & 0xffffu;
        corners_of[p] = (vertex << 6u) | directions;
        for (var direction = 0u; direction < 6u; direction++) {
          if (((directions >> direction) & 1u) != 0u) {
            vertex_list[vertex] = p | (direction << 16u);
            vertex++;
          }
        }
      }
    }
  }
  workgroupBarrier();

  let vertex_count = atomicLoad(&tally) & 0xffffu;
  if (lane == 0u && face_count > 0u) {
    first = take_ranges(vertex_count, 6u * face_count);
  }
  workgroupBarrier();

  for (var v = lane; v < vertex_count; v += threads) {
    if (first.x + v < parameters.vertex_capacity) {
      emit_vertex(first.x + v, vertex_list[v], origin);
    }
  }
  for (var f = lane; f < face_count; f += threads) {
    emit_face(first.y + 6u * f, face_list[f]);
  }
}

/** As many workgroups as keep the GPU busy share the selected blocks. */
@compute @workgroup_size(threads)
fn emit_threshold(
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

export const selectThresholdBlocksShader = {
  label: "threshold: select blocks",
  code: linkFragments(selectThresholdBlocks),
  entryPoint: "select_blocks",
};

export const emitThresholdShader = {
  label: "threshold: emit",
  code: linkFragments(emitThreshold),
  entryPoint: "emit_threshold",
};
