import { finite } from "../../../shader/finite.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { blockLayout } from "../../blocks/block-layout.ts";
import { selectedBlocks } from "../../blocks/block-selection.ts";
import { takeRanges } from "../../demand.ts";
import { fieldValues } from "../../field-values.ts";
import { triangleTableWords } from "../../triangle-table.ts";
import { parameters } from "../parameters.ts";
import { blockTable } from "./block-table.ts";
import { isosurfaceState } from "./isosurface-state.ts";

/**
 * Blocks that a workgroup takes at a time: they share its waits, and its two atomic additions. On an H100 512³ nodes take
 * 0.26 ms by fours and 256 threads, 0.38 by eights and 128, 0.36 one by one.
 */
const markBatch = 4;

const bindings: Fragment = {
  name: "mark edges: bindings",
  requires: [parameters, blockLayout, blockTable, isosurfaceState, selectedBlocks],
  code: /* wgsl */ `
override threads = 256u;
/** Whether ambiguous cells are listed instead of numbering their triangles; \`cases\` are those of \`ambiguousCellTable\` then. */
override is_exact = false;

@group(0) @binding(1) var<storage, read> field: array<u32>;
@group(0) @binding(2) var<storage, read> cases: array<u32>;
@group(0) @binding(3) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(4) var<storage, read_write> state: IsosurfaceState;
@group(0) @binding(5) var<storage, read_write> vertices: array<u32>;
@group(0) @binding(6) var<storage, read_write> indices: array<u32>;
@group(0) @binding(7) var<storage, read_write> tables: array<u32>;

const batch = ${markBatch}u;

var<workgroup> origins: array<vec3u, batch>;
/** The values at each block's points and those beyond; outside the grid, those of its last points. */
var<workgroup> values: array<f32, batch * point_count>;
/** Of each cell: its case, the cut edges that begin at its corner 0 << 10, its first triangle << 16. */
var<workgroup> cells: array<u32, batch * cell_count>;
var<workgroup> rows: array<atomic<u32>, batch * row_count>;
/** Vertices before a row in its slab. */
var<workgroup> before: array<u32, batch * row_count>;
/** Vertices before a slab in the batch. */
var<workgroup> slabs: array<u32, batch * slab_count>;
/** Vertices and triangles of the batch; then the numbers of its first ones. */
var<workgroup> vertex_tally: atomic<u32>;
var<workgroup> triangle_tally: atomic<u32>;
var<workgroup> first: vec2u;
var<workgroup> open_tally: atomic<u32>;
var<workgroup> first_open: u32;
`,
};

/**
 * Numbers the cut edges that begin at the points of selected blocks and the triangles of their cells, writes each edge
 * where its vertex will be, each triangle's block, cell and case where its indices will be, and the blocks' tables.
 */
const markEdges = (own: string): Fragment => ({
  name: "mark edges",
  requires: [bindings, fieldValues, finite, takeRanges],
  code: /* wgsl */ `
fn load(b: u32, at: vec3u) {
  let point = min(origins[b] + at, parameters.dims - 1u);
  values[b * point_count + number_of(at, block_points)] =
    field_value(number_of(point, parameters.dims));
}

fn load_values(lane: u32) {
  for (var c = lane; c < batch * cell_count; c += threads) {
    load(c / cell_count, position_of(c % cell_count, block_cells));
  }
  // The points on the three far sides: those of the greatest z, of the greatest y, of the greatest x.
  const top = block_cells.x * block_cells.y;
  const back = block_cells.x * block_points.z;
  const side = block_points.y * block_points.z;
  for (var c = lane; c < batch * cell_count; c += threads) {
    let h = c % cell_count;
    var at = vec3u(h % block_cells.x, h / block_cells.x, block_cells.z);
    if (h >= top) {
      let i = h - top;
      at = vec3u(i % block_cells.x, block_cells.y, i / block_cells.x);
    }
    if (h >= top + back) {
      let i = h - top - back;
      at = vec3u(block_cells.x, i % block_points.y, i / block_points.y);
    }
    if (h < top + back + side) {
      load(c / cell_count, at);
    }
  }
}

fn triangles_of(above: u32) -> u32 {
  if (is_exact) {
    return cases[above] & 31u;
  }
  return cases[above * ${triangleTableWords}u + ${triangleTableWords - 1}u];
}

fn is_open(above: u32) -> bool {
  if (is_exact) {
    return (cases[above] >> 31u) == 1u;
  }
  return false;
}

/** Which of a point's corner bits differ from the first, as the bits of three edges. */
fn edge_bits(corners: u32) -> u32 {
  return ((corners >> 1u) & 3u) | ((corners >> 2u) & 4u);
}

fn classify(c: u32, valid: u32, isovalue: f32) {
  let b = c / cell_count;
  let at = position_of(c % cell_count, block_cells);
  let base = b * point_count + number_of(at, block_points);
  var above = 0u;
  var largest = 0u;
  for (var corner = 0u; corner < 8u; corner++) {
    let value = values[base + (corner & 1u) + block_points.x * ((corner >> 1u) & 1u) +
      block_points.x * block_points.y * (corner >> 2u)];
    above |= u32(value > isovalue) << corner;
    largest = max(largest, bitcast<u32>(value) & 0x7fffffffu);
  }
  var cut = edge_bits(above ^ (255u * (above & 1u)));
  let is_cell = all(origins[b] + at + 1u < parameters.dims);
  if (largest >= 0x7f800000u) {
    let steps = vec3u(1u, block_points.x, block_points.x * block_points.y);
    for (var axis = 0u; axis < 3u; axis++) {
      if (!is_finite(values[base]) || !is_finite(values[base + steps[axis]])) {
        cut &= ~(1u << axis);
      }
    }
    above = 0u;
  }
  above = select(0u, above, is_cell && above != 255u);
  // A point beyond the grid repeats the last one's edges.
  if (b >= valid || any(origins[b] + at >= parameters.dims)) {
    above = 0u;
    cut = 0u;
  }
  ${own}
  if (cut != 0u) {
    atomicOr(&rows[c / block_cells.x], cut << (3u * at.x));
  }
  var start = 0u;
  if (above != 0u) {
    if (is_open(above)) {
      start = atomicAdd(&open_tally, 1u);
    } else {
      start = atomicAdd(&triangle_tally, triangles_of(above));
    }
  }
  cells[c] = above | (cut << 10u) | (start << 16u);
}

fn write(c: u32, item: u32) {
  let info = cells[c];
  let cut = (info >> 10u) & 7u;
  if (cut != 0u) {
    let b = c / cell_count;
    let at = position_of(c % cell_count, block_cells);
    let row = c / block_cells.x;
    let bits = atomicLoad(&rows[row]) & ((1u << (3u * at.x)) - 1u);
    var vertex = first.x + slabs[row / slab_rows] + before[row] + countOneBits(bits);
    let edge = 3u * number_of(origins[b] + at, parameters.dims);
    for (var axis = 0u; axis < 3u; axis++) {
      if (((cut >> axis) & 1u) != 0u) {
        if (vertex < parameters.vertex_capacity) {
          vertices[8u * vertex + 7u] = edge + axis;
        }
        vertex++;
      }
    }
  }
  let above = info & 1023u;
  if (is_open(above)) {
    let place = first_open + (info >> 16u);
    if (place < parameters.open_capacity) {
      tables[parameters.first_open + 2u * place] = item + c / cell_count;
      tables[parameters.first_open + 2u * place + 1u] = c % cell_count;
    }
  } else if (above != 0u) {
    let count = triangles_of(above);
    let index = first.y + 3u * (info >> 16u);
    for (var t = 0u; t < count; t++) {
      if (index + 3u * t + 3u <= parameters.index_capacity) {
        indices[index + 3u * t] = item + c / cell_count;
        indices[index + 3u * t + 1u] = (c % cell_count) | (t << 11u) | (above << 16u);
      }
    }
  }
}

fn mark_blocks(item: u32, valid: u32, lane: u32, isovalue: f32) {
  workgroupBarrier();
  for (var b = lane; b < batch; b += threads) {
    origins[b] = position_of(selection.blocks[item + min(b, valid - 1u)], parameters.blocks) * block_cells;
  }
  for (var row = lane; row < batch * row_count; row += threads) {
    atomicStore(&rows[row], 0u);
  }
  if (lane == 0u) {
    atomicStore(&vertex_tally, 0u);
    atomicStore(&triangle_tally, 0u);
    if (is_exact) {
      atomicStore(&open_tally, 0u);
    }
  }
  workgroupBarrier();
  load_values(lane);
  workgroupBarrier();
  for (var c = lane; c < batch * cell_count; c += threads) {
    classify(c, valid, isovalue);
  }
  workgroupBarrier();
  for (var row = lane; row < batch * row_count; row += threads) {
    var count = 0u;
    for (var r = row - row % slab_rows; r < row; r++) {
      count += countOneBits(atomicLoad(&rows[r]));
    }
    before[row] = count;
    if (row % slab_rows == slab_rows - 1u) {
      slabs[row / slab_rows] = atomicAdd(&vertex_tally, count + countOneBits(atomicLoad(&rows[row])));
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let count = 3u * atomicLoad(&triangle_tally);
    first = take_ranges(atomicLoad(&vertex_tally), count);
    if (is_exact) {
      first_open = atomicAdd(&state.open_demand, atomicLoad(&open_tally));
    }
  }
  workgroupBarrier();
  for (var c = lane; c < batch * cell_count; c += threads) {
    write(c, item);
  }
  for (var row = lane; row < valid * row_count; row += threads) {
    let table = (item + row / row_count) * table_words;
    let slab = row / slab_rows;
    tables[table + slab_count + row % row_count] = atomicLoad(&rows[row]) | (before[row] << 24u);
    if (row % slab_rows == 0u) {
      tables[table + slab % slab_count] = first.x + slabs[slab];
    }
  }
}

/** As many workgroups as keep the GPU busy share the selected blocks: an indirect dispatch costs Dawn 1 ms. */
@compute @workgroup_size(threads)
fn mark_edges(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let isovalue = parameters.isovalues[state.isovalue].x;
  if (group.x == 0u && lane == 0u) {
    atomicMax(&state.block_demand, selection.count);
  }
  let count = min(selection.count, parameters.block_capacity);
  for (var item = batch * group.x; item < count; item += batch * groups.x) {
    mark_blocks(item, min(batch, count - item), lane, isovalue);
  }
}
`,
});

/** `own` drops what is not the surface's of `above`, the case of the cell at `origins[b] + at`, and of `cut`, its edges. */
export const markEdgesShader = (own = "") => ({
  label: "isosurface: mark edges",
  code: linkFragments(markEdges(own)),
  entryPoint: "mark_edges",
});
