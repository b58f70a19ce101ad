import type { Statistics } from "../../core/statistics.ts";
import type { GpuContext } from "../device/context.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import { type Fragment, linkFragments } from "../shader/fragment.ts";
import { element, reduceElements } from "./element.ts";

/** Bytes of one workgroup's share: least, greatest, two sums, two counts. */
const shareBytes = 24;

/** Values from here on are summed apart, scaled down by as much, so that fill values such as 1e37 do not overflow. */
const bigFrom = 2 ** 64;

const gather: Fragment = {
  name: "gather statistics",
  requires: [element],
  code: /* wgsl */ `
struct Share {
  least: f32,
  greatest: f32,
  sum: f32,
  big_sum: f32,
  no_numbers: u32,
  infinities: u32,
}

@group(0) @binding(3) var<storage, read_write> shares: array<Share>;

const big = 0x1p+64f;
/** Terms that are summed before they join the thread's sum: rounding grows with the longer of the two chains. */
const chain = 16u;

var<workgroup> tree: array<Share, threads>;

fn joined(a: Share, b: Share) -> Share {
  return Share(
    min(a.least, b.least),
    max(a.greatest, b.greatest),
    a.sum + b.sum,
    a.big_sum + b.big_sum,
    a.no_numbers + b.no_numbers,
    a.infinities + b.infinities,
  );
}

@compute @workgroup_size(threads)
fn gather_statistics(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var share = Share(largest, -largest, 0.0, 0.0, 0u, 0u);
  let stride = groups.x * threads;
  var i = thread.x;
  while (i < shape.count) {
    var sum = 0.0;
    for (var link = 0u; link < chain && i < shape.count; link++) {
      let item = element_at(i);
      if (item.kind == is_number) {
        share.least = min(share.least, item.value);
        share.greatest = max(share.greatest, item.value);
        if (abs(item.value) < big) {
          sum += item.value;
        } else {
          share.big_sum += item.value / big;
        }
      } else {
        share.no_numbers += u32(item.kind == is_no_number);
        share.infinities += u32(item.kind == is_infinity);
      }
      i += stride;
    }
    share.sum += sum;
  }
  tree[lane] = share;
  for (var half = threads / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      tree[lane] = joined(tree[lane], tree[lane + half]);
    }
  }
  if (lane == 0u) {
    shares[group.x] = tree[0];
  }
}
`,
};

const shader = {
  label: "statistics",
  code: linkFragments(gather),
  entryPoint: "gather_statistics",
};

/**
 * Range and mean of a field, of the magnitude where it has several components: one kernel, and one read-back of at
 * most 24 KiB that the host sums in f64. Range and counts of a scalar field are exact; the mean's error is at most
 * (24 + n / 2²²) · 2⁻²⁴ times the mean of |x| for n values, a magnitude's another (components + 4) · 2⁻²⁴ of it.
 */
export async function fieldStatistics(gpu: GpuContext, field: GpuField): Promise<Statistics> {
  const shares = await reduceElements(gpu, shader, field, (groups) => groups * shareBytes);
  return joinShares(shares, field);
}

function joinShares(bytes: ArrayBuffer, { count, components, offsets }: GpuField): Statistics {
  const values = new Float32Array(bytes);
  const words = new Uint32Array(bytes);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let nan = 0;
  let infinite = 0;
  for (let at = 0; at < values.length; at += shareBytes / 4) {
    min = Math.min(min, values[at]);
    max = Math.max(max, values[at + 1]);
    sum += values[at + 2] + values[at + 3] * bigFrom;
    nan += words[at + 4];
    infinite += words[at + 5];
  }
  const finite = count - nan - infinite;
  if (finite === 0) return { min: Number.NaN, max: Number.NaN, mean: Number.NaN, nan, infinite, count };
  const offset = components === 1 ? offsets[0] : 0;
  return { min: min + offset, max: max + offset, mean: sum / finite + offset, nan, infinite, count };
}
