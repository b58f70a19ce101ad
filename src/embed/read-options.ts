import type { StrategyRequest } from "../lang/expression/execute/gpu/choose-strategy.ts";
import { strategyNames } from "../lang/expression/plan/strategies.ts";
import type { DeriveEvent, MeshOptions, StrategyName, SurfaceInput } from "./api.ts";
import { badArgument, requireChoice, requireObject, shown } from "./refusal.ts";

/** Options with their defaults, checked. */
export interface Settings {
  readonly strategy: StrategyName | "auto";
  readonly device: "auto" | "gpu" | "cpu" | GPUDevice;
  readonly memory: number;
  readonly outputs: readonly string[] | undefined;
  readonly surface: SurfaceInput | undefined;
  readonly onEvent: (event: DeriveEvent) => void;
  readonly signal: AbortSignal;
}

/** How a run on a GPU is wanted. */
export const requestOf = ({ strategy, memory }: Settings): StrategyRequest => ({ strategy, budget: memory });

const optionNames = ["strategy", "device", "memory", "outputs", "onEvent", "signal"];

/** Throws BadArgument. */
export function readOptions(given: unknown, caller: "derive" | "prepare"): Settings {
  const keys = caller === "prepare" ? [...optionNames, "surface"] : optionNames;
  const {
    strategy = "auto",
    device = "auto",
    memory = Number.POSITIVE_INFINITY,
    outputs,
    surface,
    onEvent = () => {},
    signal = new AbortController().signal,
  } = requireObject(given, `The options of ${caller}`, keys);
  if (typeof memory !== "number" || !(memory > 0)) {
    throw badArgument(`The option memory is ${shown(memory)}.`, "Give a positive number of bytes.");
  }
  if (typeof onEvent !== "function") {
    throw badArgument(`The option onEvent is ${shown(onEvent)}.`, "Give a function of one event.");
  }
  if (!(signal instanceof AbortSignal)) {
    throw badArgument(`The option signal is ${shown(signal)}.`, "Give the signal of an AbortController.");
  }
  return {
    strategy: requireChoice(strategy, "The option strategy", ["auto", ...strategyNames]),
    device: readDevice(device),
    memory,
    outputs: outputs === undefined ? undefined : requireNames(outputs),
    surface: surface === undefined ? undefined : requireSurface(surface),
    onEvent: onEvent as Settings["onEvent"],
    signal,
  };
}

/** Throws BadArgument. */
export function readMeshOptions(given: unknown): MeshOptions {
  const { reverseFacets } = requireObject(given, "The options of mesh", ["reverseFacets"]);
  if (reverseFacets === undefined || typeof reverseFacets === "boolean") return { reverseFacets };
  throw badArgument(`The option reverseFacets is ${shown(reverseFacets)}.`, "Give true or false.");
}

/** Throws BadArgument. */
export const readDevice = (device: unknown): Settings["device"] =>
  isDevice(device) ? device : requireChoice(device, "The option device", ["auto", "gpu", "cpu"]);

function isDevice(value: unknown): value is GPUDevice {
  return typeof value === "object" && value !== null && "queue" in value && "createBuffer" in value;
}

function requireNames(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return [...new Set(value)];
  throw badArgument(`The option outputs is ${shown(value)}.`, "Give an array of statements' names.");
}

function requireSurface(value: unknown): SurfaceInput {
  const { field, colorBy, soup, topology } = requireObject(value, "The option surface", [
    "field",
    "colorBy",
    "soup",
    "topology",
  ]);
  for (const [key, name] of Object.entries({ field, colorBy: colorBy ?? "" })) {
    if (typeof name === "string") continue;
    throw badArgument(`The option surface has the ${key} ${shown(name)}.`, "Give the name of a statement.");
  }
  if (soup !== undefined && soup !== "smooth" && soup !== "flat") {
    throw badArgument(`The option surface has the soup ${shown(soup)}.`, "Give “smooth” or “flat”.");
  }
  if (topology !== undefined && topology !== "table" && topology !== "trilinear") {
    throw badArgument(
      `The option surface has the topology ${shown(topology)}.`,
      "Give “table” or “trilinear”.",
    );
  }
  return { field: field as string, colorBy: colorBy as string | undefined, soup, topology };
}
