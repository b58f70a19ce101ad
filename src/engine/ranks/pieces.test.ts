import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { meshBounds, surfaceArea } from "../../core/mesh-measures.ts";
import { reverseFacets as reversed } from "../../core/reverse-facets.ts";
import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import { storedInMemory } from "../../data/stored.ts";
import type { Chunks } from "../../data/write/chunks.ts";
import { writeVti, writeVtr } from "../../data/write/vtk-xml.ts";
import { writeVtp } from "../../data/write/vtp.ts";
import {
  dataSetOf,
  randomGrid,
  sampledField,
  uniformGrid,
} from "../../lang/expression/execute/testing/data-sets.ts";
import { openEngineDevice } from "../device.ts";
import { vertexColors } from "../vertex-colors.ts";
import { fieldJob } from "./field-job.ts";
import { OwnEngine } from "./rank-engine.ts";
import { surfaceJob, surfaceRequest } from "./surface-job.ts";
import { surfacePiecesJob } from "./surface-pieces-job.ts";
import { onRanks, testSource } from "./testing/on-ranks.ts";

/** Python with VTK, where the machine has one. */
const python = ["python3", "/usr/bin/python3"].find(
  (command) => spawnSync(command, ["-c", "import vtk"]).status === 0,
);
if (!python) console.info("left out: VTK's reading of pieces, because there is no Python with VTK");

const even = { ...uniformGrid([6, 5, 9], 2), origin: [0.1, -3, 1 / 3] } as const;
const uneven = randomGrid([5, 6, 9], 3);
const dataSetOn = (grid: typeof even | typeof uneven) =>
  dataSetOf(
    grid,
    sampledField(grid, "u", "node", (x, y, z) => [Math.sin(4 * z), x * y, z - x]),
    sampledField(grid, "c", "cell", (x, y, z) => x * y - z),
  );

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crinkle-pieces-"));
});
afterAll(() => rm(folder, { recursive: true }));

const engineOn = (grid: Parameters<typeof dataSetOn>[0]) =>
  new OwnEngine({
    openDevice: () => openEngineDevice("cpu", undefined),
    read: async () => storedInMemory(dataSetOn(grid)),
    write: (path: string, chunks: Chunks) => writeFile(path, Buffer.concat(chunks)),
  });

/** What VTK reads of files, by one of the scripts beside its tests. */
function readBy<Read>(script: string, ...paths: readonly string[]): Read[] {
  const program = join(import.meta.dirname, "../../data/testing", script);
  const { stdout, stderr, status } = spawnSync(python ?? "", [program, ...paths], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("fields", () => {
  /** The field gathered on rank 0, or written by an index. */
  const compute = async (
    ranks: number,
    grid: typeof even | typeof uneven,
    text: string,
    index: string | null,
    blocks: WantedBlocks = null,
  ) => {
    const [found, ...others] = await onRanks(ranks, (communicator) =>
      fieldJob.run(
        { communicator, engine: engineOn(grid), context: noJob },
        { source: testSource, text, wanted: null, blocks, index, holdsOne: false },
      ),
    );
    expect(others.every((other) => other === undefined)).toBe(true);
    if (!found) throw new Error("Rank 0 has no result.");
    return found;
  };

  it.each([
    ["pvti", even, "w = curl(u)"],
    ["pvti", even, "s = c * 2"],
    ["pvtr", even, "m = magnitude(u)"],
    ["pvtr", uneven, "w = curl(u)"],
    ["pvtr", uneven, "s = c * 2"],
    ["pvti", even, "w = curl(u); m = max(u[0]); s = c * 2; t = x * u[1]"],
  ] as const)("in pieces of a .%s equal the gathered field (%#)", async (format, grid, text) => {
    const alone = (await compute(1, grid, text, null)).whole;
    if (!alone) throw new Error("It is gathered.");
    const write = format === "pvti" ? writeVti : writeVtr;
    const whole = join(folder, `whole.${format.slice(1)}`);
    const dataSet = { name: "whole", grid: alone.grid, fields: alone.fields, notes: [] };
    await writeFile(whole, Buffer.concat(await write(dataSet, noJob)));
    const indices: string[] = [];
    for (const blocks of [
      [1, 1, 1],
      [1, 1, 2],
      [2, 2, 1],
      [1, 3, 2],
      [1, 1, 11],
    ]) {
      const [x, y, z] = blocks;
      const ranks = x * y * z;
      const index = join(folder, `of ${ranks} & more.${format}`);
      const { results, whole: gathered } = await compute(ranks, grid, text, index, blocks);
      expect(gathered).toBeUndefined();
      const again = await compute(ranks, grid, text, null, blocks);
      expect(results).toEqual(again.results);
      expect(again.whole).toEqual(alone);
      // Some of the 11 ranks have none of the 8 layers.
      const pieces = (await readdir(folder)).filter((name) => name.startsWith(`of ${ranks} & more_`));
      expect(pieces.filter((name) => name.endsWith(format.slice(1))).length).toBe(Math.min(ranks, 8));
      indices.push(index);
    }
    if (!python) return;
    const [expected, ...read] = readBy<object>("read-grids.py", whole, ...indices);
    for (const each of read) expect(each).toEqual(expected);
  });

  it("are refused where the text is a number, and where a rank may not write", async () => {
    await expect(compute(2, even, "max(c)", null)).rejects.toMatchObject({ tag: "BadArgument" });
    await expect(compute(2, even, "a = max(c); b = 2", null)).rejects.toMatchObject({
      problem: "“a”, “b” are no fields that a file could hold: they have no value for each node or cell.",
    });
    const engine = new OwnEngine({
      openDevice: () => openEngineDevice("cpu", undefined),
      read: async () => storedInMemory(dataSetOn(even)),
    });
    const forOne = { source: testSource, text: "a = c; n = max(c); b = u", wanted: null, blocks: null };
    const several = onRanks(1, (communicator) =>
      fieldJob.run({ communicator, engine, context: noJob }, { ...forOne, index: null, holdsOne: true }),
    );
    await expect(several).rejects.toMatchObject({
      problem: "The fields “a”, “b” cannot be written to one .npy file, which holds a single field.",
    });
    const request = {
      source: testSource,
      text: "c",
      wanted: null,
      blocks: null,
      index: join(folder, "no.pvti"),
      holdsOne: false,
    };
    const denied = onRanks(1, (communicator) =>
      fieldJob.run({ communicator, engine, context: noJob }, request),
    );
    await expect(denied).rejects.toMatchObject({ tag: "Refused" });
    expect(() => fieldJob.parse({ ...request, index: "/etc/passwd" })).toThrow(/without an index/);
  });
});

describe.runIf(python)("surfaces", () => {
  interface Read {
    readonly points: readonly number[][];
    readonly triangles: readonly number[][];
    readonly active: string | null;
    readonly arrays: Readonly<Record<string, readonly number[][]>>;
  }

  /** Each triangle's corners with all that they carry, in order of the triangles. */
  const corners = ({ points, triangles, arrays }: Read) =>
    triangles.map((triangle) =>
      triangle.map((v) => [...points[v], ...arrays.Normals[v], ...arrays["u [z]"][v], ...arrays.Colors[v]]),
    );

  it.each([
    [1, 1, 1],
    [1, 1, 11],
    [2, 1, 3],
  ])(
    "in pieces of %i x %i x %i blocks equal the gathered surface, also with facets reversed",
    async (...blocks) => {
      const ranks = blocks[0] * blocks[1] * blocks[2];
      const reverseFacets = blocks[0] === 2;
      const shape = {
        kind: "isosurface",
        field: "u[0]",
        isovalues: [0.3],
        normals: "smooth",
        topology: "table",
      } as const;
      const request = surfaceRequest(testSource, shape, { text: "s = u[0]", colorBy: "u[2]", blocks });
      const index = join(folder, `q${ranks}.pvtp`);
      const [[gathered, pieces]] = await onRanks(ranks, async (communicator) => {
        const call = { communicator, engine: engineOn(uneven), context: noJob };
        const both = [
          await surfaceJob.run(call, request),
          await surfacePiecesJob.run(
            call,
            surfacePiecesJob.parse({ ...request, index, scalarName: "u [z]", reverseFacets }),
          ),
        ] as const;
        await call.engine.kept.clear();
        return both;
      });
      if (!gathered || !pieces) throw new Error("Rank 0 has both.");
      const mesh = reverseFacets ? reversed(gathered.mesh) : gathered.mesh;
      expect(mesh.indices.length).toBeGreaterThan(60);
      expect(pieces).toMatchObject({
        name: "s",
        triangles: mesh.indices.length / 3,
        bounds: meshBounds(mesh),
      });
      expect(pieces.area).toBeCloseTo(surfaceArea(mesh), 12);
      const whole = join(folder, `q${ranks} whole.vtp`);
      const scalars = mesh.scalars as Float32Array;
      const range = { min: Math.min(...scalars), max: Math.max(...scalars) };
      const color = vertexColors(scalars, range);
      await writeFile(whole, Buffer.concat(await writeVtp(mesh, noJob, { scalarName: "u [z]", color })));
      const [expected, read] = readBy<Read>("read-meshes.py", whole, index);
      expect(read.active).toBe("u [z]");
      expect(read.points.length).toBe(pieces.vertices);
      expect(corners(read)).toEqual(corners(expected));
    },
  );
});
