import { CrinkleError } from "../../core/errors.ts";
import { add } from "../../core/primitives/operators.ts";
import type { AdapterDescription } from "../device/adapter.ts";
import type { GpuContext } from "../device/context.ts";
import { readU32 } from "../device/transfer.ts";
import { Recorder } from "./base/recorder.ts";
import { type PrimitiveStrategy, portableStrategy } from "./base/strategy.ts";
import { createScan } from "./scan/scan.ts";

/** Elements of the trial (whole tiles and a part of one), and how often it has to succeed. */
const length = (1 << 18) + 1236;
const trials = 3;

/** Changes with the kernels, so that what is kept about older ones does not count. */
const version = 2;

/** Where the outcome of the trial is kept by adapter: in memory, or in the browser (`browserStrategyStore`). */
export interface StrategyStore {
  get(key: string): Promise<string | undefined> | string | undefined;
  set(key: string, value: string): unknown;
}

const memory: StrategyStore = new Map<string, string>();

const chosen = new WeakMap<GpuContext, Promise<PrimitiveStrategy>>();

/**
 * The fastest strategy whose scan this device does right, tried once an adapter as far as the store remembers: chained
 * scans rely on how workgroups progress and subgroups lie, which WebGPU leaves open.
 */
export function chooseStrategy(gpu: GpuContext, store = memory): Promise<PrimitiveStrategy> {
  let choice = chosen.get(gpu);
  if (!choice) {
    choice = recallOrTry(gpu, store);
    chosen.set(gpu, choice);
    choice.catch(() => chosen.delete(gpu));
  }
  return choice;
}

/** What outcomes are kept by: the description names the driver's version where the browser tells it. */
export const strategyKey = ({ vendor, architecture, description }: AdapterDescription): string =>
  `crinkle: strategy ${version} on ${vendor}, ${architecture}, ${description}`;

const strategies: Readonly<Record<string, PrimitiveStrategy>> = {
  chained: { subgroups: true, scan: "chained" },
  "reduce-then-scan": { subgroups: true, scan: "reduce-then-scan" },
  portable: portableStrategy,
};

async function recallOrTry(gpu: GpuContext, store: StrategyStore): Promise<PrimitiveStrategy> {
  if (!gpu.device.features.has("subgroups")) return portableStrategy;
  const key = strategyKey(gpu.adapter);
  const known = strategies[(await store.get(key)) ?? ""];
  if (known) return known;
  const name = await firstRight(gpu);
  await store.set(key, name);
  return strategies[name];
}

async function firstRight(gpu: GpuContext): Promise<string> {
  for (const name of ["chained", "reduce-then-scan"]) {
    try {
      if (await isRight(gpu, strategies[name])) return name;
    } catch (error) {
      // A driver may refuse what needs subgroups.
      if (!(error instanceof CrinkleError) || error.tag !== "ShaderError") throw error;
    }
  }
  return "portable";
}

async function isRight(gpu: GpuContext, strategy: PrimitiveStrategy): Promise<boolean> {
  const scan = await createScan(gpu, { type: "u32", operator: add }, strategy);
  const recorder = new Recorder(gpu);
  const scope = gpu.scope();
  try {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const data = Uint32Array.from({ length }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 16);
    const input = scope.allocate("trial of scans: input", length * 4, usage);
    gpu.device.queue.writeBuffer(input.buffer, 0, data);
    for (let trial = 0; trial < trials; trial++) {
      const output = scope.allocate("trial of scans: output", length * 4, usage);
      scan.record(recorder, {
        input: { buffer: input.buffer, offset: 0, length },
        output: { buffer: output.buffer, offset: 0, length },
      });
      recorder.submit();
      const sums = await readU32(gpu, output);
      let sum = 0;
      for (let i = 0; i < length; i++) {
        sum = (sum + data[i]) >>> 0;
        if (sums[i] !== sum) return false;
      }
    }
    return true;
  } finally {
    scope.release();
    recorder.dispose();
  }
}
