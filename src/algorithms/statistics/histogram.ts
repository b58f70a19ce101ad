import { CrinkleError } from "../../core/errors.ts";
import { ceilF32, floorF32 } from "../../core/floor-f32.ts";
import { binEdges, maxBins } from "../../core/histogram.ts";
import { all } from "../../core/primitives/access.ts";
import { defineTally } from "../../core/primitives/reduction.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { FieldValues } from "../../core/statistics.ts";
import { byElements, lookAtElements, offsetOf, withElements } from "./elements.ts";

const parts = byElements(({ inputs, constants, functions }) =>
  defineTally({
    name: "histogram",
    inputs: {
      ...inputs,
      /** The least value of each bin, and the greatest of the last. */
      edges: { type: "f32", access: all },
    },
    constants: {
      ...constants,
      first_bin: { type: "f32" },
      bins_per_unit: { type: "f32" },
      bins: { type: "u32" },
    },
    // Compares all digits of f64, and is twice as fast as code that writes the bin of each element.
    hostLoop(bound, from, to, counts) {
      const { edges } = bound.inputs;
      const { first_bin, bins_per_unit, bins } = bound.constants;
      const last = bins - 1;
      const [low, high] = [edges[0], edges[bins]];
      lookAtElements(bound, from, to, (numbers, from, to) => {
        for (let i = from; i < to; i++) {
          const value = numbers[i];
          if (!(value >= low && value <= high)) continue;
          // The product may round across an edge; the edges decide.
          let bin = ((value - first_bin) * bins_per_unit) | 0;
          if (bin < 0) bin = 0;
          else if (bin > last) bin = last;
          while (bin > 0 && value < edges[bin]) bin--;
          while (bin < last && value >= edges[bin + 1]) bin++;
          counts[bin]++;
        }
      });
    },
    text: `
      let item = this_element();
      let value = item.value;
      if (item.kind != is_number || value < edges(0u) || value > edges(constants.bins)) { return; }
      // The product may round across an edge; the edges decide.
      let share = clamp((value - constants.first_bin) * constants.bins_per_unit, 0.0, f32(constants.bins));
      var bin = min(u32(share), constants.bins - 1u);
      for (var k = bin; k > 0u; k--) {
        if (value >= edges(k)) { break; }
        bin = k - 1u;
      }
      for (var k = bin + 1u; k < constants.bins; k++) {
        if (value < edges(k)) { break; }
        bin = k;
      }
      out.bin = bin;`,
    functions,
  }),
);

/** Numbers that values are compared with. Whoever asked releases it. */
export type Table = (numbers: readonly number[]) => Vector<"f32">;

/**
 * How many values of a field (magnitudes where it has several components) lie in each of `bins` equal parts of the
 * closed range; a value on an inner border counts upwards. Values outside, NaN and ∞ are left out. The edges are f32 that
 * part the f32 as the exact ones do, or what `table` makes of the exact ones. Throws BadArgument.
 */
export async function histogram(
  field: FieldValues,
  [low, high]: readonly [number, number],
  bins: number,
  table?: Table,
): Promise<Uint32Array> {
  checkHistogram([low, high], bins);
  const { primitives, count } = field;
  const offset = offsetOf(field);
  const exact = binEdges([low, high], bins).map((edge) => edge - offset);
  const edges = table ? table(exact) : primitives.fromHost("f32", partingF32(exact));
  try {
    return await withElements(field, parts, async (tally, inputs, constants) => {
      const counts = await primitives.countEach(count, tally, bins, {
        inputs: { ...inputs, edges },
        constants: {
          ...constants,
          first_bin: low - offset,
          bins_per_unit: bins / (high - low),
          bins,
        },
      });
      try {
        return await primitives.toHost(counts);
      } finally {
        counts.release();
      }
    });
  } finally {
    edges.release();
  }
}

/** f32 x are within the bins of these exactly where they are within those of the edges; the last bin is closed. */
function partingF32(edges: readonly number[]): Float32Array {
  const rounded = Float32Array.from(edges, ceilF32);
  rounded[edges.length - 1] = floorF32(edges[edges.length - 1]);
  return rounded;
}

function checkHistogram([low, high]: readonly [number, number], bins: number): void {
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
}
