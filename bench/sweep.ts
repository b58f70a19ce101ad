// Runs the primitives at many lengths in Node on Dawn, and verifies every result: the cases of other suites that take
// too long for the tests. `node dist/bench/sweep.js [filter] [--step N] [--most N] [--hardware]`;
// exits with 1 where one is wrong.

import { parseArgs } from "node:util";
import { describeError } from "../src/core/errors.ts";
import { scalarTypes } from "../src/core/primitives/testing/data.ts";
import { GpuContext } from "../src/gpu/device/context.ts";
import type { PrimitiveStrategy } from "../src/gpu/primitives/base/strategy.ts";
import { createGpuPrimitives } from "../src/gpu/primitives/gpu-primitives/gpu-primitives.ts";
import { sweepShape, sweepSize, tileShape, tileSize } from "../src/gpu/primitives/sort/shape.ts";
import { laidOutForHardware } from "../src/gpu/testing/hardware-layout.ts";
import { openNodeGpu } from "../src/node/gpu.ts";
import { Held } from "./sweep/check.ts";
import { checkCompaction, checkScans, checkSegments, lengths } from "./sweep/scans.ts";
import { checkSort } from "./sweep/sorts.ts";

interface Options {
  readonly filter: string;
  /** Sorts are tried at every so manyth length. */
  readonly step: number;
  /** Longer vectors are left out. */
  readonly most: number;
  /** Kernels are laid out as for hardware, on software adapters too. */
  readonly isForHardware: boolean;
}

/** What is checked under one name: how often, and how each is run. */
interface Sweep {
  readonly name: string;
  readonly checks: readonly ((held: Held) => Promise<void>)[];
}

function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      step: { type: "string", default: "1" },
      most: { type: "string", default: "10000000" },
      hardware: { type: "boolean", default: false },
    },
  });
  const [step, most] = [Number(values.step), Number(values.most)];
  if (positionals.length > 1 || !(Number.isInteger(step) && step > 0) || !(most >= 0)) {
    throw new Error("Usage: sweep [filter] [--step N] [--most N] [--hardware]");
  }
  return { filter: positionals[0] ?? "", step, most, isForHardware: values.hardware };
}

/** Every length from one partition of the sort to two. */
function sortLengths(gpu: GpuContext, { subgroups, scan }: PrimitiveStrategy, step: number): number[] {
  const isSwept = subgroups && scan === "chained";
  const partition = isSwept ? sweepSize(sweepShape(gpu)) : tileSize(tileShape(gpu, subgroups));
  return Array.from({ length: Math.floor(partition / step) + 1 }, (_, k) => partition + k * step);
}

function sweepsOf(gpu: GpuContext, strategy: PrimitiveStrategy, { step, most }: Options): Sweep[] {
  const each = { scans: checkScans, segments: checkSegments, compaction: checkCompaction };
  const some = lengths.filter((n) => n <= most);
  const scans = Object.entries(each).map(([name, check]) => ({
    name,
    checks: some.map((n) => (held: Held) => check(held, n)),
  }));
  const tried = sortLengths(gpu, strategy, step).filter((n) => n <= most);
  const sorts = scalarTypes.flatMap((type) =>
    [0, 1, 2, 3, 4].flatMap((components) =>
      [false, true].map((descending) => ({
        name: `sort ${type}, ${components} words, ${descending ? "descending" : "ascending"}`,
        checks: tried.map((n) => (held: Held) => checkSort(held, type, n, components, { descending })),
      })),
    ),
  );
  return [...scans, ...sorts];
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const { gpu, reason } = await openNodeGpu();
  if (!gpu) throw new Error(`There is no WebGPU in this Node: ${reason}.`);
  const own = await GpuContext.open(gpu);
  const context = options.isForHardware ? laidOutForHardware(own) : own;
  console.log(`${context.adapter.description}, Node ${process.version} (Dawn)`);
  const strategies: PrimitiveStrategy[] = [{ subgroups: false, scan: "reduce-then-scan" }];
  if (context.device.features.has("subgroups")) {
    strategies.unshift({ subgroups: true, scan: "chained" }, { subgroups: true, scan: "reduce-then-scan" });
  }
  let wrong = 0;
  for (const strategy of strategies) {
    const p = await createGpuPrimitives(context, { strategy });
    const prefix = `${strategy.scan}${strategy.subgroups ? "" : " without subgroups"}`;
    for (const { name, checks } of sweepsOf(context, strategy, options)) {
      const title = `${prefix}/${name}`;
      if (!title.includes(options.filter)) continue;
      const since = performance.now();
      const faults: string[] = [];
      for (const check of checks) {
        const held = new Held(p);
        try {
          await check(held);
        } catch (error) {
          faults.push(describeError(error));
        } finally {
          held.release();
        }
      }
      wrong += faults.length;
      const seconds = ((performance.now() - since) / 1000).toFixed(1);
      console.log(`${faults.length ? "✗" : "✓"} ${title}: ${checks.length} checks, ${seconds} s`);
      for (const fault of faults.slice(0, 5)) console.log(`    ${fault}`);
    }
    p.dispose();
  }
  console.log(wrong ? `${wrong} wrong` : "All right.");
  return wrong ? 1 : 0;
}

main().then(
  (code) => process.stdout.write("", () => process.exit(code)),
  (error: unknown) => {
    console.error(describeError(error));
    process.exit(1);
  },
);
