import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { DataSet } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import { writeVti, writeVtr } from "../../data/write/vtk-xml.ts";
import { gpuEnvironment } from "./run-crinkle.ts";

/** What `crinkle info` prints. */
export interface Info {
  readonly grid: Record<string, unknown>;
  readonly fields: readonly Record<string, unknown>[];
}

/** What `crinkle eval` prints of a field. */
export interface Evaluated {
  readonly field: string;
  readonly components: number;
  readonly centering: string;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly nan: number;
  readonly infinite: number;
  readonly device: string;
  readonly kernels: number;
  readonly uploads: number;
  readonly downloads: number;
  readonly peakBytes: number;
  readonly ms: number;
}

/** What commands that make surfaces print. */
export interface Surface {
  readonly triangles: number;
  readonly vertices: number;
  readonly area: number;
  readonly bounds: readonly number[] | null;
  readonly device: string;
  readonly ms: number;
}

/** Nodes of the ball along each axis. */
export const n = 17;

export const gpu = await gpuEnvironment();
export const devices: readonly [string, Record<string, string> | undefined][] = [
  ["cpu", undefined],
  ["gpu", gpu],
];

export function nodeField(grid: Grid, name: string, components: number, values: (p: number[]) => number[]) {
  const [nx, ny, nz] = grid.dims;
  const at = (axis: number, i: number) =>
    grid.kind === "uniform" ? grid.origin[axis] + i * grid.spacing[axis] : grid.axes[axis][i];
  const data = new Float32Array(nx * ny * nz * components);
  let next = 0;
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) {
        data.set(values([at(0, i), at(1, j), at(2, k)]), next);
        next += components;
      }
  return { name, centering: "node", components, dtype: "f32", data } as const;
}

/** A folder of a test file's own, with two data sets in it: from before its tests until after them. */
export class TestFolder {
  path = "";
  /** A uniform grid: the distance from its middle, and a vector field “flow field” without divergence. */
  ball = "";
  /** A rectilinear grid: a vector field `v` that is linear. */
  shear = "";

  constructor() {
    beforeAll(() => this.#fill());
    afterAll(() => rm(this.path, { recursive: true }));
  }

  file(...names: readonly string[]): string {
    return join(this.path, ...names);
  }

  async write(name: string, dataSet: DataSet): Promise<string> {
    const path = this.file(name);
    const chunks = name.endsWith(".vti") ? await writeVti(dataSet, noJob) : await writeVtr(dataSet, noJob);
    await writeFile(path, Buffer.concat(chunks));
    return path;
  }

  async #fill(): Promise<void> {
    this.path = await mkdtemp(join(tmpdir(), "crinkle-cli-"));
    const grid: Grid = {
      kind: "uniform",
      dims: [n, n, n],
      origin: [-2, -2, -2],
      spacing: [0.25, 0.25, 0.25],
    };
    this.ball = await this.write("ball.vti", {
      name: "ball",
      grid,
      fields: [
        nodeField(grid, "distance", 1, (p) => [Math.hypot(...p)]),
        nodeField(grid, "flow field", 3, ([x, y, z]) => [x, y, -2 * z]),
      ],
      notes: [],
    });
    const uneven: Grid = {
      kind: "rectilinear",
      dims: [4, 3, 5],
      axes: [Float64Array.of(0, 1, 3, 4.5), Float64Array.of(-1, 0, 2), Float64Array.of(5, 6, 6.5, 9, 10)],
    };
    this.shear = await this.write("shear.vtr", {
      name: "shear",
      grid: uneven,
      fields: [nodeField(uneven, "v", 3, ([x, y, z]) => [2 * y - z, 3 * z + x, 5 * x])],
      notes: [],
    });
  }
}
