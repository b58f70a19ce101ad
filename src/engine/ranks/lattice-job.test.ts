import { describe, expect, it } from "vitest";
import { runWorkingRanks } from "../../cluster/communicator/testing/run-ranks.ts";
import type { CrinkleError } from "../../core/errors.ts";
import { noJob } from "../../core/job.ts";
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
};

const cpuEngine = () =>
  new OwnEngine({ openDevice: () => openEngineDevice("cpu", undefined), read: async () => undefined });

const onEngines = (ranks: number, given: LatticeRequest) =>
  onRanks(ranks, (communicator) =>
    latticeJob.run({ communicator, engine: cpuEngine(), context: noJob }, latticeJob.parse(given)),
  );

/** What one device makes of the same. */
const alone = ({ model, start, structureEvery, ...given }: LatticeRequest) =>
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
