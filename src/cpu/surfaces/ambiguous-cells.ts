import type { Triple } from "../../core/grid.ts";
import { normalWord, scalarWord, vertexWords } from "../../core/marching-cubes/surface-records.ts";
import { isOpenCase, trilinearSurface } from "../../core/marching-cubes/trilinear/cell.ts";
import { firstInner } from "../../core/marching-cubes/trilinear/patch.ts";
import { cornerWeights } from "../../core/marching-cubes/trilinear/place.ts";
import type { Sampler } from "./sampler.ts";
import type { SurfaceBuilder } from "./surface-builder.ts";

export interface AmbiguousCellsInput {
  readonly dims: Triple;
  readonly center: Triple;
  readonly isovalue: number;
  readonly samples: Sampler;
  readonly color: Sampler | undefined;
  readonly surface: SurfaceBuilder;
}

/** The surface in cells whose corners leave its topology open, as the trilinear interpolant has it. */
export class AmbiguousCells {
  /** Of the 256 cases. */
  readonly isOpen = isOpenCase;
  readonly #input: AmbiguousCellsInput;
  readonly #corners: readonly number[];
  readonly #values = new Float64Array(8);

  constructor(input: AmbiguousCellsInput) {
    const [nx, ny] = input.dims;
    this.#input = input;
    this.#corners = Array.from({ length: 8 }, (_, c) => (c & 1) + ((c >> 1) & 1) * nx + (c >> 2) * nx * ny);
  }

  /** Adds the triangles of the cell with first point (i, j, k); `vertexOn` finds the vertices of its cut edges. */
  add(i: number, j: number, k: number, above: number, vertexOn: (edge: number) => number): void {
    const { dims, isovalue, samples, surface } = this.#input;
    const point = i + dims[0] * (j + dims[1] * k);
    for (let c = 0; c < 8; c++) this.#values[c] = samples.value(point + this.#corners[c]) - isovalue;
    const { triangles, inner } = trilinearSurface(above, this.#values);
    const first = inner.map((place, slot) => this.#addInner([i, j, k], point, slot, place))[0];
    for (const vertex of triangles)
      surface.addIndex(vertex < firstInner ? vertexOn(vertex) : first + vertex - firstInner);
  }

  /** Its id follows those of all grid edges: for each slot one for each point, that of the cell's first point. */
  #addInner(at: Triple, point: number, slot: number, place: readonly number[]): number {
    const { dims, center, samples, color, surface } = this.#input;
    const vertex = surface.addVertex((3 + slot) * dims[0] * dims[1] * dims[2] + point);
    const out = surface.values;
    const word = vertex * vertexWords;
    const weights = cornerWeights(place);
    const normal = [0, 0, 0];
    let largest = 0;
    for (let d = 0; d < 3; d++) {
      const x = samples.coordinates[d];
      const x0 = x[at[d]] - center[d];
      out[word + d] = x0 + place[d] * (x[at[d] + 1] - x[at[d]]);
      for (let c = 0; c < 8; c++)
        normal[d] -= weights[c] * samples.derivative(point + this.#corners[c], d, at[d] + ((c >> d) & 1));
      largest = Math.max(largest, Math.abs(normal[d]));
    }
    if (!(largest > 0)) normal[2] = largest = 1;
    const length = largest * Math.hypot(normal[0] / largest, normal[1] / largest, normal[2] / largest);
    for (let d = 0; d < 3; d++) out[word + normalWord + d] = normal[d] / length;
    if (color) {
      let sum = 0;
      for (let c = 0; c < 8; c++) sum += weights[c] * color.value(point + this.#corners[c]);
      out[word + scalarWord] = sum;
    }
    return vertex;
  }
}
