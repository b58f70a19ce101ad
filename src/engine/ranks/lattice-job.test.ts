import { describe, expect, it } from "vitest";
import { runWorkingRanks } from "../../cluster/communicator/testing/run-ranks.ts";
import type { CrinkleError } from "../../core/errors.ts";
import { noJob } from "../../core/job.ts";
import { readDataSet } from "../../data/read.ts";
import { bytesSource } from "../../data/source.ts";
import type { Chunks } from "../../data/write/chunks.ts";
import { Devices } from "../../embed/devices.ts";
import { latticeInterface } from "../../embed/lattice.ts";
import { openEngineDevice } from "../device.ts";
import { type LatticeRequest, latticeJob } from "./lattice-job.ts";
import { OwnEngine } from "./rank-engine.ts";
import { onRanks } from "./testing/on-ranks.ts";

const request: LatticeRequest = {
  model: "ising",
  size: [36, 10],
  sweeps: 20,
  seed: 5,
  parameters: { temperature: 2.2 },
  start: "random",
  discard: 4,
  structureEvery: 10,
  index: null,
};

const cpuEngine = () =>
  new OwnEngine({ openDevice: () => openEngineDevice("cpu", undefined), read: async () => undefined });

const onEngines = (ranks: number, given: LatticeRequest) =>
  onRanks(ranks, (communicator) =>
    latticeJob.run({ communicator, engine: cpuEngine(), context: noJob }, latticeJob.parse(given)),
  );

/** What one device makes of the same. */
const alone = ({ model, start, structureEvery, index: _, ...given }: LatticeRequest) =>
  latticeInterface(new Devices(async () => ({ gpu: undefined, reason: "" }))).simulate(model, {
    ...given,
    start: start ?? undefined,
    structureEvery: structureEvery ?? undefined,
    device: "cpu",
  });

describe("a model that ranks run", () => {
  it.each([
    [3, request],
    [2, { ...request, model: "gray-scott", parameters: {}, size: [6, 5, 9], sweeps: 10, discard: 2 }],
    [2, { ...request, model: "potts-swendsen-wang", parameters: { states: 4 }, size: [9, 7], sweeps: 10 }],
  ])("has the measures and the state of one device: %i ranks, %j", async (ranks, given) => {
    const [found, ...others] = await onEngines(ranks, given);
    expect(others.every((other) => other === undefined)).toBe(true);
    const { measures, structure, fields } = await alone(given);
    expect(found?.fields).toEqual(fields);
    for (const [name, { mean }] of Object.entries(measures))
      expect(found?.measures[name].mean).toBeCloseTo(mean, 5);
    expect(found?.structure).toEqual(structure);
    expect(found?.ranks.map(({ device }) => device)).toEqual(Array.from({ length: ranks }, () => "CPU"));
    expect(found?.ranks.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    for (const { sent, received } of found?.ranks ?? []) expect(Math.min(sent, received)).toBeGreaterThan(0);
  });

  it.each([
    [3, { ...request, size: [6, 4, 10] }, [4, 4, 4]],
    [2, { ...request, model: "gray-scott", parameters: {}, start: "spot", size: [6, 9] }, [5, 5]],
    [2, { ...request, model: "potts-swendsen-wang", parameters: { states: 4 }, size: [9, 7] }, [4, 4]],
    // The last layer alone is in the piece before it.
    [3, { ...request, model: "gray-scott", parameters: {}, start: "spot", size: [8, 3] }, [2, 2]],
    [2, { ...request, size: [64] }, [64]],
  ])(
    "writes its last state in pieces, which have borders in common: %i ranks, %j",
    async (ranks, given, counts) => {
      const files = new Map<string, Chunks>();
      const [found] = await onRanks(ranks, (communicator) => {
        const engine = new OwnEngine({
          openDevice: () => openEngineDevice("cpu", undefined),
          read: async () => undefined,
          write: async (path, chunks) => void files.set(path, chunks),
        });
        const call = { communicator, engine, context: noJob };
        return latticeJob.run(
          call,
          latticeJob.parse({ ...given, structureEvery: null, index: "/out/s.pvti" }),
        );
      });
      expect(found?.fields).toEqual({});
      const { fields } = await alone({ ...given, structureEvery: null });
      const names = counts.map((_, rank) => `s_${rank}.vti`);
      expect([...files.keys()].sort()).toEqual(["/out/s.pvti", ...names.map((name) => `/out/${name}`)]);
      const text = Buffer.concat(files.get("/out/s.pvti") ?? []).toString();
      expect([...text.matchAll(/Source="([^"]*)"/g)].map(([, name]) => name)).toEqual(names);
      const most = given.size.at(-1) as number;
      let first = 0;
      for (const [rank, count] of counts.entries()) {
        const piece = new Uint8Array(Buffer.concat(files.get(`/out/s_${rank}.vti`) ?? []));
        const read = await readDataSet(bytesSource(piece, "s.vti"), noJob);
        expect(read.grid.dims[given.size.length - 1]).toBe(count);
        for (const { name, data } of read.fields) {
          const { values } = fields[name];
          const perLayer = values.length / most;
          expect([...data]).toEqual([...values.subarray(first * perLayer, (first + count) * perLayer)]);
        }
        first += count - 1;
      }
      expect(first).toBe(most - 1);
    },
  );

  it("says that the lattice has too few layers for all ranks", async () => {
    const [found] = await onEngines(3, { ...request, size: [8, 2], structureEvery: null });
    expect(found?.ranks.map(({ share }) => share)).toEqual([1, 0, 0]);
    expect(found?.notes).toEqual(["The lattice has too few layers for 3 ranks: 1 has all 2."]);
  });

  it("ends on all ranks where it is cancelled", async () => {
    const stop = new AbortController();
    const outcomes = await runWorkingRanks(3, { seed: 1 }, async (communicator) => {
      const engine = cpuEngine();
      const context = { ...noJob, signal: stop.signal, progress: () => stop.abort() };
      const call = { communicator, engine, context: communicator.rank === 0 ? context : noJob };
      const long = { ...request, sweeps: 1e9, structureEvery: null };
      return latticeJob.run(call, latticeJob.parse(long)).catch((error) => {
        communicator.revoke();
        throw error;
      });
    });
    const tags = outcomes.map((outcome) => ("error" in outcome ? (outcome.error as CrinkleError).tag : ""));
    expect(tags).toEqual(["Cancelled", "Revoked", "Revoked"]);
  });

  it("is refused where the model, its lattice or its parameters are wrong", async () => {
    await expect(onEngines(2, { ...request, model: "isinf" })).rejects.toThrow("Did you mean ising?");
    await expect(onEngines(2, { ...request, size: [8, 5] })).rejects.toThrow("odd length");
    await expect(onEngines(2, { ...request, parameters: { heat: 1 } })).rejects.toThrow("heat");
    for (const wrong of [
      { model: 1 },
      { size: [8, -2] },
      { sweeps: 0 },
      { discard: 20 },
      { parameters: { temperature: "2" } },
      { start: 3 },
      { structureEvery: 0.5 },
    ]) {
      expect(
        () => latticeJob.parse({ ...request, ...wrong } as LatticeRequest),
        JSON.stringify(wrong),
      ).toThrow();
    }
  });
});
