import { expect, it } from "vitest";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { crowdedGrid } from "../../cpu/surfaces/testing/fields.ts";
import { composedCut } from "./cut.ts";
import { surfaceGrid } from "./surface-grid.ts";

/** Primitives that fail at a call of their own choice, and know which vectors with memory are not released. */
class Failing {
  calls = 0;
  failsAt = Number.POSITIVE_INFINITY;
  readonly held = new Set<Vector>();
  readonly primitives: Primitives = this.#watched();

  #watched(): Primitives {
    const p = createCpuPrimitives();
    const views = [p.view, p.counting, p.constant, p.reversed, p.permuted] as readonly unknown[];
    const counted = [p.forEach, p.back, p.uniqueByKey] as readonly unknown[];
    const watched = Object.entries(p).map(([name, method]) => {
      if (typeof method !== "function" || views.includes(method)) return [name, method];
      const call = method as (...given: unknown[]) => unknown;
      return [
        name,
        (...given: unknown[]) => {
          if (counted.includes(method) && ++this.calls === this.failsAt) {
            return Promise.reject(new Error("no memory"));
          }
          const result = call(...given);
          return result instanceof Promise ? result.then((made) => this.#hold(made)) : this.#hold(result);
        },
      ];
    });
    return Object.fromEntries(watched);
  }

  /** Watches the vectors of a result. */
  #hold(result: unknown): unknown {
    if (typeof result !== "object" || result === null || ArrayBuffer.isView(result)) return result;
    if (!isVector(result)) {
      for (const part of Object.values(result)) this.#hold(part);
      return result;
    }
    const { release } = result;
    this.held.add(result);
    result.release = () => {
      this.held.delete(result);
      release();
    };
    return result;
  }
}

const isVector = (result: object): result is Vector => "release" in result;

it("a cut that fails holds nothing", async () => {
  const failing = new Failing();
  const { primitives: p, held } = failing;
  const grid = surfaceGrid(p, crowdedGrid([5, 4, 6]));
  const before = held.size;
  const cutter = { kind: "sphere", center: [0, 0, 0], radius: 0.8 } as const;
  const cut = () => composedCut(p, grid, cutter, { isWelded: true, hasCells: true });
  (await cut()).release();
  expect(held.size).toBe(before);
  const { calls } = failing;
  expect(calls).toBe(8);
  for (let failsAt = 1; failsAt <= calls; failsAt++) {
    Object.assign(failing, { calls: 0, failsAt });
    await expect(cut()).rejects.toThrow("no memory");
    expect([failsAt, held.size]).toEqual([failsAt, before]);
  }
});
