import type { TypedArray } from "../../core/dtype.ts";
import { dtypes } from "../../core/dtype.ts";
import type { Value } from "../communicator/communicator.ts";
import type { Job } from "../jobs/service.ts";
import { badMessage } from "../wire/frame.ts";
import { type Case, type Shape, shapeOf } from "./check/case.ts";
import { groupCases } from "./check/groups.ts";
import { messageCases } from "./check/messages.ts";
import { movementCases } from "./check/movement.ts";
import { reductionCases } from "./check/reductions.ts";

export interface CheckParameters {
  readonly [name: string]: number;
  /** The length of the longest arrays, in bytes. */
  readonly longBytes: number;
}

export interface CheckResult {
  readonly name: string;
  /** Whether every rank received what was expected. */
  readonly passed: boolean;
  /** The time of the slowest rank. */
  readonly ms: number;
}

const maxBytes = 2 ** 26;

function casesOf(size: number, longBytes: number): readonly Case[] {
  // Arrays that are sent eagerly, those that just need a request to send, and long ones.
  const middle = shapeOf("f32", 2 ** 16 + 800);
  const shapes: Shape[] = [shapeOf("i32", 400), middle, shapeOf("f64", longBytes)];
  const ofEveryType = dtypes.map((dtype) => ({ dtype, length: 37 }));
  return [
    ...messageCases(shapes, ofEveryType),
    ...movementCases(size, shapes, ofEveryType),
    ...reductionCases(size, shapes, ofEveryType),
    ...groupCases(middle),
  ];
}

/**
 * Tries every call of the communicator with several types, lengths, roots and operators, and compares the
 * results with those computed without it. A rank with a wrong result reports it and the others continue; a
 * call that rejects ends the job.
 */
export const check: Job<CheckParameters, readonly CheckResult[] | undefined> = {
  name: "check",
  parse(value: Value) {
    const { longBytes } = (value ?? {}) as Partial<CheckParameters>;
    if (!Number.isInteger(longBytes) || (longBytes as number) < 0 || (longBytes as number) > maxBytes)
      throw badMessage("the size of a check is out of range");
    return { longBytes: longBytes as number };
  },
  async run({ communicator, context }, { longBytes }) {
    const cases = casesOf(communicator.size, longBytes);
    /** For each case: 1 if it passed, and milliseconds. */
    const own = new Float64Array(2 * cases.length);
    for (const [k, one] of cases.entries()) {
      await communicator.barrier();
      const start = performance.now();
      const passed = await one.run(communicator);
      own.set([passed ? 1 : 0, performance.now() - start], 2 * k);
      context.progress((k + 1) / cases.length, one.name);
    }
    const all = await communicator.gather<TypedArray>(own);
    return (
      all &&
      cases.map(({ name }, k) => ({
        name,
        passed: all.every((rank) => rank[2 * k] === 1),
        ms: Math.max(...all.map((rank) => Number(rank[2 * k + 1]))),
      }))
    );
  },
};
