// What algorithms exchange, counted where they run: on CPU ranks in memory, over few elements.

import { composedIsosurface } from "../../src/algorithms/surfaces/isosurface.ts";
import { surfaceGrid } from "../../src/algorithms/surfaces/surface-grid.ts";
import { tangleField, uniformGrid } from "../../src/bench/cases/fields.ts";
import type { Data } from "../../src/cluster/communicator/communicator.ts";
import { runWorkingRanks } from "../../src/cluster/communicator/testing/run-ranks.ts";
import { add } from "../../src/core/primitives/operators.ts";
import type { Primitives } from "../../src/core/primitives/primitives.ts";
import { subtreeOrder } from "../../src/cpu/kd-tree/subtree-order.ts";
import { createCpuPrimitives } from "../../src/cpu/primitives/cpu-primitives.ts";
import type { DistributedPrimitives } from "../../src/distributed/api.ts";
import { createDistributedPrimitives } from "../../src/distributed/distributed-primitives.ts";
import { buildRankedTree } from "../../src/engine/ranks/kd-tree/ranked-tree.ts";
import { RecordedCommunicator } from "../../src/engine/ranks/recorded-communicator.ts";
import { Stopwatch } from "../../src/engine/ranks/stopwatch.ts";
import { coordinatesOf, isovalue, partOf, planesOf, type RankPlace, wordsOf } from "./inputs.ts";

/** What an algorithm exchanges; bytes are those of the rank that sends most. */
export interface Exchanges {
  readonly allgathers: number;
  readonly alltoalls: number;
  /** Exchanges with those ranks alone that have something for each other, such as halos. */
  readonly halos: number;
  /** Bytes that the rank gives to all allgathers together: each other rank gets them. */
  readonly gathered: number;
  /** Bytes that the rank sends in all alltoalls and exchanges with some ranks together. */
  readonly exchanged: number;
  /** Bytes that the rank's device gives to the host, and takes from it. */
  readonly readBack: number;
  readonly written: number;
}

/** A further isovalue of the same field, of which ranks have kept the halos. */
const further = "isosurface, further isovalue";

export type CountedAlgorithm = "isosurface" | typeof further | "scan" | "sort" | "KD-tree";

const cpu = createCpuPrimitives();

/** Counts the messages to each rank: an exchange with some ranks sends each of them one. */
class NotingCommunicator extends RecordedCommunicator {
  readonly sends = new Map<number, number>();

  override send(to: number, data: Data, tag?: number): Promise<void> {
    this.sends.set(to, (this.sends.get(to) ?? 0) + 1);
    return super.send(to, data, tag);
  }
}

/** A rank's own primitives, with the bytes that a device would pass to the host and back. */
function staged(): { readonly local: Primitives; readonly bytes: { readBack: number; written: number } } {
  const bytes = { readBack: 0, written: 0 };
  const overrides: Partial<Primitives> = {
    toHost(vector) {
      bytes.readBack += vector.length * vector.components * Uint32Array.BYTES_PER_ELEMENT;
      return cpu.toHost(vector);
    },
    fromHost(type, data, components) {
      bytes.written += data.byteLength;
      return cpu.fromHost(type, data, components);
    },
  };
  return { local: { ...cpu, ...overrides }, bytes };
}

type Work = (
  p: DistributedPrimitives,
  place: RankPlace,
  n: number,
  local: Primitives,
) => Promise<() => Promise<unknown>>;

const isosurface: Work = async (p, place, n) => {
  const grid = uniformGrid([n, n, n], -3, 6);
  const own = tangleField(partOf(grid, planesOf(place, n))).data as Float32Array;
  const values = await p.fromParts("f32", own);
  const on = surfaceGrid(p, grid);
  return () => composedIsosurface(p, on, values, { isovalues: [isovalue] });
};

/** Each makes its input; what it returns is counted. */
const works: Readonly<Record<CountedAlgorithm, Work>> = {
  isosurface,
  [further]: isosurface,
  async scan(p, place, n) {
    const words = await p.fromParts("u32", wordsOf(place, n));
    return () => p.inclusiveScan(words, add);
  },
  async sort(p, place, n) {
    const words = await p.fromParts("u32", wordsOf(place, n));
    return () => p.sort(words);
  },
  async "KD-tree"(p, place, n, local) {
    const coordinates = coordinatesOf(place, n);
    const { rank, size } = place;
    return () => buildRankedTree({ rank, size, local, all: p, orderOf: subtreeOrder }, coordinates);
  },
};

/** Counts what an algorithm over n elements (of an isosurface: nodes along an edge) exchanges on so many ranks. */
export async function countExchanges(
  algorithm: CountedAlgorithm,
  ranks: number,
  n: number,
): Promise<Exchanges> {
  const outcomes = await runWorkingRanks(ranks, { seed: 1 }, async (communicator) => {
    const watch = new Stopwatch(algorithm);
    const { local, bytes } = staged();
    const noting = new NotingCommunicator(communicator, watch);
    const p = createDistributedPrimitives(noting, local);
    const work = await works[algorithm](p, communicator, n, local);
    // Behind all that makes the input.
    await p.count(p.counting("u32", 1), 0);
    if (algorithm === further) await work();
    const first = watch.spans.length;
    noting.sends.clear();
    const before = { ...bytes };
    await work();
    const calls = watch.spans.slice(first).filter(({ traffic }) => traffic !== undefined);
    const of = (name: string) => calls.filter((call) => call.name === name);
    const sent = (name: string) => of(name).reduce((sum, { traffic }) => sum + (traffic?.sent ?? 0), 0);
    const [allgathers, alltoalls] = ["allgather", "alltoall"].map((name) => of(name).length);
    const messages = of("send").length + of("recv").length;
    if (allgathers + alltoalls + messages !== calls.length)
      throw new Error(`${algorithm} calls other collectives.`);
    const gathered = ranks > 1 ? sent("allgather") / (ranks - 1) : 0;
    return {
      allgathers,
      alltoalls,
      halos: Math.max(0, ...noting.sends.values()),
      gathered,
      exchanged: sent("alltoall") + sent("send"),
      readBack: bytes.readBack - before.readBack,
      written: bytes.written - before.written,
    };
  });
  const counts = outcomes.map((outcome) => {
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  });
  const most = (of: keyof Exchanges) => Math.max(...counts.map((count) => count[of]));
  return {
    allgathers: most("allgathers"),
    alltoalls: most("alltoalls"),
    halos: most("halos"),
    gathered: most("gathered"),
    exchanged: most("exchanged"),
    readBack: most("readBack"),
    written: most("written"),
  };
}
