import { CrinkleError } from "../../core/errors.ts";
import { ceilF32, floorF32 } from "../../core/floor-f32.ts";
import { binEdges, maxBins } from "../../core/histogram.ts";
import type { GpuContext } from "../device/context.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import { type Fragment, linkFragments } from "../shader/fragment.ts";
import { element, reduceElements } from "./element.ts";

const countBins: Fragment = {
  name: "count bins",
  requires: [element],
  code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
/** The least f32 of each bin, and the greatest of the last. */
@group(0) @binding(4) var<storage, read> edges: array<f32>;

var<workgroup> own: array<atomic<u32>, ${maxBins}>;

@compute @workgroup_size(threads)
fn count_bins(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var i = thread.x; i < shape.count; i += groups.x * threads) {
    let item = element_at(i);
    let value = item.value;
    if (item.kind == is_number && value >= edges[0] && value <= edges[shape.bins]) {
      // The product may round across an edge; the edges decide.
      let place = clamp((value - shape.first_bin) * shape.bins_per_unit, 0.0, f32(shape.bins));
      var bin = min(u32(place), shape.bins - 1u);
      while (bin > 0u && value < edges[bin]) {
        bin--;
      }
      while (bin + 1u < shape.bins && value >= edges[bin + 1u]) {
        bin++;
      }
      atomicAdd(&own[bin], 1u);
    }
  }
  workgroupBarrier();
  for (var bin = lane; bin < shape.bins; bin += threads) {
    let count = atomicLoad(&own[bin]);
    if (count != 0u) {
      atomicAdd(&counts[bin], count);
    }
  }
}
`,
};

const shader = { label: "histogram", code: linkFragments(countBins), entryPoint: "count_bins" };

/**
 * How many values of a field (magnitudes where it has several components) lie in each of `bins` equal parts of the
 * closed range; a value on an inner border counts upwards. Values outside, NaN and ∞ are left out. Throws BadArgument.
 */
export async function histogram(
  gpu: GpuContext,
  field: GpuField,
  [low, high]: readonly [number, number],
  bins: number,
): Promise<Uint32Array<ArrayBuffer>> {
  if (!Number.isInteger(bins) || bins < 1 || bins > maxBins) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `A histogram of ${bins} bins was asked for.`,
      remedy: `Choose a whole number from 1 to ${maxBins}.`,
    });
  }
  if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `A histogram's range cannot go from ${low} to ${high}.`,
      remedy: "Choose two numbers, the lower one first.",
    });
  }
  const offset = field.components === 1 ? field.offsets[0] : 0;
  const edges = binEdges([low, high], bins).map((edge) => ceilF32(edge - offset));
  edges[bins] = floorF32(high - offset);
  const counts = await reduceElements(gpu, shader, field, () => bins * 4, {
    table: Float32Array.from(edges),
    first_bin: low - offset,
    bins_per_unit: bins / (high - low),
    bins,
  });
  return new Uint32Array(counts);
}
