import { Recorder } from "../../compute/recorder.ts";
import type { GpuContext } from "../../device/context.ts";
import { readU32 } from "../../device/transfer.ts";
import { remembered } from "../trials.ts";
import type { RadixSort } from "./radix-sort.ts";

/** Keys of the trial, and how often it has to succeed. */
const length = 1 << 16;
const trials = 2;

/** Whether this device's sort is right and stable, tried once an adapter: it relies on how subgroups lie and progress. */
export async function isSortRight(gpu: GpuContext, sort: RadixSort): Promise<boolean> {
  const outcome = await remembered(gpu, "sort", ["right", "wrong"], async () =>
    (await trySorts(gpu, sort)) ? "right" : "wrong",
  );
  return outcome === "right";
}

async function trySorts(gpu: GpuContext, sort: RadixSort): Promise<boolean> {
  const recorder = new Recorder(gpu);
  const scope = gpu.scope();
  try {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const make = (label: string, data?: Uint32Array<ArrayBuffer>) => {
      const pooled = scope.allocate(`trial of sorts: ${label}`, length * 4, usage);
      if (data) gpu.device.queue.writeBuffer(pooled.buffer, 0, data);
      return { pooled, view: { buffer: pooled.buffer, offset: 0, length } };
    };
    const data = Uint32Array.from({ length }, (_, i) => Math.imul(i, 0x9e3779b1) & 0xff00fff0);
    const keys = make("keys", data);
    const values = make(
      "values",
      Uint32Array.from(data, (_, i) => i),
    );
    for (let trial = 0; trial < trials; trial++) {
      const sorted = make("sorted keys");
      const order = make("order");
      const alone = make("sorted without values");
      sort.record(recorder, { type: "u32", count: length, keys: keys.view, sorted: alone.view });
      sort.recordPairs(recorder, {
        ...{ type: "u32", count: length, keys: keys.view, values: values.view },
        ...{ sorted: sorted.view, sortedValues: order.view },
      });
      recorder.submit();
      const read = [sorted, order, alone].map(({ pooled }) => readU32(gpu, pooled));
      const [found, places, lone] = await Promise.all(read);
      for (let i = 0; i < length; i++) {
        if (lone[i] !== found[i]) return false;
        if (data[places[i]] !== found[i]) return false;
        if (i > 0 && (found[i - 1] > found[i] || (found[i - 1] === found[i] && places[i - 1] >= places[i]))) {
          return false;
        }
      }
    }
    return true;
  } finally {
    scope.release();
    recorder.dispose();
  }
}
