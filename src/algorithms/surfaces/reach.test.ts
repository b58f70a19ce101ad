import { expect, it } from "vitest";
import type { Triple } from "../../core/grid.ts";
import type { Plane } from "../../core/layers.ts";
import type {
  ConstantValues,
  Inputs,
  Kernel,
  KernelArguments,
  Slots,
  VectorsOf,
} from "../../core/primitives/kernel.ts";
import { CpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { crowdedGrid, sample } from "../../cpu/surfaces/testing/fields.ts";
import { composedClip } from "./clip.ts";
import { composedCut } from "./cut.ts";
import { composedIsosurface } from "./isosurface.ts";
import { surfaceGrid } from "./surface-grid.ts";
import { composedThreshold } from "./threshold.ts";

/** Counts what kernels read, and what of it is beyond the reach that they declare. */
class Watched extends CpuPrimitives {
  reads = 0;
  readonly beyond: string[] = [];

  override forEach<I extends Inputs, O extends Slots, C extends Slots>(
    count: number,
    kernel: Kernel<I, O, C>,
    given: KernelArguments<I, C>,
  ): Promise<VectorsOf<O>> {
    const js: typeof kernel.js = (bound) => {
      let element = 0;
      let place = 0;
      const constants: ConstantValues = bound.constants;
      const inputs = Object.fromEntries(
        Object.entries<Inputs[string]>(kernel.inputs).map(([name, { components = 1, reach, stride = 1 }]) => {
          const check = (word: number, read: unknown) => {
            this.reads++;
            const at = Math.floor(word / components);
            const [before, after] = typeof reach === "function" ? reach(constants) : [0, 0];
            const home = reach === "own" ? place : element * stride;
            const isNear = reach === "all" || (at >= home - before && at <= home + after);
            if (!isNear || read === undefined) this.beyond.push(`${kernel.name}: ${name}[${at}] at ${home}`);
          };
          const words = bound.inputs[name];
          const watched = new Proxy(words, {
            get: (of, key) => {
              if (key === "subarray") {
                return (from: number, to: number) => {
                  for (let word = from; word < to; word++) check(word, of[word]);
                  return of.subarray(from, to);
                };
              }
              const word = typeof key === "string" ? Number(key) : Number.NaN;
              const read = Reflect.get(of, key, of);
              if (Number.isInteger(word)) check(word, read);
              return read;
            },
          });
          return [name, watched];
        }),
      ) as typeof bound.inputs;
      const run = kernel.js({ ...bound, inputs });
      return (e, i) => {
        element = e;
        place = i;
        run(e, i);
      };
    };
    return super.forEach(count, { ...kernel, js }, given);
  }
}

it("kernels read no farther than they declare", async () => {
  const p = new Watched();
  for (const dims of [
    [9, 7, 8],
    [2, 6, 3],
    [6, 3, 2],
  ] as Triple[]) {
    const grid = crowdedGrid(dims);
    const on = surfaceGrid(p, grid);
    const values = p.fromHost("f32", sample(grid, (x, y, z) => x + 0.9 * y + 0.8 * z).data as Float32Array);
    const vector = p.fromHost("f32", new Float32Array(3 * values.length), 3);
    const fields = [values, vector];
    const request = { isovalues: [0.1, 0.5], fields, hasCells: true };
    const surface = await composedIsosurface(p, on, values, { ...request, isFlat: true });
    expect(surface.positions.length).toBeGreaterThan(0);
    const welded = await composedIsosurface(p, on, values, { ...request, isWelded: true });
    await composedThreshold(p, on, values, [-2, 1], { fields, hasCells: true });
    for (const cutter of [
      { kind: "plane", plane: { origin: [0, 0, 0], normal: [1, 2, 3] } },
      { kind: "sphere", center: [0, 0, 0], radius: 0.8 },
    ] as const) {
      await composedCut(p, on, cutter, { fields });
    }
    const plane: Plane = { origin: [0, 0, 0], normal: [1, 2, 3] };
    await composedClip(p, surface, plane, on.center);
    await composedClip(p, welded, plane, on.center, { isWelded: true });
  }
  expect(p.reads).toBeGreaterThan(10_000);
  expect(p.beyond.slice(0, 5)).toEqual([]);
});
