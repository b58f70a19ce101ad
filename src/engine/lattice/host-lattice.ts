import { type Field, makeField } from "../../core/field.ts";
import { valueCount } from "../../core/grid.ts";
import type { Simulation, SimulationState, Stroke } from "../../core/lattice/simulation.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import type { FieldValue } from "../derived.ts";
import type { LatticePlane, Numbers } from "./api.ts";
import type { LatticeDevice, OnSums } from "./device.ts";
import { gridOf, sitePlaneOf } from "./plane.ts";
import type { LatticeSettings } from "./settings.ts";

/** Sweeps of one picture take about so long: between pictures, other events run. */
const sliceMs = 12;

/** A lattice on the CPU, in slices of time. */
export class HostLattice implements LatticeDevice {
  readonly simulation: Simulation;
  readonly #settings: LatticeSettings;
  readonly #onSums: OnSums;
  readonly #fields: ReadonlyMap<string, Field>;
  #plane: LatticePlane;
  #draw: ((stroke: Stroke) => void) | undefined;
  #latest: Promise<void> = Promise.resolve();

  constructor(settings: LatticeSettings, onSums: OnSums, state?: SimulationState) {
    const { plan, size, seed, start, parameters, plane } = settings;
    const words = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)] as const;
    this.simulation = createHostSimulation(plan, { seed: words, start, parameters, state });
    this.#settings = settings;
    this.#onSums = onSums;
    this.#plane = plane;
    const grid = gridOf(size, plane);
    this.#fields = new Map(
      Object.entries(plan.fields).map(([name, { components }]) => {
        const data = new Float32Array(components * valueCount(grid, "node"));
        return [name, makeField(grid, name, "node", components, data)];
      }),
    );
  }

  get draw() {
    return this.#draw;
  }

  async prepareBrush(): Promise<void> {
    this.#draw ??= await this.simulation.brush();
  }

  advance(sweeps: number, parameters: Numbers): number {
    const end = performance.now() + sliceMs;
    let begun = 0;
    do {
      // It has run when the call returns.
      const swept = this.simulation.run(1, parameters);
      this.#latest = this.#latest.then(() => swept).then(this.#onSums);
      begun++;
    } while (begun < sweeps && performance.now() < end);
    this.show(this.#plane);
    return begun;
  }

  measured(): Promise<void> {
    return this.#latest;
  }

  show(plane: LatticePlane): void {
    this.#plane = plane;
    const { dims, first, strides } = sitePlaneOf(this.#settings.size, plane);
    for (const { name, components, data } of this.#fields.values()) {
      this.#latest = this.#latest.then(async () => {
        const values = await this.simulation.field(name);
        const count = dims[0] * dims[1] * dims[2];
        for (let i = 0; i < count; i++) {
          const x = i % dims[0];
          const y = Math.floor(i / dims[0]) % dims[1];
          const z = Math.floor(i / (dims[0] * dims[1]));
          const site = first + x * strides[0] + y * strides[1] + z * strides[2];
          for (let c = 0; c < components; c++) data[i * components + c] = values[site * components + c];
        }
      });
    }
  }

  value(name: string): FieldValue | undefined {
    const field = this.#fields.get(name);
    return field && { kind: "host", field };
  }

  async read(name: string): Promise<Field> {
    await this.#latest;
    const field = this.#fields.get(name) as Field;
    return { ...field, data: field.data.slice() };
  }

  dispose(): void {}
}
