import type { TypedArray } from "../../core/dtype.ts";
import type { Tuning } from "../communicator/collectives/tuning.ts";
import type { Communicator, Value } from "../communicator/communicator.ts";
import { add } from "../communicator/operators/elements.ts";
import { badMessage } from "../wire/frame.ts";
import type { Job } from "./service.ts";

export interface MeasureParameters {
  readonly [name: string]: number;
  /** The length of the long messages, in bytes. */
  readonly bytes: number;
  /** Round trips of the short message, and of the long one. */
  readonly rounds: number;
}

/** Between two ranks: microseconds per round trip of 8 bytes, and megabytes per second in one direction. */
export interface LinkMeasurement {
  readonly a: number;
  readonly b: number;
  readonly roundTripUs: number;
  readonly megabytesPerSecond: number;
}

export interface Measurement {
  readonly links: readonly LinkMeasurement[];
  /** Milliseconds of one allreduce of the long message's bytes over all ranks. */
  readonly allreduceMs: number;
  /** The times by which collectives are chosen, for the longest message timed when the epoch began. */
  readonly contention?: ContentionTimes;
}

/** Milliseconds of a message of this length: alone, and while all ranks send one. */
export interface ContentionTimes {
  readonly bytes: number;
  readonly aloneMs: number;
  readonly togetherMs: number;
}

const maxBytes = 2 ** 28;

/** Measures every link, one after the other, then an allreduce over all ranks. */
export const measure: Job<MeasureParameters, Measurement | undefined> = {
  name: "measure",
  parse(value: Value) {
    const { bytes, rounds } = (value ?? {}) as Partial<MeasureParameters>;
    const isCount = (x: unknown, most: number) =>
      Number.isInteger(x) && (x as number) > 0 && (x as number) <= most;
    if (!isCount(bytes, maxBytes) || !isCount(rounds, 10_000))
      throw badMessage("the size or count of a measurement is out of range");
    return { bytes: bytes as number, rounds: rounds as number };
  },
  async run({ communicator, context }, { bytes, rounds }) {
    const { rank, size } = communicator;
    /** For each link that this rank leads: a, b, microseconds and megabytes per second. */
    const links: number[] = [];
    // The allreduce counts as one more step.
    const steps = (size * (size - 1)) / 2 + 1;
    let done = 0;
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        if (rank === a) links.push(a, b, ...(await lead(communicator, b, bytes, rounds)));
        else if (rank === b) await follow(communicator, a, rounds);
        await communicator.barrier();
        context.progress(++done / steps, `Measured the link of ranks ${a} and ${b}`);
      }
    }
    const array = new Float32Array(bytes / 4).fill(rank);
    const start = performance.now();
    await communicator.allreduce<Float32Array>(array, add);
    const allreduceMs = performance.now() - start;
    const all = await communicator.gather<TypedArray>(Float64Array.from(links));
    const contention = contentionOf(communicator.tuning);
    return all && { links: all.flatMap((figures) => linksOf(figures)), allreduceMs, contention };
  },
};

function contentionOf({ costModel }: Tuning): ContentionTimes | undefined {
  const [alone, together] = [costModel?.alone.at(-1), costModel?.together.at(-1)];
  return alone && together && { bytes: alone[0], aloneMs: alone[1], togetherMs: together[1] };
}

function linksOf(figures: TypedArray): LinkMeasurement[] {
  const numbers = Array.from(figures as ArrayLike<number | bigint>, Number);
  return Array.from({ length: Math.floor(numbers.length / 4) }, (_, k) => {
    const [a, b, roundTripUs, megabytesPerSecond] = numbers.slice(4 * k, 4 * k + 4);
    return { a, b, roundTripUs, megabytesPerSecond };
  });
}

/** Microseconds of a round trip, and megabytes per second. */
async function lead(communicator: Communicator, to: number, bytes: number, rounds: number) {
  const times = async (data: Uint8Array) => {
    const all: number[] = [];
    for (let k = 0; k < rounds; k++) {
      const start = performance.now();
      await communicator.send(to, data, 1);
      await communicator.recv(to, 2);
      all.push(performance.now() - start);
    }
    return all.toSorted((x, y) => x - y)[rounds >> 1];
  };
  const short = await times(new Uint8Array(8));
  const long = await times(new Uint8Array(bytes));
  const oneWayMs = Math.max(long - short / 2, 1e-6);
  return [short * 1000, bytes / oneWayMs / 1000];
}

/** Answers every message with 8 bytes. */
async function follow(communicator: Communicator, from: number, rounds: number): Promise<void> {
  const answer = new Uint8Array(8);
  for (let k = 0; k < 2 * rounds; k++) {
    await communicator.recv(from, 1);
    await communicator.send(from, answer, 2);
  }
}
