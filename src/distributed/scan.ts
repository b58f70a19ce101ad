import type { ScanRequest } from "../core/primitives/backend.ts";
import type { Operator, ResultOf } from "../core/primitives/functions.ts";
import { isLocating, resultType } from "../core/primitives/operators.ts";
import type { ScalarType } from "../core/primitives/vector.ts";
import { carried } from "./carry.ts";
import type { Step } from "./step.ts";
import { folded, totalingOf } from "./totals.ts";
import { madeAlone, type RankVector } from "./vector.ts";
import { wordOf } from "./words.ts";

/** The scan of a vector: ranks exchange the totals of their parts, and scan these after those of the parts before. */
export async function scanned<O extends Operator, R extends ScalarType>(
  step: Step,
  vector: RankVector,
  operator: O,
  { type, transform, isExclusive, reverse = false, init }: ScanRequest<R>,
): Promise<RankVector<ResultOf<O, R>>> {
  const { local, exchange, rank } = step;
  const { offsets } = vector;
  const part = await vector.part(step);
  const totaling = totalingOf(step, type, operator);
  let values = part;
  const words = await exchange.allgather(async () => {
    if (transform) values = step.hold(await local.transform(part, transform, type));
    if (part.length === 0) return new Uint32Array(0);
    return Uint32Array.from(await totaling.of(values, offsets[rank], reverse));
  });
  const totals = words.map((total) => (total.length > 0 ? Array.from(total) : undefined));
  const before = reverse ? totals.slice(rank + 1).reverse() : totals.slice(0, rank);
  const made = { type: resultType(operator, type), components: 1 };
  const scan = await madeAlone(step, made, offsets, async () => {
    const begin = init === undefined ? undefined : await totaling.ofInit(init);
    return carried(local, values, operator, made.type, {
      first: offsets[rank],
      carry: folded(totaling, before, begin),
      isExclusive,
      reverse,
    });
  });
  if (isExclusive && !reverse && init === undefined && !isLocating(operator)) {
    const identity = wordOf(type, operator.identity(type));
    const words = totals.map((_, k) => folded(totaling, totals.slice(0, k))?.[0] ?? identity);
    scan.stored.firsts = { version: scan.stored.version, words };
  }
  return scan;
}
