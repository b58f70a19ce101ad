import { describe, expect, it } from "vitest";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { counted, transformed } from "../../core/hypercube/testing/reference.ts";
import { noJob } from "../../core/job.ts";
import { openData, readDataSet } from "../../data/read.ts";
import { bytesSource } from "../../data/source.ts";
import type { Chunks } from "../../data/write/chunks.ts";
import { openEngineDevice } from "../device.ts";
import { OwnEngine } from "./rank-engine.ts";
import { onRanks } from "./testing/on-ranks.ts";
import { type ArrayRequest, transformArrayJob } from "./transform-array-job.ts";

const headerBytes = 128;

/** An array that counts from 1 as elements of some numbers each behind a header, and what its file is asked for. */
function arrayOn(
  lengths: readonly number[],
  text: string,
  { index = null, components = 1 }: Partial<Pick<ArrayRequest, "index" | "components">> = {},
) {
  const numbers = counted(lengths).values.flatMap((value) => new Array<number>(components).fill(value));
  const file = new Uint8Array([
    ...new Uint8Array(headerBytes),
    ...new Uint8Array(Float64Array.from(numbers).buffer),
  ]);
  const request = { path: "/a.npy", text, lengths, headerBytes, dtype: "f64", components, index } as const;
  return { request, file, expected: parseTransform(text).reduce(transformed, counted(lengths)) };
}

/** What each rank has in the end; `files` gets those that ranks write. Ranks from `readers` on cannot read. */
const onEngines = (
  ranks: number,
  { request, file }: Pick<ReturnType<typeof arrayOn>, "request" | "file">,
  readers = ranks,
  files = new Map<string, Chunks>(),
) =>
  onRanks(ranks, (communicator) => {
    const engine = new OwnEngine({
      openDevice: () => openEngineDevice("cpu", undefined),
      async read(source, job, onRead) {
        if (source.kind !== "path" || !source.raw || communicator.rank >= readers) return undefined;
        const bytes = bytesSource(file, "a.npy");
        const read: typeof bytes.read = (from, to) => {
          onRead(to - from);
          return bytes.read(from, to);
        };
        return openData({ ...bytes, read }, job, { raw: source.raw });
      },
      write: async (path, chunks) => void files.set(path, chunks),
    });
    return transformArrayJob.run(
      { communicator, engine, context: noJob },
      transformArrayJob.parse(structuredClone(request)),
    );
  });

describe("a transform of an array by ranks", () => {
  it.each([
    [3, [4, 3, 5, 6], "shift(3, 2) | transpose(0, 2) | flip(1)", 3],
    // Two slower axes than the one that is cut.
    [4, [3, 8, 2, 3], "crinkle(1, 2) | shift(3, 1)", 4],
    [3, [2, 2, 2, 2, 2], "morton()", 3],
    [3, [6, 7], "pad(x, 1, 0) | flip(y)", 2],
    [5, [3], "shift(x, 1)", 5],
  ] as const)("makes on %i ranks of %j by %s what loops make, where %i can read", async (...given) => {
    const [ranks, lengths, text, readers] = given;
    const array = arrayOn(lengths, text);
    const [made, ...others] = await onEngines(ranks, array, readers);
    expect([...(made?.values ?? [])]).toEqual(array.expected.values);
    expect(others.every((other) => other === undefined)).toBe(true);
    expect(made?.ranks.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(made?.origin).toBe(readers === ranks ? "read by each rank" : "sent by the host");
  });

  it("has each rank read its layers of the file alone", async () => {
    const [made] = await onEngines(3, arrayOn([64, 30], "flip(y)"));
    const [layer, looked] = [8 * 64, 1024];
    for (const { share, bytesRead } of made?.ranks ?? []) {
      expect(share).toBeCloseTo(1 / 3, 12);
      expect(bytesRead).toBeLessThanOrEqual(10 * layer + looked);
    }
  });

  it("moves elements of two numbers each", async () => {
    const array = arrayOn([4, 6], "shift(y, 1) | flip(x)", { components: 2 });
    const [made] = await onEngines(2, array);
    expect([...(made?.values ?? [])]).toEqual(array.expected.values.flatMap((value) => [value, value]));
  });

  it("is written in pieces as a grid of its shape", async () => {
    const files = new Map<string, Chunks>();
    const array = arrayOn([5, 6], "transpose(x, y)", { index: "/out/r.pvti" });
    await onEngines(2, array, 2, files);
    expect([...files.keys()].sort()).toEqual(["/out/r.pvti", "/out/r_0.vti", "/out/r_1.vti"]);
    const piece = new Uint8Array(Buffer.concat(files.get("/out/r_1.vti") ?? []));
    const { grid, fields } = await readDataSet(bytesSource(piece, "r.vti"), noJob);
    expect(grid.dims).toEqual([6, 3, 1]);
    expect([...fields[0].data]).toEqual(array.expected.values.slice(12));
  });

  it("is refused where no rank can read it, or what is asked for is none", async () => {
    await expect(onEngines(2, arrayOn([4], "flip(x)"), 0)).rejects.toThrow("No rank can read “/a.npy”.");
    const { request } = arrayOn([4], "flip(x)");
    for (const change of [
      { lengths: [] },
      { lengths: [2.5] },
      { dtype: "f2" },
      { components: 3 },
      { index: "r.vti" },
    ])
      expect(() => transformArrayJob.parse({ ...request, ...change })).toThrow();
  });
});
