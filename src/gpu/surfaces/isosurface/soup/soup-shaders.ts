import { facetNormalCode } from "../../../../core/facet-normal.ts";
import { linearGroup } from "../../../shader/dispatch.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { stateMembers } from "../../surface-state.ts";
import { verticesPerTable } from "../kernels/block-table.ts";
import { indicesPerAmbiguousCell } from "../kernels/inner-vertices.ts";
import { isosurfaceMembers } from "../kernels/isosurface-state.ts";
import { triangleVertices } from "../kernels/triangle-vertices.ts";

/** A soup has room for a vertex on an edge with every so many of its own: closed surfaces share theirs by six. */
export const cornersPerVertex = 4;

/** Words that marks begin at a multiple of, as bindings do. */
export const alignedWords = 64;

/** `isosurfaceState` and `surfaceState`, as they are read and written when nothing else runs. */
const states: Fragment = {
  name: "soup: states",
  code: /* wgsl */ `
struct Marked {${isosurfaceMembers("u32")}
}

struct SoupState {${stateMembers("u32")}
}
`,
};

/**
 * Three vertices for each marked triangle, from those on its edges. A workgroup finds the vertices of as many triangles
 * as it has threads, then copies 16 bytes a thread, so that it writes whole lines: three records a thread would be
 * written in pieces.
 */
const emitSoup: Fragment = {
  name: "emit soup",
  requires: [triangleVertices, states, { name: "facet normal", code: facetNormalCode }],
  code: /* wgsl */ `
override threads = 128u;
override is_flat = false;

@group(0) @binding(1) var<storage, read> cases: array<u32>;
@group(0) @binding(2) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
/** The blocks' tables and what else marking needs, then the marks. */
@group(0) @binding(4) var<storage, read> tables: array<u32>;
@group(0) @binding(5) var<storage, read> marked: Marked;
@group(0) @binding(6) var<storage, read> vertices: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> state: SoupState;
@group(0) @binding(8) var<storage, read_write> soup: array<vec4u>;

var<workgroup> corners: array<u32, 3u * threads>;
var<workgroup> facets: array<vec3f, threads>;

fn mark_word(word: u32) -> u32 {
  return tables[word];
}

fn position(vertex: u32) -> vec3f {
  return bitcast<vec3f>(vertices[2u * vertex].xyz);
}

fn find_corners(lane: u32, index: u32, first_mark: u32) {
  let numbers = triangle_vertices(first_mark + index);
  corners[3u * lane] = numbers.x;
  corners[3u * lane + 1u] = numbers.y;
  corners[3u * lane + 2u] = numbers.z;
  if (is_flat) {
    let corner = position(numbers.x);
    facets[lane] = facet_normal(position(numbers.y) - corner, position(numbers.z) - corner);
  }
}

/** Half a record: the position and the normal's x, or its y and z, the scalar and the edge. */
fn half_record(corner: u32, half: u32) -> vec4u {
  let record = vertices[2u * corners[corner] + half];
  if (is_flat) {
    let facet = facets[corner / 3u];
    if (any(facet != vec3f(0.0))) {
      let normal = bitcast<vec3u>(facet);
      return select(vec4u(record.xyz, normal.x), vec4u(normal.yz, record.zw), half == 1u);
    }
  }
  return record;
}

/** Vertices beyond those that there is room for ask for more, as blocks do that have no table. */
fn tell() {
  let with_tables = select(0u, marked.block_demand * ${verticesPerTable}u, marked.block_demand > parameters.block_capacity);
  let needed = max(marked.vertex_demand, with_tables);
  let wanted = min(needed, ${Math.floor((2 ** 32 - 1) / cornersPerVertex)}u) * ${cornersPerVertex}u;
  state.index_count = marked.index_count;
  state.instance_count = 1u;
  let unlisted = min(max(marked.open_demand, parameters.open_capacity) - parameters.open_capacity, ${Math.floor(2 ** 30 / indicesPerAmbiguousCell)}u);
  let indices = marked.index_demand + select(0u, ${indicesPerAmbiguousCell}u * unlisted, is_exact);
  state.index_demand = indices;
  state.vertex_demand = max(indices, select(0u, wanted, needed > parameters.vertex_capacity));
}

/** As many workgroups as keep the GPU busy share the triangles of the present isovalue. */
@compute @workgroup_size(threads)
fn emit_soup(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (group.x == 0u && lane == 0u) {
    tell();
  }
  let work_end = parameters.first_open + 2u * parameters.open_capacity;
  let first_mark = (work_end + ${alignedWords - 1}u) / ${alignedWords}u * ${alignedWords}u;
  let begin = select(0u, marked.ends[2u * max(marked.isovalue, 1u) - 1u], marked.isovalue > 0u);
  let end = min(marked.index_count, parameters.index_capacity);
  let batch = 3u * threads;
  for (var first = begin + batch * group.x; first < end; first += batch * groups.x) {
    let index = first + 3u * lane;
    if (index < end) {
      find_corners(lane, index, first_mark);
    }
    workgroupBarrier();
    let count = 2u * min(batch, end - first);
    for (var i = lane; i < count; i += threads) {
      soup[2u * first + i] = half_record(i >> 1u, i & 1u);
    }
    workgroupBarrier();
  }
}
`,
};

export const emitSoupShader = {
  label: "isosurface: emit soup",
  code: linkFragments(emitSoup),
  entryPoint: "emit_soup",
};

export const numberThreads = 256;

/** Each vertex is its own: the indices of every soup. */
const number: Fragment = {
  name: "number vertices",
  requires: [linearGroup],
  code: /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> indices: array<u32>;

@compute @workgroup_size(${numberThreads})
fn number_vertices(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = linear_group(group, groups) * ${numberThreads}u + lane;
  if (i < arrayLength(&indices)) {
    indices[i] = i;
  }
}
`,
};

export const numberShader = {
  label: "isosurface: number vertices",
  code: linkFragments(number),
  entryPoint: "number_vertices",
};
