import { CrinkleError } from "../../core/errors.ts";
import { add } from "../../core/primitives/operators.ts";
import { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import { readU32 } from "../device/transfer.ts";
import { type PrimitiveStrategy, portableStrategy } from "./base/strategy.ts";
import { createScan } from "./scan/scan.ts";
import { remembered } from "./trials.ts";

/** Elements of the trial (whole tiles and a part of one), and how often it has to succeed. */
const length = (1 << 18) + 1236;
const trials = 3;

const chosen = new WeakMap<GpuContext, Promise<PrimitiveStrategy>>();

/** From the fastest to the safest. */
const names = ["chained", "reduce-then-scan", "portable"] as const;
type Name = (typeof names)[number];

const strategies: Readonly<Record<Name, PrimitiveStrategy>> = {
  chained: { subgroups: true, scan: "chained" },
  "reduce-then-scan": { subgroups: true, scan: "reduce-then-scan" },
  portable: portableStrategy,
};

/**
 * The fastest strategy whose scan this device does right, tried once an adapter as far as its store of trials
 * remembers: chained scans rely on how workgroups progress and subgroups lie, which WebGPU leaves open.
 */
export function chooseStrategy(gpu: GpuContext): Promise<PrimitiveStrategy> {
  let choice = chosen.get(gpu);
  if (!choice) {
    choice = recallOrTry(gpu);
    chosen.set(gpu, choice);
    choice.catch(() => chosen.delete(gpu));
  }
  return choice;
}

async function recallOrTry(gpu: GpuContext): Promise<PrimitiveStrategy> {
  if (!gpu.device.features.has("subgroups")) return portableStrategy;
  return strategies[await remembered(gpu, "strategy", names, () => firstRight(gpu))];
}

async function firstRight(gpu: GpuContext): Promise<Name> {
  for (const name of names.slice(0, -1)) {
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
