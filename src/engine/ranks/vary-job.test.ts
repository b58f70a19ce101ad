import { expect, it } from "vitest";
import { noJob } from "../../core/job.ts";
import { Devices } from "../../embed/devices.ts";
import { latticeInterface } from "../../embed/lattice.ts";
import { openEngineDevice } from "../device.ts";
import { OwnEngine } from "./rank-engine.ts";
import { onRanks } from "./testing/on-ranks.ts";
import { type VaryRequest, varyJob } from "./vary-job.ts";

const request: VaryRequest = {
  model: "ising",
  sizes: [
    [4, 4],
    [8, 6],
  ],
  parameter: "temperature",
  values: [2, 2.3, 2.6],
  sweeps: 50,
  seed: 5,
  parameters: {},
  start: null,
  discard: 10,
};

const onEngines = (ranks: number, given: VaryRequest) =>
  onRanks(ranks, (communicator) => {
    const engine = new OwnEngine({
      openDevice: () => openEngineDevice("cpu", undefined),
      read: async () => undefined,
    });
    return varyJob.run({ communicator, engine, context: noJob }, varyJob.parse(given));
  });

it.each([
  [3, request],
  [2, { ...request, model: "ising-swendsen-wang", sizes: [[5, 4]], sweeps: 40 }],
  [4, { ...request, values: [2], sizes: [[4, 4]] }],
])(
  "ranks share the runs of a variation, and measure what one device does: %i ranks, %j",
  async (ranks, given) => {
    const [found, ...others] = await onEngines(ranks, given);
    expect(others.every((other) => other === undefined)).toBe(true);
    const { model, start, ...options } = given;
    const lattice = latticeInterface(new Devices(async () => ({ gpu: undefined, reason: "" })));
    const { points } = await lattice.vary(model, { ...options, device: "cpu" });
    expect(found?.points).toEqual(points);
    const shares = found?.ranks.map((rank) => rank.points) ?? [];
    expect(shares.reduce((sum, count) => sum + count, 0)).toBe(points.length);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  },
);

it("is refused where a run is wrong, before any begins", async () => {
  await expect(
    onEngines(2, {
      ...request,
      sizes: [
        [4, 4],
        [4, 5],
      ],
    }),
  ).rejects.toThrow("odd length");
  await expect(onEngines(2, { ...request, parameter: "heat" })).rejects.toThrow("heat");
  for (const wrong of [{ sizes: [4, 4] }, { parameter: 1 }, { values: ["2"] }, { sweeps: 0 }]) {
    expect(() => varyJob.parse({ ...request, ...wrong } as VaryRequest), JSON.stringify(wrong)).toThrow();
  }
});
