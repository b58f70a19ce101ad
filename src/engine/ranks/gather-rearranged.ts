import type { TypedArray } from "../../core/dtype.ts";
import { emptyLike } from "../../core/hypercube/carried.ts";
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import type { Part } from "../../core/hypercube/travel.ts";
import { evenParts, rearrangedOnRanks } from "../../distributed/rearranged.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** What arrives at rank 0 at a time, which it holds beside the whole. */
const bytesAtATime = 2 ** 28;

/** The whole of what a map makes of the ranks' parts of an array, on rank 0: layer after layer. The others get nothing. */
export async function gatherRearranged(
  { communicator, job }: RecordedRun,
  map: IndexMap,
  sources: readonly Part[],
  values: TypedArray,
  components: number,
  maxBytes = bytesAtATime,
): Promise<TypedArray> {
  const { rank, size } = communicator;
  const count = countOf(map.to) * components;
  const layers = map.to[map.to.length - 1];
  const rounds = Math.min(layers, Math.ceil((count * values.BYTES_PER_ELEMENT) / maxBytes));
  const nothing: Part = { first: map.to.map(() => 0), end: map.to.map(() => 0) };
  const whole = emptyLike(values, rank === 0 ? count : 0);
  let at = 0;
  for (const [round, part] of evenParts(map.to, rounds).entries()) {
    job.progress(round / rounds, "Gathering the result");
    const targets = Array.from({ length: size }, (_, to) => (to === 0 ? part : nothing));
    const made = await rearrangedOnRanks(communicator, map, { sources, targets }, values, components);
    (whole as Float64Array).set(made as Float64Array, at);
    at += made.length;
  }
  return whole;
}
