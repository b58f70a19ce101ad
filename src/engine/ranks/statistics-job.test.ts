import { describe, expect, it } from "vitest";
import type { Value } from "../../cluster/communicator/communicator.ts";
import { valueCount } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { RankedResult } from "./ranked-results.ts";
import { statisticsJob } from "./statistics-job.ts";
import { engineWith, onRanks, type Readers, testSource } from "./testing/on-ranks.ts";

const grid = randomGrid([8, 7, 10], 4);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "u", "node", (x, y, z) => [Math.sin(4 * z), x * y, z - x]),
);

/** Those of the only result, which is a field. */
function statisticsIn([{ value }, ...others]: readonly RankedResult[]) {
  if (value.kind !== "field" || others.length > 0) throw new Error("It is a field.");
  return value.statistics;
}

const computed = async (
  ranks: number,
  text: string,
  readers: Readers = "all",
  wanted: readonly string[] | null = null,
  blocks: WantedBlocks = null,
) => {
  const [found, ...others] = await onRanks(ranks, (communicator) =>
    statisticsJob.run(
      { communicator, engine: engineWith(dataSet, communicator.rank, readers), context: noJob },
      { source: testSource, text, wanted, blocks },
    ),
  );
  expect(others.every((other) => other === undefined)).toBe(true);
  if (!found) throw new Error("Rank 0 has no result.");
  return found;
};

describe("statistics over ranks", () => {
  it.each([2, 3, 7])("are one rank's on %i ranks, whoever reads the data", async (ranks) => {
    const alone = await computed(1, "w = curl(u)");
    for (const readers of ["all", "host"] as const) {
      const { results, origin, ranks: reports } = await computed(ranks, "w = curl(u)", readers);
      const { mean, ...exact } = statisticsIn(results);
      const { mean: expected, ...rest } = statisticsIn(alone.results);
      expect(exact).toEqual(rest);
      expect(Math.abs(mean - expected)).toBeLessThanOrEqual(1e-14 * Math.abs(expected));
      expect(origin).toBe(readers === "all" ? "read by each rank" : "sent by the host");
      expect(reports.map(({ rank }) => rank)).toEqual(Array.from({ length: ranks }, (_, rank) => rank));
      const cells = reports.map(({ block }) =>
        block.reduce((product, [first, end]) => product * (end - first), 1),
      );
      expect(cells.reduce((a, b) => a + b)).toBe(valueCount(dataSet.grid, "cell"));
    }
  });

  it("are computed in the blocks that are asked for, which fit the number of ranks", async () => {
    const text = "w = max_position(magnitude(curl(u))); q = quantile(u[0], 0.3); h = histogram(u[1], 7)";
    const alone = await computed(1, text);
    expect(alone.results.map(({ name }) => name)).toEqual(["w", "q", "h"]);
    for (const blocks of [
      [2, 1, 2],
      [1, 4, 1],
      [4, 1, 1],
    ]) {
      const { results, ranks } = await computed(4, text, "host", null, blocks);
      expect(results).toEqual(alone.results);
      const along = [0, 1, 2].map((axis) => new Set(ranks.map(({ block }) => block[axis][0])).size);
      expect(along).toEqual(blocks);
    }
    const { ranks } = await computed(3, text, "all", ["w"], [2, 1, 2]);
    expect(ranks.map(({ block }) => block[2].join())).toEqual(["0,3", "3,6", "6,9"]);
  });

  it("are numbers where the text is one, of the statement that is wanted", async () => {
    const text = "a = max(u[0]); b = 2";
    const { results } = await computed(3, text, "host", ["a"]);
    expect(results).toEqual((await computed(1, text, "all", ["a"])).results);
    const two = { name: "b", value: { kind: "quantity", quantity: { kind: "number", components: [2] } } };
    expect((await computed(3, text)).results).toEqual([...results, two]);
  });

  it("of several results are those of each alone, taken in one exchange", async () => {
    const text = "a = curl(u); s = u[0] - avg(u[1]); m = max(u[2]); c = recenter(u[0]); n = min(s)";
    const together = await computed(3, text);
    expect(together.results.map(({ name }) => name)).toEqual(["a", "m", "c", "n"]);
    for (const result of together.results) {
      const alone = await computed(3, text, "all", [result.name]);
      expect(alone.results).toEqual([result]);
    }
    const exchanges = ({ trace }: typeof together) =>
      trace[0].filter(({ name, traffic }) => name === "allgather" && traffic).length;
    // What all ranks know of the data, the mean and the maximum together, the minimum, and the fields' statistics together.
    expect(exchanges(together)).toBe(4);
  });

  it("are refused with the text's own error, and where no rank has the data", async () => {
    await expect(computed(2, "curl(")).rejects.toMatchObject({ tag: "SyntaxError" });
    const nobody = onRanks(2, (communicator) =>
      statisticsJob.run(
        { communicator, engine: engineWith(dataSet, 1, "host"), context: noJob },
        { source: testSource, text: "u", wanted: null, blocks: null },
      ),
    );
    await expect(nobody).rejects.toMatchObject({ tag: "BadArgument", problem: "No rank can read “test”." });
  });

  it("are cancelled by the host's person at once, though the host waits for a rank that is at work", async () => {
    const person = new AbortController();
    const stopped: number[] = [];
    const outcomes = await Promise.allSettled([
      onRanks(3, (communicator) => {
        const { rank } = communicator;
        const engine = engineWith(dataSet, rank);
        const atWork: RankEngine = {
          ...engine,
          bytesRead: 0,
          device: () => engine.device(),
          described: () => engine.described(),
          workers: undefined,
          lendTurn: (work) => work(),
          runPart: (_, isOwn, work) =>
            work({ ...noJob, signal: isOwn ? person.signal : new AbortController().signal }),
          async read(source, job) {
            if (rank !== 2) return engine.read(source, job);
            person.abort();
            return new Promise((_, reject) => {
              job.signal.addEventListener("abort", () => {
                stopped.push(rank);
                reject(new Error("stopped"));
              });
            });
          },
        };
        // A job's service does the same: what it listens to ends with the communicator.
        const stop = new AbortController();
        communicator.irecv(0, 1).done.catch(() => stop.abort());
        const context = { ...noJob, signal: stop.signal };
        const call = { communicator, engine: atWork, context };
        return statisticsJob.run(call, { source: testSource, text: "u", wanted: null, blocks: null });
      }),
    ]);
    expect(outcomes[0]).toMatchObject({ status: "rejected", reason: { tag: "Cancelled" } });
    expect(stopped).toEqual([2]);
  });

  it("check what a host asks for", () => {
    const raw = {
      dims: [2, 3, 4],
      dtype: "u16",
      byteOrder: "big",
      components: 1,
      headerBytes: 8,
      spacing: [1, 1, 2],
      origin: [0, -1, 0],
    };
    const source = { kind: "sample", name: "tangle", size: 20 };
    expect(statisticsJob.parse({ source, text: "a", wanted: null, blocks: null })).toEqual({
      source,
      text: "a",
      wanted: null,
      blocks: null,
    });
    const described = {
      source: { kind: "path", path: "/x.raw", raw },
      text: "a",
      wanted: null,
      blocks: null,
    } as const;
    expect(statisticsJob.parse(described)).toEqual(described);
    const atAddress = {
      ...described,
      source: { kind: "url", url: "https://data.example/x.raw", raw },
    } as const;
    expect(statisticsJob.parse(atAddress)).toEqual(atAddress);
    const wrongDescriptions: Value[] = [
      3,
      { ...raw, dims: [2, 3] },
      { ...raw, dims: [2, 3, 0] },
      { ...raw, dims: [2, 3, 4e300] },
      { ...raw, dtype: "f16" },
      { ...raw, byteOrder: "middle" },
      { ...raw, components: 0 },
      { ...raw, headerBytes: -1 },
      { ...raw, spacing: [1, 1, 0] },
      { ...raw, origin: [1, 1, "x"] },
    ];
    const wrong: Value[] = [
      null,
      { source, text: 3, wanted: null, blocks: null },
      ...[3, [1, 2], [1, 2, 0], [1, 1, 2.5], [1, 1, 1e9], ["1", 1, 1]].map((blocks) => ({
        source,
        text: "a",
        wanted: null,
        blocks,
      })),
      { source, text: "a", wanted: "a", blocks: null },
      { source, text: "a", wanted: [1], blocks: null },
      { source: { kind: "sample", name: "cow", size: null }, text: "a", wanted: null, blocks: null },
      { source: { kind: "sample", name: "tangle", size: 1e9 }, text: "a", wanted: null, blocks: null },
      { source: { kind: "path", path: "", raw: null }, text: "a", wanted: null, blocks: null },
      ...wrongDescriptions.map((raw) => ({
        source: { kind: "path", path: "/x", raw },
        text: "a",
        wanted: null,
        blocks: null,
      })),
      { source: { kind: "file", path: "/x" }, text: "a", wanted: null, blocks: null },
    ];
    for (const value of wrong) expect(() => statisticsJob.parse(value)).toThrow();
  });
});
