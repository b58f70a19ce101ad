import { afterEach, describe, expect, it, vi } from "vitest";
import type { TypedArray } from "../../core/dtype.ts";
import type { Grid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import { isPointSet } from "../../core/point-set.ts";
import { bytesOf } from "../../data/bytes/allocate.ts";
import { countedSource } from "../../data/counted-source.ts";
import { openData } from "../../data/read.ts";
import type { Source } from "../../data/source.ts";
import { type FileField, legacyFile, xmlFile } from "../../data/testing/stored-files.ts";
import { openEngineDevice } from "../device.ts";
import { readInPage } from "./page-data.ts";
import { OwnEngine } from "./rank-engine.ts";
import { openRankedData } from "./ranked-data.ts";
import { statisticsJob } from "./statistics-job.ts";
import { Stopwatch } from "./stopwatch.ts";
import { onRanks, testSource } from "./testing/on-ranks.ts";

const nz = 40;
const plane = 64 * 60;
const cells = 63 * 59;
const axis = (length: number) => Float64Array.from({ length }, (_, i) => i + 0.25 * (i % 2));
const grid: Grid = { kind: "rectilinear", dims: [64, 60, nz], axes: [axis(64), axis(60), axis(nz)] };
const scalar = { components: 1, dtype: "f64" } as const;
const fields: FileField[] = [
  { ...scalar, name: "a", centering: "node", data: Float64Array.from({ length: plane * nz }, (_, i) => i) },
  { ...scalar, name: "b", centering: "node", data: new Float64Array(plane * nz).fill(2) },
  {
    ...scalar,
    name: "c",
    centering: "cell",
    data: Float64Array.from({ length: cells * (nz - 1) }, (_, i) => -i),
  },
];

const engineOf = (source: Source | undefined) =>
  new OwnEngine({
    openDevice: () => openEngineDevice("cpu", undefined),
    read: async (_, job, onRead) => source && openData(countedSource(source, onRead), job),
  });

function expectSame(actual: TypedArray, expected: TypedArray): void {
  expect([actual.constructor, actual.length]).toEqual([expected.constructor, expected.length]);
  expect(Buffer.compare(bytesOf(actual), bytesOf(expected))).toBe(0);
}

/** What headers take: windows of text around each array. */
const maxHeaderBytes = 2 ** 19;

describe("ranks", () => {
  const files = { "appended raw": xmlFile(grid, fields, "big", 8), legacy: legacyFile(grid, fields) };
  for (const [kind, { source }] of Object.entries(files)) {
    it.each([1, 2, 3, 7, 50])(
      `read the planes of the fields that are asked for alone: ${kind}, %d ranks`,
      async (ranks) => {
        await onRanks(ranks, async (communicator) => {
          const engine = engineOf(source);
          const watch = new Stopwatch("test");
          const data = await openRankedData(communicator, engine, testSource, noJob, watch);
          const headerBytes = watch.bytesRead;
          expect(headerBytes).toBeLessThan(maxHeaderBytes);
          const { block, dataSet } = await data.block(["a", "c"], 2);
          const planes = block.to - block.from + 1;
          const layers = Math.min(Math.max(1, planes - 1), nz - 1 - block.from);
          expect(dataSet.fields.map(({ name }) => name)).toEqual(["a", "c"]);
          const [a, c] = dataSet.fields.map(({ data }) => data);
          expectSame(a, fields[0].data.subarray(plane * block.from, plane * (block.from + planes)));
          expectSame(c, fields[2].data.subarray(cells * block.from, cells * (block.from + layers)));
          expect(watch.bytesRead - headerBytes).toBe(8 * (plane * planes + cells * layers));
          expect(dataSet.grid).toMatchObject({ dims: [64, 60, planes], part: { first: [0, 0, block.from] } });

          await data.block(["a", "c"], 1);
          expect(watch.bytesRead - headerBytes).toBe(8 * (plane * planes + cells * layers));
        });
      },
    );
  }

  it.each([2, 3, 7])("get the same from the host that alone has the file, on %d ranks", async (ranks) => {
    await onRanks(ranks, async (communicator) => {
      const { rank } = communicator;
      const engine = engineOf(rank === 0 ? files.legacy.source : undefined);
      const watch = new Stopwatch("test");
      const received: number[] = [];
      const recv = async (from: number, tag: number) => {
        const message = await communicator.recv<Float64Array>(from, tag);
        received.push(message.data.byteLength);
        return message;
      };
      const listening = new Proxy(communicator, {
        get(target, name) {
          if (name === "recv") return recv;
          const member = Reflect.get(target, name, target);
          return typeof member === "function" ? member.bind(target) : member;
        },
      });
      const data = await openRankedData(listening, engine, testSource, noJob, watch);
      const { block, dataSet } = await data.block(["a"], 1);
      const values = fields[0].data.slice(plane * block.from, plane * (block.to + 1));
      expectSame(dataSet.fields[0].data, values);
      expect(received).toEqual(rank === 0 ? [] : [values.byteLength]);
      if (rank > 0) expect(watch.bytesRead).toBe(0);
    });
  });

  it("report what each of them has read", async () => {
    const [done] = await onRanks(2, (communicator) => {
      const call = { communicator, engine: engineOf(files.legacy.source), context: noJob };
      return statisticsJob.run(call, { source: testSource, text: "max(a)", wanted: null });
    });
    expect(done?.result).toMatchObject({ kind: "quantity" });
    for (const { bytesRead, layers } of done?.ranks ?? []) {
      const own = 8 * plane * (layers[1] - layers[0] + 1);
      expect(bytesRead).toBeGreaterThanOrEqual(own);
      expect(bytesRead).toBeLessThan(own + maxHeaderBytes);
    }
  });
});

describe("files on servers", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("are read by ranges, also by jobs after the one that opened them", async () => {
    const { source } = xmlFile(grid, fields, "little", 4);
    const bytes = await source.read(0, source.size);
    let served = 0;
    vi.stubGlobal(
      "fetch",
      async (_: URL, { headers, signal }: RequestInit & { headers: { Range: string } }) => {
        if (signal?.aborted) throw signal.reason;
        const [from, to] = headers.Range.slice("bytes=".length).split("-").map(Number);
        const body = bytes.slice(from, to ? to + 1 : 0);
        served += body.length;
        const length = to ? body.length : bytes.length - from;
        return new Response(body, { status: 206, headers: { "content-length": String(length) } });
      },
    );
    let read = 0;
    const first = new AbortController();
    const opened = await readInPage(
      { kind: "url", url: "https://data.example/a.vtr" },
      { ...noJob, signal: first.signal },
      (count) => {
        read += count;
      },
    );
    if (!opened || isPointSet(opened)) throw new TypeError("no grid");
    expect(read).toBeLessThan(maxHeaderBytes);
    first.abort();
    const before = read;
    const values = await opened.fields[1].planes(10, 15, noJob);
    expect(values).toEqual(fields[1].data.slice(plane * 10, plane * 15));
    expect(read - before).toBe(values.byteLength);
    expect(served).toBe(read);
  });
});
