import { describe, expect, it } from "vitest";
import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import { noJob } from "../../core/job.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { type DescribedData, describeJob } from "./describe-job.ts";
import { groupJob } from "./group-job.ts";
import type { RankedSurface } from "./ranked-surface.ts";
import { surfaceJob, surfaceRequest } from "./surface-job.ts";
import { engineWith, onRanks, testSource } from "./testing/on-ranks.ts";
import { isosurfaceOf } from "./testing/ranked-surfaces.ts";

const grid = randomGrid([8, 7, 10], 4);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "u", "node", (x, y, z) => [Math.sin(4 * z), x * y, z - x]),
  sampledField(grid, "f", "node", (x, y, z) => Math.sin(9 * x) + Math.cos(8 * y) * Math.sin(7 * z)),
  sampledField(grid, "none", "cell", () => Number.NaN),
);

const jobs = [describeJob, surfaceJob];
const noEngine = engineWith(dataSet, 1, "host");

/**
 * Ranks 0 to 2 are a room, of which rank 1 stands for a group: itself and the ranks behind the room's. Resolves to what rank 0
 * of the room gets of a job of the group.
 */
async function delegated(job: string, parameters: Value, group = "simulation"): Promise<unknown> {
  const results = await onRanks(5, async (world) => {
    const { rank } = world;
    const room = await world.split(rank <= 2 ? 0 : undefined);
    const behind = await world.split(rank === 1 || rank > 2 ? 0 : undefined);
    const onGroup = (communicator: Communicator, name: string, given: Value) => {
      const asked = jobs.find((each) => each.name === name) as typeof describeJob;
      const engine = engineWith(dataSet, communicator.rank);
      return asked.run({ communicator, engine, context: noJob }, asked.parse(given));
    };
    if (!room) return group === "simulation" && behind ? onGroup(behind, job, parameters) : undefined;
    const answers = behind && {
      id: "simulation",
      run: (name: string, given: Value) => onGroup(behind, name, given),
    };
    const asking = groupJob(answers);
    const call = { communicator: room, engine: noEngine, context: noJob };
    return asking.run(call, asking.parse({ group, job, parameters }));
  });
  expect(results.slice(1).every((result) => result === undefined)).toBe(true);
  return results[0];
}

describe("a job of a group beside the room", () => {
  it("describes data that no other rank has: grid, fields and statistics, also those that are not numbers", async () => {
    const found = (await delegated("describe", { source: testSource })) as DescribedData;
    const [alone] = await onRanks(1, (communicator) =>
      describeJob.run(
        { communicator, engine: engineWith(dataSet, 0), context: noJob },
        { source: testSource },
      ),
    );
    expect(found.grid).toEqual(grid);
    expect(found.fields).toEqual(
      dataSet.fields.map(({ name, centering, components, dtype }) => ({
        name,
        centering,
        components,
        dtype,
      })),
    );
    for (const [k, { mean, ...exact }] of found.statistics.entries()) {
      const { mean: expected, ...rest } = alone?.statistics[k] ?? { mean: 0 };
      expect(exact).toEqual(rest);
      if (k < 2) expect(mean).toBeCloseTo(expected, 12);
    }
    expect(found.statistics[2]).toEqual({
      min: Number.NaN,
      max: Number.NaN,
      mean: Number.NaN,
      nan: 378,
      infinite: 0,
      count: 378,
    });
  });

  it("makes the surface that one rank makes, with its arrays", async () => {
    const request = surfaceRequest(testSource, isosurfaceOf("f", 0.25), { text: "f", colorBy: "u[2]" });
    const { mesh, ranks } = (await delegated("surface", request)) as RankedSurface;
    const [alone] = await onRanks(1, (communicator) =>
      surfaceJob.run({ communicator, engine: engineWith(dataSet, 0), context: noJob }, request),
    );
    expect(ranks).toHaveLength(3);
    expect(mesh.indices.length).toBeGreaterThan(0);
    expect(mesh.indices).toBeInstanceOf(Uint32Array);
    expect(mesh.indices.length).toBe(alone?.mesh.indices.length);
    expect(mesh.positions.length).toBe(alone?.mesh.positions.length);
    expect(mesh.scalars?.length).toBe(alone?.mesh.scalars?.length);
  });

  it("fails with the error of the group's rank, as it is, and leaves the room's ranks ready for the next", async () => {
    const request = surfaceRequest(testSource, isosurfaceOf("g", 0.25), { text: "g" });
    await expect(delegated("surface", request)).rejects.toMatchObject({
      tag: "UnknownName",
      problem: expect.stringMatching(/^[^:]*“g”/),
    });
  });

  it("passes on how far the group's ranks are, by their numbers in the group", async () => {
    const heard: [rank: number, fraction: number, step: string][] = [];
    await onRanks(2, async (communicator) => {
      const job = groupJob(
        communicator.rank === 0
          ? undefined
          : {
              id: "simulation",
              async run(_job, _parameters, { progress, progressOf }) {
                progress(0.1, "Of the group's rank 0 once more");
                for (const rank of [0, 1, 2]) progressOf?.(rank, 0.5, "Computing");
                return { found: true };
              },
            },
      );
      const own = (fraction: number, step: string) => heard.push([communicator.rank, fraction, step]);
      const progressOf = (...progress: [number, number, string]) => heard.push(progress);
      const call = { communicator, engine: noEngine, context: { ...noJob, progress: own, progressOf } };
      return job.run(call, job.parse({ group: "simulation", job: "describe", parameters: {} }));
    });
    expect(heard).toEqual([0, 1, 2].map((rank) => [rank, 0.5, "Computing"]));
  });

  it("is refused where nobody of the room stands for the group, and where it is none", async () => {
    await expect(delegated("describe", { source: testSource }, "another")).rejects.toMatchObject({
      tag: "RankFailed",
      problem: "The ranks that have these data have left the room.",
    });
    const invalid: Value[] = [null, {}, { group: "", job: "describe" }, { group: "a", job: "x".repeat(65) }];
    for (const value of invalid) {
      expect(() => groupJob().parse(value), JSON.stringify(value)).toThrow("a job of no group");
    }
  });
});
