import { decisionCode } from "../../../core/marching-cubes/trilinear/decision-code.ts";
import { patchIn, vertexCountIn, vertexIn } from "../../../core/marching-cubes/trilinear/open-cell-table.ts";
import { firstInnerBits } from "../../../core/marching-cubes/trilinear/patch.ts";
import { defineKernel } from "../../../core/primitives/kernel.ts";
import { runLength } from "../cases.ts";
import { areFinite, cornersReach, gridConstants, indicesOf } from "../surface-grid.ts";

/** What values are compared to, and what rounding to it took. */
export const exactConstants = { ...gridConstants, isovalue: { type: "f32", components: 2 } } as const;

const tableInput = { type: "u32", reach: "all" } as const;

interface Lattice {
  readonly dims: readonly number[];
  readonly row: number;
  readonly slice: number;
  readonly isovalue: readonly number[];
}

/**
 * Reads the values at a cell's corners less the isovalue into `corners`, and gives the bits of those above; 0 where a node
 * begins no cell, and where one of them is not finite.
 */
export function cornersOf(
  values: ArrayLike<number>,
  { dims, row, slice, isovalue: [rounded, rest] }: Lattice,
  corners: Float64Array,
): (node: number) => number {
  const end = slice * (dims[2] - 1);
  const steps = Array.from({ length: 8 }, (_, c) => (c & 1) + ((c >> 1) & 1) * row + (c >> 2) * slice);
  return (node) => {
    if (node >= end || node % row === row - 1 || node % slice >= slice - row) return 0;
    let above = 0;
    for (let c = 0; c < 8; c++) {
      const value = values[node + steps[c]];
      if (!Number.isFinite(value)) return 0;
      if (value > rounded) above |= 1 << c;
      corners[c] = value - rounded - rest;
    }
    return above;
  };
}

/** WGSL of the same, and what decides open cells. */
export const cornersCode = `${indicesOf}${areFinite}
fn case_word(i: u32) -> u32 {
  return cases(i);
}
${decisionCode}
fn load_corners(node: u32) -> u32 {
  if (any(indices_of(node) + 1u >= constants.dims)) { return 0u; }
  var above = 0u;
  var is_cell = true;
  for (var corner = 0u; corner < 8u; corner++) {
    let high = corner_of(corner);
    let value = values(node + high.x + high.y * constants.row + high.z * constants.slice);
    is_cell &= are_finite(vec4f(value));
    above |= u32(value > constants.isovalue.x) << corner;
    corner_values[corner] = (value - constants.isovalue.x) - constants.isovalue.y;
  }
  return select(0u, above, is_cell);
}
`;

/** Each cell's patch, of `openCellTable`, with what `patchIn` adds; one without triangles where there is no cell. */
export const decide = defineKernel({
  name: "decide cells",
  inputs: { values: { type: "f32", reach: cornersReach }, cases: tableInput },
  constants: exactConstants,
  outputs: { patches: { type: "u32" } },
  js({ inputs: { values, cases }, constants, outputs: { patches } }) {
    const corners = new Float64Array(8);
    const aboveAt = cornersOf(values, constants, corners);
    return (node, place) => {
      const above = aboveAt(node);
      patches[place] = patchIn(cases, above, corners);
    };
  },
  wgsl: `
    let above = load_corners(element);
    out.patches = above;
    if ((case_word(above) >> 31u) == 1u) {
      let decision = decide(above);
      out.patches = decision.patch_number | (decision.ring << 16u);
    }`,
  wgslFunctions: cornersCode,
});

const runReach = (): readonly [number, number] => [0, runLength - 1];

const patchInputs = {
  patches: { type: "u32", reach: runReach, stride: runLength },
  cases: tableInput,
} as const;

/** How many vertices each run of cells makes. */
export const classify = defineKernel({
  name: "classify decided cells",
  inputs: patchInputs,
  constants: gridConstants,
  outputs: { vertices: { type: "u32" } },
  js({ inputs: { patches, cases }, outputs: { vertices } }) {
    return (run, place) => {
      let sum = 0;
      for (let k = 0; k < runLength; k++) sum += vertexCountIn(cases, patches[runLength * run + k]);
      vertices[place] = sum;
    };
  },
  wgsl: `
    for (var k = 0u; k < ${runLength}u; k++) {
      out.vertices += 3u * (cases(patches(${runLength}u * element + k) & 0xffffu) & 31u);
    }`,
});

/**
 * For each vertex, at its run: its cell's first node; what it lies on, 3 · (edge's lower node) + (edge's axis) or, inside
 * the cell, (3 + slot) · (number of nodes) + (the cell's first node); and that node.
 */
export const locate = defineKernel({
  name: "locate vertices of decided cells",
  inputs: { ...patchInputs, firsts: { type: "u32", reach: "own" } },
  constants: gridConstants,
  outputs: { cells: { type: "u32" }, ids: { type: "u32" }, nodes: { type: "u32" } },
  js({ inputs: { patches, cases, firsts }, constants: { dims, row, slice }, outputs }) {
    const nodeCount = slice * dims[2];
    return (run, place) => {
      let left = place - firsts[place];
      for (let cell = runLength * run; cell < runLength * (run + 1); cell++) {
        const count = vertexCountIn(cases, patches[cell]);
        if (left >= count) {
          left -= count;
          continue;
        }
        const bits = vertexIn(cases, patches[cell], left);
        const isInside = bits >= firstInnerBits;
        const node = isInside
          ? cell
          : cell + (bits & 1) + ((bits >> 1) & 1) * row + ((bits >> 2) & 1) * slice;
        outputs.cells[place] = cell;
        outputs.nodes[place] = node;
        outputs.ids[place] = isInside
          ? (3 + bits - firstInnerBits) * nodeCount + node
          : 3 * node + (bits >> 3);
        return;
      }
    };
  },
  wgsl: `
    var left = place - firsts(place);
    for (var k = 0u; k < ${runLength}u; k++) {
      let cell = ${runLength}u * element + k;
      let header = cases(patches(cell) & 0xffffu);
      let count = 3u * (header & 31u);
      if (left >= count) {
        left -= count;
        continue;
      }
      let t = left / 3u;
      let bits = (cases((header >> 8u) + (t >> 1u)) >> (15u * (t & 1u) + 5u * (left % 3u))) & 31u;
      out.cells = cell;
      out.nodes = cell;
      if (bits >= ${firstInnerBits}u) {
        out.ids = (3u + bits - ${firstInnerBits}u) * constants.slice * constants.dims.z + cell;
        return out;
      }
      out.nodes += (bits & 1u) + ((bits >> 1u) & 1u) * constants.row + ((bits >> 2u) & 1u) * constants.slice;
      out.ids = 3u * out.nodes + (bits >> 3u);
      return out;
    }`,
});
