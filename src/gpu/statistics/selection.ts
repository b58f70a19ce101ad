import { Selection } from "../../core/order-statistics.ts";
import type { GpuContext } from "../device/context.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import { type Fragment, linkFragments } from "../shader/fragment.ts";
import { element, reduceElements } from "./element.ts";

/** Bits of a digit: its counts are a KiB. */
const digitBits = 8;

const countDigits: Fragment = {
  name: "count digits",
  requires: [element],
  code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

const digits = ${2 ** digitBits}u;

var<workgroup> own: array<atomic<u32>, digits>;

/** Bits whose order as whole numbers is that of the values. */
fn sortable_bits(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  return select(bits | 0x80000000u, ~bits, (bits & 0x80000000u) != 0u);
}

@compute @workgroup_size(threads)
fn count_digits(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var i = thread.x; i < shape.count; i += groups.x * threads) {
    let item = element_at(i);
    let key = sortable_bits(item.value);
    if (item.kind == is_number && ((key ^ shape.prefix) & shape.prefix_mask) == 0u) {
      atomicAdd(&own[(key >> shape.shift) & (digits - 1u)], 1u);
    }
  }
  workgroupBarrier();
  for (var digit = lane; digit < digits; digit += threads) {
    let count = atomicLoad(&own[digit]);
    if (count != 0u) {
      atomicAdd(&counts[digit], count);
    }
  }
}
`,
};

const shader = { label: "digits", code: linkFragments(countDigits), entryPoint: "count_digits" };

/**
 * The finite values of a field (magnitudes where it has several components) by rank: four kernels to a value, each with a
 * read-back of a KiB; those that values share run once. A scalar's values come without its offset.
 */
export function selectionOn(gpu: GpuContext, field: GpuField): Selection {
  return new Selection(digitBits, async (prefix, shift) => {
    const above = shift + digitBits;
    const prefix_mask = above === 32 ? 0 : (~0 << above) >>> 0;
    const question = { prefix, prefix_mask, shift };
    return new Uint32Array(await reduceElements(gpu, shader, field, () => 4 * 2 ** digitBits, question));
  });
}
