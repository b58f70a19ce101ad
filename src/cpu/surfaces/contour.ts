import { type Box, wholeBox } from "../../core/box.ts";
import type { Field } from "../../core/field.ts";
import { cellDims, type Grid, type Triple } from "../../core/grid.ts";
import { edgeLow } from "../../core/marching-cubes/cube.ts";
import {
  normalWord,
  type SurfaceRecords,
  scalarWord,
  vertexWords,
} from "../../core/marching-cubes/surface-records.ts";
import { caseTable, maxTriangles } from "../../core/marching-cubes/table.ts";
import type { AmbiguousCells, AmbiguousCellsInput } from "./ambiguous-cells.ts";
import { Sampler } from "./sampler.ts";
import { SurfaceBuilder } from "./surface-builder.ts";

export interface ContourInput {
  readonly grid: Grid;
  readonly field: Field;
  readonly component: number;
  readonly isovalue: number;
  readonly center: Triple;
  readonly color: Field | undefined;
  readonly colorComponent: number;
  /** The cells that the surface is made of; all of the grid's where it is left out. */
  readonly cells: Box | undefined;
  /** What makes those; all cells take the table where it is left out. */
  readonly ambiguousCells: ((input: AmbiguousCellsInput) => AmbiguousCells) | undefined;
}

/**
 * Marching cubes slice by slice. Each cut grid edge is met once, at its lower point, and gets one vertex; cells
 * look their vertices up in the last two slices.
 */
export class Contour {
  readonly #isovalue: number;
  readonly #center: Triple;
  readonly #dims: Triple;
  readonly #cells: Box;
  readonly #samples: Sampler;
  readonly #color: Sampler | undefined;
  readonly #surface = new SurfaceBuilder();
  /** Undefined where the table is to be asked about all cells. */
  readonly #ambiguousCells: AmbiguousCells | undefined;
  /** Of the slices before, here and after: which points are above, 2 where not finite. */
  #flags: Uint8Array[];
  /** Vertices on the three edges that begin at each point of an even and an odd slice. */
  readonly #vertexOf: readonly [Uint32Array, Uint32Array];

  constructor(input: ContourInput) {
    const { grid, field, component, isovalue, center, color, colorComponent, cells, ambiguousCells } = input;
    const [nx, ny] = grid.dims;
    this.#isovalue = isovalue;
    this.#center = center;
    this.#dims = grid.dims;
    this.#cells = cells ?? wholeBox(cellDims(grid));
    this.#samples = new Sampler(grid, field, component);
    this.#color = color && new Sampler(grid, color, colorComponent);
    this.#ambiguousCells = ambiguousCells?.({
      dims: grid.dims,
      center,
      isovalue,
      samples: this.#samples,
      color: this.#color,
      surface: this.#surface,
    });
    this.#flags = [0, 1, 2].map(() => new Uint8Array(nx * ny));
    this.#vertexOf = [new Uint32Array(3 * nx * ny), new Uint32Array(3 * nx * ny)];
    this.#samples.classify(0, isovalue, this.#flags[2]);
  }

  /** Adds the vertices of slice k's edges and the triangles of the cells below it; slices come in order. */
  addSlice(k: number): void {
    const [nx, ny, nz] = this.#dims;
    const [oldest, here, after] = this.#flags;
    this.#flags = [here, after, oldest];
    if (k + 1 < nz) this.#samples.classify((k + 1) * nx * ny, this.#isovalue, oldest);
    this.#addVertices(k);
    if (k > 0) this.#addCells(k - 1);
  }

  finish(): SurfaceRecords {
    return this.#surface.finish();
  }

  #addVertices(k: number): void {
    const [nx] = this.#dims;
    const { first, end } = this.#cells;
    if (k < first[2] || k > end[2]) return;
    const [, here, after] = this.#flags;
    const vertices = this.#vertexOf[k & 1];
    for (let j = first[1]; j <= end[1]; j++) {
      for (let i = first[0], p = i + j * nx; i <= end[0]; i++, p++) {
        const flag = here[p];
        if (i < end[0] && (flag ^ here[p + 1]) === 1) vertices[3 * p] = this.#addVertex(i, j, k, 0);
        if (j < end[1] && (flag ^ here[p + nx]) === 1) vertices[3 * p + 1] = this.#addVertex(i, j, k, 1);
        if (k < end[2] && (flag ^ after[p]) === 1) vertices[3 * p + 2] = this.#addVertex(i, j, k, 2);
      }
    }
  }

  #addVertex(i: number, j: number, k: number, axis: number): number {
    const [nx, ny] = this.#dims;
    const at = [i, j, k];
    const low = i + nx * (j + ny * k);
    const high = low + [1, nx, nx * ny][axis];
    const samples = this.#samples;
    const f0 = samples.value(low);
    const f1 = samples.value(high);
    const t = (this.#isovalue - f0) / (f1 - f0);
    const vertex = this.#surface.addVertex(3 * low + axis);
    const out = this.#surface.values;
    const word = vertex * vertexWords;
    let largest = 0;
    const normal = [0, 0, 0];
    for (let d = 0; d < 3; d++) {
      const x = samples.coordinates[d];
      const x0 = x[at[d]] - this.#center[d];
      const next = d === axis ? at[d] + 1 : at[d];
      out[word + d] = d === axis ? x0 + t * (x[next] - x[at[d]]) : x0;
      const g0 = samples.derivative(low, d, at[d]);
      const g1 = samples.derivative(high, d, next);
      normal[d] = t * (g0 - g1) - g0;
      largest = Math.max(largest, Math.abs(normal[d]));
    }
    if (!(largest > 0)) {
      normal[axis] = Math.sign(f0 - f1);
      largest = 1;
    }
    const length = largest * Math.hypot(normal[0] / largest, normal[1] / largest, normal[2] / largest);
    for (let d = 0; d < 3; d++) out[word + normalWord + d] = normal[d] / length;
    if (this.#color) {
      const c0 = this.#color.value(low);
      out[word + scalarWord] = c0 + t * (this.#color.value(high) - c0);
    }
    return vertex;
  }

  #addCells(k: number): void {
    const [nx] = this.#dims;
    const { first, end } = this.#cells;
    if (k < first[2] || k >= end[2]) return;
    const [low, high] = this.#flags;
    const ambiguousCells = this.#ambiguousCells;
    const isOpen = ambiguousCells?.isOpen;
    const { counts, edges } = caseTable();
    const slices = edgeLow.map((corner) => this.#vertexOf[(k + (corner >> 2)) & 1]);
    const steps = edgeLow.map((corner, edge) => 3 * ((corner & 1) + ((corner >> 1) & 1) * nx) + (edge >> 2));
    for (let j = first[1]; j < end[1]; j++) {
      let p = j * nx + first[0];
      let left = quad(low[p], low[p + nx], high[p], high[p + nx]);
      for (let i = first[0]; i < end[0]; i++, p++) {
        const q = p + 1;
        const right = quad(low[q], low[q + nx], high[q], high[q + nx]);
        const above = left | (right << 1);
        left = right;
        if (above === 0 || above >= 255) continue;
        if (ambiguousCells && isOpen?.[above]) {
          const point = p;
          ambiguousCells.add(i, j, k, above, (edge) => slices[edge][3 * point + steps[edge]]);
          continue;
        }
        const begin = above * 3 * maxTriangles;
        for (let entry = begin; entry < begin + 3 * counts[above]; entry++) {
          const edge = edges[entry];
          this.#surface.addIndex(slices[edge][3 * p + steps[edge]]);
        }
      }
    }
  }
}

/** A cell's four corners of one x as bits 0, 2, 4 and 6; bit 10 where one of them is not finite. */
function quad(a: number, b: number, c: number, d: number): number {
  return (a & 1) | ((b & 1) << 2) | ((c & 1) << 4) | ((d & 1) << 6) | (((a | b | c | d) & 2) << 9);
}
