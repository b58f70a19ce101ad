import { floorF32 } from "../../core/floor-f32.ts";
import { all, around, own } from "../../core/primitives/access.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import { caseWords } from "./case-table.ts";
import { gridConstants, indicesOf, lastCorner } from "./surface-grid.ts";

/**
 * Isovalues as pairs of f32: what values are compared to, and what rounding to it took, so that every value is on the
 * same side of it as of the isovalue.
 */
export const isovalueWords = (isovalues: readonly number[]): Float32Array =>
  Float32Array.from(isovalues.flatMap((isovalue) => [floorF32(isovalue), isovalue - floorF32(isovalue)]));

/** Cells that are classified as one, which have neighbouring nodes in common: a fourth of the words to scan and search. */
export const runLength = 4;

/** A cell lies between a column, the four values of its lower x, and the next one. Its case is the set of corners above an isovalue. */
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
fn are_finite(x: vec4f) -> bool {
  return isFinite(x.x) & isFinite(x.y) & isFinite(x.z) & isFinite(x.w);
}
fn is_cell(first: vec3u, left: vec4f, right: vec4f) -> bool {
  return all(first + 1u < constants.dims) & are_finite(left) & are_finite(right);
}
fn side_of(column: vec4f, isovalue: f32) -> u32 {
  let bits = select(vec4u(0u), vec4u(1u, 4u, 16u, 64u), column > vec4f(isovalue));
  return bits.x | bits.y | bits.z | bits.w;
}
fn next_to(node: vec3u) -> vec3u {
  if (node.x + 1u < constants.dims.x) { return vec3u(node.x + 1u, node.yz); }
  if (node.y + 1u < constants.dims.y) { return vec3u(0u, node.y + 1u, node.z); }
  return vec3u(0u, 0u, node.z + 1u);
}
`;

const each = (count: number, text: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => text(k)).join("");

const inputs = {
  /** The corners of a run's cells. */
  values: { type: "f32", access: around(0, (constants) => lastCorner(constants) + runLength - 1, runLength) },
  isovalues: { type: "f32", components: 2, access: all },
  cases: { type: "u32", access: all },
} as const;

const constants = { ...gridConstants, levels: { type: "u32" } } as const;

/** How many vertices each run of cells makes, for all isovalues together. */
export const classify = defineKernel({
  name: "classify cells",
  inputs,
  constants,
  outputs: { vertices: { type: "u32" } },
  // Most runs lie on one side as a whole, which is known before anything else is asked of their cells.
  text: `
    let first = ${runLength}u * element;
    if (first > last_column()) { return; }
    var vertices = 0u;
    ${each(runLength + 1, (k) => `let c${k} = column(first + ${k}u); `)}
    for (var level = 0u; level < constants.levels; level++) {
      let isovalue = isovalues(level).x;
      ${each(runLength + 1, (k) => `let s${k} = side_of(c${k}, isovalue); `)}
      let some = s0${each(runLength, (k) => ` | s${k + 1}`)};
      let every = s0${each(runLength, (k) => ` & s${k + 1}`)};
      if ((some == 0u) | (every == 85u)) { continue; }
      var here = indices_of(first);
      ${each(
        runLength,
        (k) => `
      if (is_cell(here, c${k}, c${k + 1})) {
        vertices += cases((s${k} | (s${k + 1} << 1u)) * ${caseWords}u + ${caseWords - 1}u);
      }
      here = next_to(here);`,
      )}
    }
    out.vertices = vertices;`,
  functions: indicesOf + cells,
});

/**
 * For each vertex, at its run: its cell's first node; the grid edge it lies on, 3 · (edge's lower node) + (edge's axis),
 * counted on by three times the nodes for each isovalue before its own; and that node.
 */
export const locate = defineKernel({
  name: "locate vertices",
  inputs: { ...inputs, firsts: { type: "u32", access: own } },
  constants,
  outputs: { cells: { type: "u32" }, ids: { type: "u32" }, nodes: { type: "u32" } },
  text: `
    let first = ${runLength}u * element;
    var here = indices_of(first);
    var left = column(first);
    var visit = place - firsts();
    for (var k = 0u; k < ${runLength}u; k++) {
      let right = column(first + k + 1u);
      if (is_cell(here, left, right)) {
        for (var level = 0u; level < constants.levels; level++) {
          let isovalue = isovalues(level).x;
          let words = (side_of(left, isovalue) | (side_of(right, isovalue) << 1u)) * ${caseWords}u;
          let count = cases(words + ${caseWords - 1}u);
          if (visit < count) {
            let edge = cases(words + visit);
            let axis = edge >> 2u;
            let node = first + k + (edge & 1u) * select(1u, constants.row, axis == 0u)
              + ((edge >> 1u) & 1u) * select(constants.slice, constants.row, axis == 2u);
            out.cells = first + k;
            out.nodes = node;
            out.ids = 3u * (node + level * constants.slice * constants.dims.z) + axis;
            return;
          }
          visit -= count;
        }
      }
      here = next_to(here);
      left = right;
    }`,
  functions: indicesOf + cells,
});
