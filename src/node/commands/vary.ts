import { modelNamed } from "../../core/lattice/models.ts";
import { type Arguments, numberOption } from "../command-line/arguments.ts";
import type { Terminal } from "../command-line/command.ts";
import { wantedDevice } from "../device.ts";
import type { SimulateOptions } from "./simulate.ts";
import { lengthsOf, parametersGiven, usage, variationOf } from "./simulate-options.ts";
import { required } from "./surfaces/extract.ts";

type Given = Arguments<SimulateOptions>["options"];

/** Measures a model at each of a parameter's values, on each size. */
export async function vary(name: string, given: Given, terminal: Terminal) {
  for (const other of ["out", "structure", "ranks"] as const) {
    if (given[other] !== undefined)
      throw usage(`The option --${other} cannot be used with --vary.`, "Leave it out.");
  }
  const texts = given.sizes?.split(",") ?? [required("size", given.size)];
  const sizes = texts.map((text) => lengthsOf(text.trim(), given.sizes === undefined ? "size" : "sizes"));
  const { parameter, values } = variationOf(given.vary ?? "");
  const sweeps = numberOption("sweeps", required("sweeps", given.sweeps));
  const seed = numberOption("seed", given.seed ?? "1");
  const { lattice, releaseDevice } = await import("../library.ts");
  const { points, report, notes } = await lattice.vary(name, {
    sizes,
    parameter,
    values,
    sweeps,
    seed,
    parameters: parametersGiven(name, modelNamed(name).parameters, given),
    start: given.start,
    discard: given.discard === undefined ? undefined : numberOption("discard", given.discard),
    device: wantedDevice(given.device),
    onPoint: ({ size, value }) => terminal.err(`${size.join("x")}, ${parameter} = ${value}`),
  });
  await releaseDevice();
  for (const note of notes) terminal.err(note);
  return {
    model: name,
    sweeps,
    seed,
    parameter,
    points: points.map(({ size, ...point }) => ({ size: size.join("x"), ...point })),
    device: report.device,
    ms: report.ms,
  };
}
