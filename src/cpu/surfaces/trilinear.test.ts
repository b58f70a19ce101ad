import { describe, expect, it } from "vitest";
import { describeFacets } from "../../algorithms/surfaces/testing/describe-facets.ts";
import { makeField } from "../../core/field.ts";
import type { Grid, Triple } from "../../core/grid.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { countEdges, enclosedVolume } from "../../core/mesh-measures.ts";
import { isosurface } from "./isosurface.ts";
import { cubeGrid } from "./testing/fields.ts";
import { type MeshTopology, meshTopology } from "./testing/mesh-topology.ts";

const isSweep = process.env.CRINKLE_SWEEP === "1";

describeFacets("trilinear", (grid, field, isovalue) =>
  isosurface(grid, field, isovalue, { topology: "trilinear" }),
);

interface Nodes {
  readonly dims: Triple;
  readonly values: readonly number[] | Float64Array;
}

/** Random numbers in 0 … 1, the same in each run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function contour(
  { dims, values }: Nodes,
  topology: "table" | "trilinear",
  isovalue = 0,
): Promise<TriangleMesh> {
  const grid: Grid = cubeGrid(dims);
  return isosurface(grid, makeField(grid, "f", "node", 1, Float64Array.from(values)), isovalue, { topology });
}

/** The trilinear interpolant on a grid that divides each cell by `parts` in each direction. */
function refined({ dims, values }: Nodes, parts: number): Nodes {
  const [nx, ny, nz] = dims;
  const fine = dims.map((n) => (n - 1) * parts + 1) as unknown as Triple;
  const result = new Float64Array(fine[0] * fine[1] * fine[2]);
  const place = (i: number, n: number): [cell: number, share: number] => {
    const cell = Math.min(Math.floor(i / parts), n - 2);
    return [cell, i / parts - cell];
  };
  let at = 0;
  for (let k = 0; k < fine[2]; k++) {
    for (let j = 0; j < fine[1]; j++) {
      for (let i = 0; i < fine[0]; i++) {
        const [[ci, x], [cj, y], [ck, z]] = [place(i, nx), place(j, ny), place(k, nz)];
        let sum = 0;
        for (let c = 0; c < 8; c++) {
          const [di, dj, dk] = [c & 1, (c >> 1) & 1, c >> 2];
          const weight = (di ? x : 1 - x) * (dj ? y : 1 - y) * (dk ? z : 1 - z);
          if (weight > 0) sum += weight * values[ci + di + nx * (cj + dj + ny * (ck + dk))];
        }
        result[at++] = sum;
      }
    }
  }
  return { dims: fine, values: result };
}

/**
 * Whether a surface has the topology of the interpolant, sampled ever finer until that is so. A little above the isovalue:
 * values equal to it are below, and at a saddle equal to it the corners above are apart.
 */
async function isAsSampled(nodes: Nodes, got: MeshTopology, parts: readonly number[], isovalue: number) {
  for (const finer of parts) {
    const expected = meshTopology(await contour(refined(nodes, finer), "table", isovalue));
    if (
      Object.keys(expected).every(
        (key) => expected[key as keyof MeshTopology] === got[key as keyof MeshTopology],
      )
    )
      return true;
  }
  return false;
}

const wholeNumber = (random: () => number) => Math.floor(7 * random()) - 3;
const anyNumber = (random: () => number) => 2 * random() - 1;
/** Of corners that alternate, which makes for the hardest cells. */
const alternating = (random: () => number, corner: number) =>
  ((0b10010110 >> corner) & 1 ? -1 : 1) * (random() < 0.1 ? -1 : 1) * random();

describe("topology of the trilinear interpolant", () => {
  it.each([
    ["whole numbers", wholeNumber, 0.004],
    ["any numbers", anyNumber, 0],
    ["alternating numbers", alternating, 0],
  ] as const)(
    "in a cell of %s",
    async (_, number, isovalue) => {
      const random = randoms(11);
      const runs = isSweep ? 20_000 : 150;
      const wrong: number[][] = [];
      for (let run = 0; run < runs; run++) {
        const nodes: Nodes = {
          dims: [2, 2, 2],
          values: Array.from({ length: 8 }, (_, c) => number(random, c)),
        };
        const got = meshTopology(await contour(nodes, "trilinear"));
        if (!(await isAsSampled(nodes, got, [16, 40, 90], isovalue))) wrong.push([...nodes.values]);
      }
      // No sampling sees a saddle that is nearer to 0 than its steps, or than its isovalue.
      expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(isSweep ? runs / 5000 : 0);
    },
    600_000,
  );

  it.each([
    ["whole numbers", wholeNumber, 0.004],
    ["any numbers", anyNumber, 0],
  ] as const)(
    "on grids of %s: closed, two triangles at each edge, a volume nearer to the interpolant's than the table's",
    async (_, number, isovalue) => {
      const random = randoms(12);
      const runs = isSweep ? 500 : 12;
      const wrong: string[] = [];
      let error = 0;
      let tableError = 0;
      for (let run = 0; run < runs; run++) {
        const dims = [0, 1, 2].map(() => 3 + Math.floor(4 * random())) as unknown as Triple;
        const values = Array.from({ length: dims[0] * dims[1] * dims[2] }, (_, p) => {
          const at = [p % dims[0], Math.floor(p / dims[0]) % dims[1], Math.floor(p / (dims[0] * dims[1]))];
          return at.some((i, d) => i === 0 || i === dims[d] - 1) ? -1 : number(random);
        });
        const mesh = await contour({ dims, values }, "trilinear");
        expect(countEdges(mesh)).toMatchObject({ boundary: 0, irregular: 0 });
        expect(enclosedVolume(mesh)).toBeGreaterThanOrEqual(0);
        const nodes = { dims, values };
        const isAlike = await isAsSampled(nodes, meshTopology(mesh), [8, 20, 40], isovalue);
        if (!isAlike) wrong.push(`${dims}: ${values}`);
        const expected = enclosedVolume(await contour(refined(nodes, 12), "table"));
        error += Math.abs(enclosedVolume(mesh) - expected);
        tableError += Math.abs(enclosedVolume(await contour(nodes, "table")) - expected);
      }
      expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(isSweep ? runs / 100 : 0);
      expect(error).toBeLessThan(0.9 * tableError);
    },
    600_000,
  );
});
