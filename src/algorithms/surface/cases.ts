import { floorF32 } from "../../core/floor-f32.ts";
import { caseTable, maxTriangles } from "../../core/marching-cubes/table.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import { areFinite, cornersReach, gridConstants, indicesOf } from "./surface-grid.ts";

/** Words of a case: the cut edges of its triangles, then how many of them there are. */
const caseWords = 3 * maxTriangles + 1;

function buildWords(): Uint32Array {
  const words = new Uint32Array(256 * caseWords);
  for (let above = 0; above < 256; above++) {
    const count = 3 * caseTable.counts[above];
    const first = above * 3 * maxTriangles;
    words.set(caseTable.edges.subarray(first, first + count), above * caseWords);
    words[above * caseWords + caseWords - 1] = count;
  }
  return words;
}

/** The case table for kernels. */
export const caseTableWords: Uint32Array = buildWords();

/**
 * Isovalues as pairs of f32: what values are compared to, and what rounding to it took, so that every value is on the
 * same side of it as of the isovalue.
 */
export const isovalueWords = (isovalues: readonly number[]): Float32Array =>
  Float32Array.from(isovalues.flatMap((isovalue) => [floorF32(isovalue), isovalue - floorF32(isovalue)]));

/** Corners from a cell's first node, in the order of their numbers. */
const cornerSteps = (row: number, slice: number): readonly number[] =>
  Array.from({ length: 8 }, (_, c) => (c & 1) + ((c >> 1) & 1) * row + (c >> 2) * slice);

/** The cell's corners above an isovalue, as bits; none where one is not finite. */
function aboveOf(values: Float32Array, cell: number, steps: readonly number[], isovalue: number): number {
  let above = 0;
  for (let c = 0; c < 8; c++) {
    const value = values[cell + steps[c]];
    if (value - value !== 0) return 0;
    if (value > isovalue) above |= 1 << c;
  }
  return above;
}

const corners = `
struct Corners { low: vec4f, high: vec4f }
fn corners_of(cell: u32) -> Corners {
  let c = vec4u(cell, cell + 1u, cell + constants.row, cell + constants.row + 1u);
  let d = c + constants.slice;
  return Corners(
    vec4f(values(c.x), values(c.y), values(c.z), values(c.w)),
    vec4f(values(d.x), values(d.y), values(d.z), values(d.w)),
  );
}
fn above_of(corners: Corners, isovalue: f32) -> u32 {
  let bits = select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), corners.low > vec4f(isovalue))
    | select(vec4u(0u), vec4u(16u, 32u, 64u, 128u), corners.high > vec4f(isovalue));
  return bits.x | bits.y | bits.z | bits.w;
}
`;

/**
 * How many vertices each cell makes for all isovalues together. Cells that do not exist, at the ends of rows, columns
 * and slices, make none.
 */
export const classify = defineKernel({
  name: "classify cells",
  inputs: {
    values: { type: "f32", reach: cornersReach },
    isovalues: { type: "f32", components: 2, reach: "all" },
    cases: { type: "u32", reach: "all" },
  },
  constants: { ...gridConstants, levels: { type: "u32" } },
  outputs: { vertices: { type: "u32" } },
  js({
    inputs: { values, isovalues, cases },
    constants: { dims, row, slice, levels },
    outputs: { vertices },
  }) {
    const steps = cornerSteps(row, slice);
    const [nx, ny, nz] = dims;
    return (cell, place) => {
      if (cell % nx === nx - 1 || cell % slice >= slice - row || cell >= slice * (nz - 1) || ny < 2) return;
      let sum = 0;
      for (let level = 0; level < levels; level++) {
        const above = aboveOf(values, cell, steps, isovalues[2 * level]);
        if (above !== 0) sum += cases[above * caseWords + caseWords - 1];
      }
      vertices[place] = sum;
    };
  },
  wgsl: `
    if (any(indices_of(element) + 1u >= constants.dims)) { return out; }
    let corners = corners_of(element);
    if (!are_finite(corners.low) | !are_finite(corners.high)) { return out; }
    for (var level = 0u; level < constants.levels; level++) {
      let above = above_of(corners, isovalues(level).x);
      if ((above != 0u) & (above != 255u)) { out.vertices += cases(above * ${caseWords}u + ${caseWords - 1}u); }
    }`,
  wgslFunctions: indicesOf + areFinite + corners,
});

/**
 * For each vertex, at its cell: the grid edge it lies on, 3 · (edge's lower node) + (edge's axis), counted on by three
 * times the nodes for each isovalue before its own; and that node.
 */
export const locate = defineKernel({
  name: "locate vertices",
  inputs: {
    values: { type: "f32", reach: cornersReach },
    firsts: { type: "u32", reach: "own" },
    isovalues: { type: "f32", components: 2, reach: "all" },
    cases: { type: "u32", reach: "all" },
  },
  constants: { ...gridConstants, levels: { type: "u32" } },
  outputs: { ids: { type: "u32" }, nodes: { type: "u32" } },
  js({ inputs, constants: { dims, row, slice, levels }, outputs: { ids, nodes } }) {
    const { values, firsts, isovalues, cases } = inputs;
    const steps = cornerSteps(row, slice);
    const nodeCount = slice * dims[2];
    return (cell, place) => {
      let visit = place - firsts[place];
      let level = 0;
      let first = 0;
      for (; level < levels; level++) {
        first = aboveOf(values, cell, steps, isovalues[2 * level]) * caseWords;
        const count = cases[first + caseWords - 1];
        if (visit < count) break;
        visit -= count;
      }
      const edge = cases[first + visit];
      const axis = edge >> 2;
      const low = edge & 1;
      const high = (edge >> 1) & 1;
      const node = cell + low * (axis === 0 ? row : 1) + high * (axis === 2 ? row : slice);
      nodes[place] = node;
      ids[place] = 3 * (node + level * nodeCount) + axis;
    };
  },
  wgsl: `
    let corners = corners_of(element);
    var visit = place - firsts(place);
    var first = 0u;
    var level = 0u;
    for (; level < constants.levels; level++) {
      first = above_of(corners, isovalues(level).x) * ${caseWords}u;
      let count = cases(first + ${caseWords - 1}u);
      if (visit < count) { break; }
      visit -= count;
    }
    let edge = cases(first + visit);
    let axis = edge >> 2u;
    out.nodes = element + (edge & 1u) * select(1u, constants.row, axis == 0u)
      + ((edge >> 1u) & 1u) * select(constants.slice, constants.row, axis == 2u);
    out.ids = 3u * (out.nodes + level * constants.slice * constants.dims.z) + axis;`,
  wgslFunctions: corners,
});
