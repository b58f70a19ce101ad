import { floorF32 } from "../../core/floor-f32.ts";
import { type ConstantValues, defineKernel } from "../../core/primitives/kernel.ts";
import { caseWords } from "./case-table.ts";
import { areFinite, cornersReach, gridConstants, indicesOf } from "./surface-grid.ts";

/**
 * Isovalues as pairs of f32: what values are compared to, and what rounding to it took, so that every value is on the
 * same side of it as of the isovalue.
 */
export const isovalueWords = (isovalues: readonly number[]): Float32Array =>
  Float32Array.from(isovalues.flatMap((isovalue) => [floorF32(isovalue), isovalue - floorF32(isovalue)]));

/** Cells that are classified as one, which have neighbouring nodes in common: a fourth of the words to scan and search. */
export const runLength = 4;

/** Reads the corners of a run's cells, whose first node it is at. */
const runReach = (constants: ConstantValues): readonly [number, number] => {
  const [, after] = cornersReach(constants);
  return [0, after + runLength - 1];
};

/** The sets of corners above isovalues of the cells that exist. */
class Cells {
  readonly #values: Float32Array;
  readonly #row: number;
  readonly #slice: number;
  readonly #end: number;
  readonly #steps: readonly number[];

  constructor(values: Float32Array, [, , nz]: readonly number[], row: number, slice: number) {
    this.#values = values;
    this.#row = row;
    this.#slice = slice;
    this.#end = slice * (nz - 1);
    this.#steps = Array.from({ length: 8 }, (_, c) => (c & 1) + ((c >> 1) & 1) * row + (c >> 2) * slice);
  }

  /** Corners strictly above, as bits. 0 for a node that no cell begins at, and where a corner is not finite. */
  above(node: number, isovalue: number): number {
    const row = this.#row;
    const slice = this.#slice;
    if (node >= this.#end || node % row === row - 1 || node % slice >= slice - row) return 0;
    const values = this.#values;
    let above = 0;
    for (let c = 0; c < 8; c++) {
      const value = values[node + this.#steps[c]];
      if (value - value !== 0) return 0;
      if (value > isovalue) above |= 1 << c;
    }
    return above;
  }
}

/** WGSL of the same: a cell lies between a column, the four values of its lower x, and the next one. */
const cells = `
/** The last node that a cell is beside. */
fn last_column() -> u32 {
  return constants.slice * (constants.dims.z - 1u) - constants.row - 1u;
}
/** That of the last node beside a cell where there is none. */
fn column(node: u32) -> vec4f {
  let n = min(node, last_column());
  let above = n + constants.slice;
  return vec4f(values(n), values(n + constants.row), values(above), values(above + constants.row));
}
fn is_cell(at: vec3u, left: vec4f, right: vec4f) -> bool {
  return all(at + 1u < constants.dims) & are_finite(left) & are_finite(right);
}
fn side_of(column: vec4f, isovalue: f32) -> u32 {
  let bits = select(vec4u(0u), vec4u(1u, 4u, 16u, 64u), column > vec4f(isovalue));
  return bits.x | bits.y | bits.z | bits.w;
}
fn next_to(at: vec3u) -> vec3u {
  if (at.x + 1u < constants.dims.x) { return vec3u(at.x + 1u, at.yz); }
  if (at.y + 1u < constants.dims.y) { return vec3u(0u, at.y + 1u, at.z); }
  return vec3u(0u, 0u, at.z + 1u);
}
`;

const each = (count: number, text: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => text(k)).join("");

const inputs = {
  values: { type: "f32", reach: runReach, stride: runLength },
  isovalues: { type: "f32", components: 2, reach: "all" },
  cases: { type: "u32", reach: "all" },
} as const;

const constants = { ...gridConstants, levels: { type: "u32" } } as const;

/** How many vertices each run of cells makes, for all isovalues together. */
export const classify = defineKernel({
  name: "classify cells",
  inputs,
  constants,
  outputs: { vertices: { type: "u32" } },
  js({
    inputs: { values, isovalues, cases },
    constants: { dims, row, slice, levels },
    outputs: { vertices },
  }) {
    const cells = new Cells(values, dims, row, slice);
    return (run, place) => {
      let sum = 0;
      for (let cell = runLength * run; cell < runLength * (run + 1); cell++) {
        for (let level = 0; level < levels; level++) {
          sum += cases[cells.above(cell, isovalues[2 * level]) * caseWords + caseWords - 1];
        }
      }
      vertices[place] = sum;
    };
  },
  // Most runs lie on one side as a whole, which is known before anything else is asked of their cells.
  wgsl: `
    let first = ${runLength}u * element;
    if (first > last_column()) { return out; }
    ${each(runLength + 1, (k) => `let c${k} = column(first + ${k}u); `)}
    for (var level = 0u; level < constants.levels; level++) {
      let isovalue = isovalues(level).x;
      ${each(runLength + 1, (k) => `let s${k} = side_of(c${k}, isovalue); `)}
      let some = s0${each(runLength, (k) => ` | s${k + 1}`)};
      let every = s0${each(runLength, (k) => ` & s${k + 1}`)};
      if ((some == 0u) | (every == 85u)) { continue; }
      var at = indices_of(first);
      ${each(
        runLength,
        (k) => `
      if (is_cell(at, c${k}, c${k + 1})) {
        out.vertices += cases((s${k} | (s${k + 1} << 1u)) * ${caseWords}u + ${caseWords - 1}u);
      }
      at = next_to(at);`,
      )}
    }`,
  wgslFunctions: indicesOf + areFinite + cells,
});

/**
 * For each vertex, at its run: its cell's first node; the grid edge it lies on, 3 · (edge's lower node) + (edge's axis),
 * counted on by three times the nodes for each isovalue before its own; and that node.
 */
export const locate = defineKernel({
  name: "locate vertices",
  inputs: { ...inputs, firsts: { type: "u32", reach: "own" } },
  constants,
  outputs: { cells: { type: "u32" }, ids: { type: "u32" }, nodes: { type: "u32" } },
  js({ inputs, constants: { dims, row, slice, levels }, outputs }) {
    const { values, firsts, isovalues, cases } = inputs;
    const nodeCount = slice * dims[2];
    const cells = new Cells(values, dims, row, slice);
    return (run, place) => {
      let left = place - firsts[place];
      for (let k = 0; k < runLength * levels; k++) {
        const cell = runLength * run + Math.floor(k / levels);
        const level = k % levels;
        const first = cells.above(cell, isovalues[2 * level]) * caseWords;
        const count = cases[first + caseWords - 1];
        if (left >= count) {
          left -= count;
          continue;
        }
        const edge = cases[first + left];
        const axis = edge >> 2;
        const low = edge & 1;
        const high = (edge >> 1) & 1;
        const node = cell + low * (axis === 0 ? row : 1) + high * (axis === 2 ? row : slice);
        outputs.cells[place] = cell;
        outputs.nodes[place] = node;
        outputs.ids[place] = 3 * (node + level * nodeCount) + axis;
        return;
      }
    };
  },
  wgsl: `
    let first = ${runLength}u * element;
    var at = indices_of(first);
    var left = column(first);
    var visit = place - firsts(place);
    for (var k = 0u; k < ${runLength}u; k++) {
      let right = column(first + k + 1u);
      if (is_cell(at, left, right)) {
        for (var level = 0u; level < constants.levels; level++) {
          let isovalue = isovalues(level).x;
          let words = (side_of(left, isovalue) | (side_of(right, isovalue) << 1u)) * ${caseWords}u;
          let count = cases(words + ${caseWords - 1}u);
          if (visit < count) {
            let edge = cases(words + visit);
            let axis = edge >> 2u;
            out.cells = first + k;
            out.nodes = out.cells + (edge & 1u) * select(1u, constants.row, axis == 0u)
              + ((edge >> 1u) & 1u) * select(constants.slice, constants.row, axis == 2u);
            out.ids = 3u * (out.nodes + level * constants.slice * constants.dims.z) + axis;
            return out;
          }
          visit -= count;
        }
      }
      at = next_to(at);
      left = right;
    }`,
  wgslFunctions: indicesOf + areFinite + cells,
});
