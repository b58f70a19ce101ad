import { expect, it } from "vitest";
import type { Inputs, Kernel, KernelArguments, Slots, VectorsOf } from "../../core/primitives/kernel.ts";
import type { HostArray, ScalarType, Vector } from "../../core/primitives/vector.ts";
import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import type { CpuVector } from "../../cpu/primitives/vector.ts";
import { crowdedGrid } from "../../cpu/surfaces/testing/fields.ts";
import { composedCut } from "./cut.ts";
import { surfaceGrid } from "./surface-grid.ts";

/** Fails at a call of its own choice, and knows which vectors with memory are not released. */
class Failing extends CpuPrimitives {
  calls = 0;
  failsAt = Number.POSITIVE_INFINITY;
  readonly held = new Set<Vector>();

  override async forEach<I extends Inputs, O extends Slots, C extends Slots>(
    count: number,
    kernel: Kernel<I, O, C>,
    given: KernelArguments<I, C>,
  ): Promise<VectorsOf<O>> {
    this.#call();
    return super.forEach(count, kernel, given);
  }

  override async back<T extends ScalarType>(vector: Vector<T>): Promise<number> {
    this.#call();
    return super.back(vector);
  }

  override async uniqueByKey<K extends ScalarType, V extends ScalarType>(keys: Vector<K>, values: Vector<V>) {
    this.#call();
    return super.uniqueByKey(keys, values);
  }

  protected override own<T extends ScalarType>(type: T, words: HostArray<T>, components = 1): CpuVector<T> {
    const vector = super.own(type, words, components);
    const { release } = vector;
    this.held.add(vector);
    vector.release = () => {
      this.held.delete(vector);
      release();
    };
    return vector;
  }

  #call(): void {
    if (++this.calls === this.failsAt) throw new Error("no memory");
  }
}

it("a cut that fails holds nothing", async () => {
  const p = new Failing();
  const grid = surfaceGrid(p, crowdedGrid([5, 4, 6]));
  const before = p.held.size;
  const cutter = { kind: "sphere", center: [0, 0, 0], radius: 0.8 } as const;
  const cut = () => composedCut(p, grid, cutter, { isWelded: true, hasCells: true });
  (await cut()).release();
  expect(p.held.size).toBe(before);
  const { calls } = p;
  expect(calls).toBe(8);
  for (let failsAt = 1; failsAt <= calls; failsAt++) {
    Object.assign(p, { calls: 0, failsAt });
    await expect(cut()).rejects.toThrow("no memory");
    expect([failsAt, p.held.size]).toEqual([failsAt, before]);
  }
});
