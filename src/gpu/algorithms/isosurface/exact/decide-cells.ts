import { faces } from "../../../../core/marching-cubes/cube.ts";
import { flatRing, jointKinds } from "../../../../core/marching-cubes/trilinear/inner-joint.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { selectedBlocks } from "../../surface/block-selection.ts";
import { demand } from "../../surface/demand.ts";
import { isosurfaceState } from "../kernels/isosurface-state.ts";
import { innerJoint } from "./inner-joint.ts";

const wgslFaces = faces.map((corners) => `vec4u(${corners.map((corner) => `${corner}u`)})`);

/** Which patch an open cell has, of \`cases\` (`packOpenCells`). */
const decision: Fragment = {
  name: "decision",
  requires: [innerJoint],
  code: /* wgsl */ `
const faces = array<vec4u, 6>(${wgslFaces});

struct Decision {
  patch_number: u32,
  /** 0 without a tunnel, else one more than the z edges that it runs between. */
  ring: u32,
}

/** The magnitude of a product, to compare word by word: its exponent, then 48 bits. */
fn product_of(a: f32, b: f32) -> vec3u {
  let x = bitcast<u32>(a) & 0x7fffffffu;
  let y = bitcast<u32>(b) & 0x7fffffffu;
  if (min(x, y) < 0x00800000u) {
    return vec3u(0u);
  }
  let product = wide_product((x & 0x7fffffu) | 0x800000u, (y & 0x7fffffu) | 0x800000u);
  let is_short = (product.y >> 15u) == 0u;
  let digits = select(product, wide_sum(product, product), is_short);
  return vec3u((x >> 23u) + (y >> 23u) + u32(!is_short), digits.y, digits.x);
}

fn is_greater(a: vec3u, b: vec3u) -> bool {
  if (a.x != b.x) {
    return a.x > b.x;
  }
  return a.y > b.y || (a.y == b.y && a.z > b.z);
}

/** Which of the cell's ambiguous faces join their corners above, a bit each in the faces' order. */
fn joined_faces(above: u32) -> u32 {
  var joined = 0u;
  var bit = 0u;
  for (var face = 0u; face < 6u; face++) {
    let corners = faces[face];
    let is_above = (vec4u(above) >> corners) & vec4u(1u);
    if (all(is_above.xy == is_above.zw) && is_above.x != is_above.y) {
      let one = product_of(corner_values[corners.x], corner_values[corners.z]);
      let other = product_of(corner_values[corners.y], corner_values[corners.w]);
      if (is_above.x == 1u) {
        joined |= u32(is_greater(one, other)) << bit;
      } else {
        joined |= u32(is_greater(other, one)) << bit;
      }
      bit++;
    }
  }
  return joined;
}

/** Needs the corners' values. */
fn decide(above: u32) -> Decision {
  let outline = cases[(cases[above] & 0x7fffffffu) + joined_faces(above)];
  let tunnels = outline >> 12u;
  if (tunnels != 0u) {
    scale_corners();
    for (var odd = 0u; odd < 2u; odd++) {
      let joint = joint_along(above, odd);
      if (joint.is_there) {
        let falls = vec2u(saddle_of(joint.low) > saddle_of(joint.high) - ${flatRing});
        let kind = ${jointKinds / 2}u * odd + 4u * u32(joint.is_above) + 2u * falls.y + falls.x;
        let number = cases[tunnels + kind];
        if (number != 0u) {
          return Decision(number, odd + 1u);
        }
      }
    }
  }
  return Decision(outline & 0xfffu, 0u);
}
`,
};

/**
 * Chooses each open cell's patch, numbers its triangles and its inner vertices, and writes both as \`mark_edges\` writes
 * those of other cells: where its indices will be, and where its vertices will be.
 */
const decideCells: Fragment = {
  name: "decide cells",
  requires: [decision, selectedBlocks, isosurfaceState, demand],
  code: /* wgsl */ `
override threads = 128u;

@group(0) @binding(1) var<storage, read> field: array<u32>;
@group(0) @binding(2) var<storage, read> cases: array<u32>;
@group(0) @binding(3) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(4) var<storage, read_write> state: IsosurfaceState;
@group(0) @binding(5) var<storage, read_write> vertices: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> indices: array<u32>;
/** Only read: in soups the three last are parts of one buffer, which cannot be bound for reading, too. */
@group(0) @binding(7) var<storage, read_write> work: array<u32>;

var<workgroup> open_count: u32;
/** Triangles and inner vertices of the workgroup's cells; then the numbers of their first ones. */
var<workgroup> triangle_tally: atomic<u32>;
var<workgroup> inner_tally: atomic<u32>;
var<workgroup> first: vec2u;

fn write(cell: vec2u, corner: vec3u, decision: Decision, counts: vec2u, starts: vec2u) {
  let first_vertex = first.x + starts.x;
  let nodes = parameters.dims.x * parameters.dims.y * parameters.dims.z;
  for (var slot = 0u; slot < counts.x; slot++) {
    let vertex = first_vertex + slot;
    if (vertex < parameters.vertex_capacity) {
      vertices[2u * vertex] = vec4u(decision.patch_number, decision.ring, 0u, 0u);
      vertices[2u * vertex + 1u] = vec4u(0u, 0u, 0u, (3u + slot) * nodes + number_of(corner, parameters.dims));
    }
  }
  let index = first.y + 3u * starts.y;
  for (var t = 0u; t < counts.y; t++) {
    if (index + 3u * t + 3u <= parameters.index_capacity) {
      indices[index + 3u * t] = cell.x;
      indices[index + 3u * t + 1u] = (cell.y & 127u) | (t << 11u) | (decision.patch_number << 16u);
      indices[index + 3u * t + 2u] = first_vertex;
    }
  }
}

/** As many workgroups as keep the GPU busy share the open cells of the present isovalue. */
@compute @workgroup_size(threads)
fn decide_cells(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    open_count = min(atomicLoad(&state.open_demand), parameters.open_capacity);
  }
  let count = workgroupUniformLoad(&open_count);
  let isovalue = parameters.isovalues[state.isovalue].xy;
  for (var base = threads * group.x; base < count; base += threads * groups.x) {
    if (lane == 0u) {
      atomicStore(&triangle_tally, 0u);
      atomicStore(&inner_tally, 0u);
    }
    workgroupBarrier();
    let at = base + lane;
    var cell = vec2u(0u);
    var corner = vec3u(0u);
    var decision = Decision(0u, 0u);
    var counts = vec2u(0u);
    var starts = vec2u(0u);
    if (at < count) {
      cell = vec2u(work[parameters.first_open + 2u * at], work[parameters.first_open + 2u * at + 1u]);
      corner = position_of(selection.blocks[cell.x], parameters.blocks) * block_cells +
        position_of(cell.y & 127u, block_cells);
      let above = load_corners(corner, isovalue);
      decision = decide(above);
      let header = cases[decision.patch_number];
      counts = vec2u((header >> 5u) & 7u, header & 31u);
      starts = vec2u(atomicAdd(&inner_tally, counts.x), atomicAdd(&triangle_tally, counts.y));
    }
    workgroupBarrier();
    if (lane == 0u) {
      let inner = atomicLoad(&inner_tally);
      let index_count = 3u * atomicLoad(&triangle_tally);
      atomicAdd(&state.inner_count, inner);
      first.x = take_vertices(inner);
      first.y = take_indices(index_count);
      atomicMax(&state.index_count, min(first.y + index_count, parameters.index_capacity));
    }
    workgroupBarrier();
    write(cell, corner, decision, counts, starts);
    workgroupBarrier();
  }
}
`,
};

export const decideCellsShader = {
  label: "isosurface: decide cells",
  code: linkFragments(decideCells),
  entryPoint: "decide_cells",
};
