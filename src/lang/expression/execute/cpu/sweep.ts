import { type Centering, type Grid, gridPart, valueCoordinates, valueDims } from "../../../../core/grid.ts";
import { inverseSpans, inverseSteps } from "../../../../core/inverse-steps.ts";
import type { AxisTables, MeshPlace, Neighborhood } from "../../filters/filter.ts";
import { findFilter } from "../../filters/registry.ts";
import { stencilLoop } from "../../filters/stencil-loops.ts";
import { chunkElements } from "./chunk-board.ts";
import { type Chain, chainLoop, chainsOf } from "./element-chains.ts";
import { recenterElements } from "./mesh.ts";
import { readElements } from "./sources.ts";
import type { StageTask, Step, StoredArray } from "./task.ts";

type Run = (first: number, count: number) => void;

/** One thread's means to compute a stage chunk by chunk. */
export class Sweep {
  readonly #runs: Run[] = [];

  constructor(task: StageTask) {
    const places = new Places(task.grid);
    const chains = chainsOf(task);
    const lastUses = lastUsesOf(task.steps, chains);
    const read = new Set([...chains.values()].flatMap(({ inputs }) => inputs));
    const stored = new Set(task.outputs.map(({ step }) => step));
    const free = new Map<number, Float64Array[]>();
    const buffers: Float64Array[] = [];
    task.steps.forEach((step, k) => {
      // What a loop computes on its way, or knows.
      if (!read.has(k) && !stored.has(k)) return;
      const buffer =
        (step.kind === "constant" ? undefined : free.get(step.components)?.pop()) ??
        new Float64Array(chunkElements * step.components);
      buffers[k] = buffer;
      const chain = chains.get(k);
      const run = chain
        ? chainRun(task.steps, chain, buffers, buffer)
        : runner(step, buffer, places, task.centering);
      if (run) this.#runs.push(run);
      for (const { step: from, values } of task.outputs) {
        if (from === k) this.#runs.push(storing(buffer, step.components, values));
      }
      // A later step may write where nobody reads any more; a constant is written once and stays.
      for (const dead of lastUses[k]) {
        const { kind, components } = task.steps[dead];
        if (kind !== "constant") free.set(components, [...(free.get(components) ?? []), buffers[dead]]);
      }
    });
  }

  /** Evaluates elements `first` … `first + count − 1` and stores those of the outputs. */
  run(first: number, count: number): void {
    for (const run of this.#runs) run(first, count);
  }
}

/** Of each step, the steps whose values nobody reads after it. */
function lastUsesOf(steps: readonly Step[], chains: ReadonlyMap<number, Chain>): readonly number[][] {
  const last = steps.map((_, k) => k);
  steps.forEach((_, k) => {
    for (const input of chains.get(k)?.inputs ?? []) last[input] = k;
  });
  const lastUses: number[][] = steps.map(() => []);
  last.forEach((at, k) => {
    lastUses[at].push(k);
  });
  return lastUses;
}

const storing =
  (buffer: Float64Array, components: number, values: StoredArray["values"]): Run =>
  (first, count) =>
    values.set(buffer.subarray(0, count * components), first * components);

function chainRun(
  steps: readonly Step[],
  chain: Chain,
  buffers: readonly Float64Array[],
  buffer: Float64Array,
): Run {
  const loop = chainLoop(steps, chain);
  const args = chain.inputs.map((input) => buffers[input]);
  return (_, count) => loop(args, buffer, count);
}

function runner(step: Step, buffer: Float64Array, places: Places, centering: Centering): Run | undefined {
  switch (step.kind) {
    case "constant": {
      const { values } = step;
      for (let i = 0; i < buffer.length; i++) buffer[i] = values[i % values.length];
      return undefined;
    }
    case "read": {
      const array = places.neighborhood(step.array);
      return (first, count) => readElements(array, first, count, buffer);
    }
    case "mesh": {
      const filter = findFilter(step.filter);
      if (filter?.kind !== "mesh") break;
      const place = places.mesh(centering);
      return (first, count) => filter.cpu(place, first, count, buffer);
    }
    case "stencil": {
      const filter = findFilter(step.filter);
      if (filter?.kind !== "stencil") break;
      const overload = filter.overloads[step.overload];
      return stencilLoop(overload, places.neighborhood(step.array), buffer);
    }
    case "recenter": {
      const array = places.neighborhood(step.array);
      const dims = places.dims(centering);
      return (first, count) => recenterElements(array, dims, centering === "cell", first, count, buffer);
    }
  }
  throw new Error(`no filter of the kind ${step.kind} is called ${step.filter}`);
}

/** What filters read of the grid, made when first read. */
class Places {
  readonly #grid: Grid;
  readonly #tables = new Map<Centering, Tables>();

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  dims(centering: Centering): Neighborhood["dims"] {
    return valueDims(this.#grid, centering);
  }

  mesh(centering: Centering): MeshPlace {
    return {
      centering,
      dims: this.dims(centering),
      coordinates: this.#along(centering).coordinates,
      nodes: this.#along("node").coordinates,
      part: gridPart(this.#grid),
    };
  }

  neighborhood({ centering, ...array }: StoredArray): Neighborhood {
    const { inverseSpans, inverseSteps } = this.#along(centering);
    return { ...array, dims: this.dims(centering), inverseSpans, inverseSteps };
  }

  #along(centering: Centering): Tables {
    let tables = this.#tables.get(centering);
    if (!tables) {
      const along = (axis: number) => valueCoordinates(this.#grid, centering, axis);
      const coordinates: AxisTables = [along(0), along(1), along(2)];
      const of = (make: (x: Float64Array) => Float64Array): AxisTables => [
        make(coordinates[0]),
        make(coordinates[1]),
        make(coordinates[2]),
      ];
      tables = { coordinates, inverseSpans: of(inverseSpans), inverseSteps: of(inverseSteps) };
      this.#tables.set(centering, tables);
    }
    return tables;
  }
}

interface Tables extends Pick<Neighborhood, "inverseSpans" | "inverseSteps"> {
  readonly coordinates: AxisTables;
}
