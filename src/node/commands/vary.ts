import { modelNamed } from "../../core/lattice/models.ts";
import type { VariedPoint } from "../../embed/lattice-api.ts";
import { type Arguments, numberOption, required, usage } from "../command-line/arguments.ts";
import type { Terminal } from "../command-line/command.ts";
import { wantedDevice } from "../device-option.ts";
import { ownRanks } from "./own-ranks.ts";
import type { SimulateOptions } from "./simulate.ts";
import { lengthsOf, parametersGiven, variationOf } from "./simulate-options.ts";
import { reportLoss, withRanks } from "./with-ranks.ts";

type Given = Arguments<SimulateOptions>["options"];

/** Measures a model at each of a parameter's values, on each size. */
export async function vary(name: string, given: Given, terminal: Terminal) {
  for (const other of ["out", "structure"] as const) {
    if (given[other] !== undefined)
      throw usage(`The option --${other} cannot be used with --vary.`, "Leave it out.");
  }
  const texts = given.sizes?.split(",") ?? [required("size", given.size)];
  const sizes = texts.map((text) => lengthsOf(text.trim(), given.sizes === undefined ? "size" : "sizes"));
  const { parameter, values } = variationOf(given.vary ?? "");
  const sweeps = numberOption("sweeps", required("sweeps", given.sweeps));
  const seed = numberOption("seed", given.seed ?? "1");
  const device = wantedDevice(given.device);
  const options = {
    sizes,
    parameter,
    values,
    sweeps,
    seed,
    parameters: parametersGiven(name, modelNamed(name).parameters, given),
    ...(given.start !== undefined && { start: given.start }),
    ...(given.discard !== undefined && { discard: numberOption("discard", given.discard) }),
  };
  const printed = (points: readonly VariedPoint[]) => ({
    model: name,
    sweeps,
    seed,
    parameter,
    points: points.map(({ size, ...point }) => ({ size: size.join("x"), ...point })),
  });
  if (ownRanks(given.ranks, 1, process.env) !== 1) {
    return withRanks({ device, given: given.ranks, usual: 1 }, terminal, async (ranks) => {
      const start = performance.now();
      const onLost = (lost: number) => reportLoss(lost, terminal);
      const found = await ranks.vary(name, { ...options, onLost });
      return found && { ...printed(found.points), ranks: found.ranks, ms: performance.now() - start };
    });
  }
  const { lattice, releaseDevice } = await import("../library.ts");
  const { points, report, notes } = await lattice.vary(name, {
    ...options,
    device,
    onPoint: ({ size, value }) => terminal.err(`${size.join("x")}, ${parameter} = ${value}`),
  });
  await releaseDevice();
  for (const note of notes) terminal.err(note);
  return { ...printed(points), device: report.device, ms: report.ms };
}
