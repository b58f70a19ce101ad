import { afterEach, describe, expect, it, vi } from "vitest";
import { boxCount, boxDims, wholeBox } from "../../core/box.ts";
import { isEmptyBox, valuesIn } from "../../core/box-values.ts";
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
import { cellsOfBlocks, chooseBlocks } from "./blocks.ts";
import type { Division } from "./division.ts";
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
          const layers = { blocks: [1, 1, ranks] };
          const data = await openRankedData(communicator, engine, testSource, noJob, watch, layers);
          const headerBytes = watch.bytesRead;
          expect(headerBytes).toBeLessThan(maxHeaderBytes);
          const { nodes, dataSet } = await data.block(["a", "c"], 2);
          expect(dataSet.fields.map(({ name }) => name)).toEqual(["a", "c"]);
          const [a, c] = dataSet.fields.map(({ data }) => data);
          const [from, end] = [nodes.first[2], nodes.end[2]];
          const isEmpty = isEmptyBox(data.cells);
          expectSame(a, fields[0].data.subarray(plane * from, isEmpty ? 1 : plane * end));
          expectSame(c, fields[2].data.subarray(cells * from, isEmpty ? 1 : cells * (end - 1)));
          const bytes = 8 * (isEmpty ? 2 : plane * (end - from) + cells * (end - from - 1));
          expect(watch.bytesRead - headerBytes).toBe(bytes);
          const dims = isEmpty ? [1, 1, 1] : [64, 60, end - from];
          expect(dataSet.grid).toMatchObject({ dims, part: { first: [0, 0, from] } });

          await data.block(["a", "c"], 1);
          expect(watch.bytesRead - headerBytes).toBe(bytes);
        });
      },
    );
  }

  it("read the rows that their blocks span, and keep them", async () => {
    const { source } = files.legacy;
    await onRanks(4, async (communicator) => {
      const engine = engineOf(source);
      const watch = new Stopwatch("test");
      const division = { blocks: [2, 2, 1] };
      const data = await openRankedData(communicator, engine, testSource, noJob, watch, division);
      const before = watch.bytesRead;
      const { nodes, dataSet } = await data.block(["a"], 2);
      const expected = valuesIn(fields[0].data, wholeBox(grid.dims), nodes, 1);
      expectSame(dataSet.fields[0].data, expected);
      const [x, y] = data.cells.first;
      expect(boxDims(nodes)).toEqual([x === 0 ? 34 : 35, y === 0 ? 32 : 33, nz]);
      // Between the ends of rows lie 240 bytes, and between the rows of planes 14 KiB: both are less than a read is worth.
      const all = watch.bytesRead - before;
      expect(all).toBeLessThanOrEqual(8 * plane * nz);
      expect(all).toBeGreaterThan(8 * boxCount(nodes));
      expectSame((await data.block(["a"], 2)).dataSet.fields[0].data, expected);
      expect(watch.bytesRead - before).toBe(all);
    });
  });

  it("have blocks chosen by the layers around them, where nobody has", async () => {
    const asked: unknown[] = [];
    await onRanks(16, async (communicator) => {
      const division = {
        blocks: [3, 1, 1],
        ghosts: async (known: readonly { readonly name: string }[]) => {
          if (communicator.rank === 0) asked.push(known.map(({ name }) => name));
          return 5;
        },
      };
      const engine = engineOf(files.legacy.source);
      const watch = new Stopwatch("test");
      const data = await openRankedData(communicator, engine, testSource, noJob, watch, division);
      const counts = chooseBlocks(grid, 16, 5);
      expect(counts[2]).toBeLessThan(16);
      expect(data.shares).toEqual(cellsOfBlocks(grid, counts));
    });
    expect(asked).toEqual([["a", "b", "c"]]);
  });

  it("stay divided as they were for another job, so that nothing is read again, until more layers are needed", async () => {
    await onRanks(16, async (communicator) => {
      const engine = engineOf(files.legacy.source);
      const watch = new Stopwatch("test");
      const open = async (ghosts: number, by = engine, blocks: Division["blocks"] = null) =>
        openRankedData(communicator, by, testSource, noJob, watch, { blocks, ghosts: async () => ghosts });
      const chosen = (ghosts: number) => cellsOfBlocks(grid, chooseBlocks(grid, 16, ghosts));
      const first = await open(5);
      await first.block(["a"], 5);
      const read = watch.bytesRead;
      expect(first.shares).toEqual(chosen(5));
      expect(first.shares).not.toEqual(chosen(0));
      // Of the second one a rank knows nothing, as one that has just joined.
      const second = await open(0, communicator.rank === 3 ? engineOf(files.legacy.source) : engine);
      expect(second.shares).toEqual(first.shares);
      if (communicator.rank !== 3) {
        await second.block(["a"], 2);
        expect(watch.bytesRead).toBe(read);
      } else await second.block(["a"], 2);
      const layers = cellsOfBlocks(grid, [1, 1, 16]);
      expect((await open(0, engine, [1, 1, 16])).shares).toEqual(layers);
      expect((await open(0, engine, "as before")).shares).toEqual(layers);
      expect((await open(0)).shares).toEqual(chosen(0));
      expect((await open(0, engine, "layers")).shares).toEqual(layers);
      expect((await open(6)).shares).toEqual(chosen(6));
    });
  });

  it.each([
    [2, undefined],
    [3, 3 * 8 * 34 * 5],
    [7, 8 * plane],
  ])("get the same from the host that alone has the file, on %d ranks", async (ranks, partBytes) => {
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
      const any = { blocks: null };
      const data = await openRankedData(listening, engine, testSource, noJob, watch, any, partBytes);
      const { nodes, dataSet } = await data.block(["a"], 1);
      const values = valuesIn(fields[0].data, wholeBox(grid.dims), nodes, 1);
      expectSame(dataSet.fields[0].data, values);
      expect(received.reduce((sum, bytes) => sum + bytes, 0)).toBe(rank === 0 ? 0 : values.byteLength);
      if (rank > 0) expect(received.length > 1).toBe(partBytes !== undefined);
      for (const bytes of received) expect(bytes).toBeLessThanOrEqual(partBytes ?? values.byteLength);
      if (rank > 0) expect(watch.bytesRead).toBe(0);
    });
  });

  it("report what each of them has read", async () => {
    const [done] = await onRanks(2, (communicator) => {
      const call = { communicator, engine: engineOf(files.legacy.source), context: noJob };
      return statisticsJob.run(call, { source: testSource, text: "max(a)", wanted: null, blocks: null });
    });
    expect(done?.results).toMatchObject([{ value: { kind: "quantity" } }]);
    for (const { bytesRead, block } of done?.ranks ?? []) {
      const own = 8 * plane * (block[2][1] - block[2][0] + 1);
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
      { kind: "url", url: "https://data.example/a.vtr", raw: null },
      { ...noJob, signal: first.signal },
      (count) => {
        read += count;
      },
    );
    if (!opened || isPointSet(opened)) throw new TypeError("no grid");
    expect(read).toBeLessThan(maxHeaderBytes);
    first.abort();
    const before = read;
    const values = await opened.fields[1].values({ first: [0, 0, 10], end: [64, 60, 15] }, noJob);
    expect(values).toEqual(fields[1].data.slice(plane * 10, plane * 15));
    expect(read - before).toBe(values.byteLength);
    expect(served).toBe(read);
  });
});
