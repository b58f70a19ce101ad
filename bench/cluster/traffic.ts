import type { Link, LinkReceiver } from "../../src/cluster/transport/link.ts";

/** Rates of one path between two ranks. */
export interface PathMeasurement {
  readonly name: string;
  /** Median round-trip time of an 8-byte message. */
  readonly roundTripMs: number;
  readonly rates: readonly { readonly messageBytes: number; readonly megabytesPerSecond: number }[];
}

export interface TrafficOptions {
  readonly sizes: readonly number[];
  readonly roundTrips: number;
  /** Measured rounds per size, after two warm-up rounds. */
  readonly rounds: number;
  /** Minimum bytes per round, with at most `maxMessages` messages. */
  readonly roundBytes: number;
  readonly maxMessages: number;
}

export const fullTraffic: TrafficOptions = {
  sizes: Array.from({ length: 11 }, (_, k) => 64 * 4 ** k),
  roundTrips: 1000,
  rounds: 7,
  roundBytes: 2 ** 28,
  maxMessages: 4096,
};

export const quickTraffic: TrafficOptions = {
  sizes: [64, 2 ** 16, 2 ** 24],
  roundTrips: 50,
  rounds: 3,
  roundBytes: 2 ** 25,
  maxMessages: 256,
};

const empty = new Uint8Array(0);

/** Heads: send the body back; do not answer; confirm that everything arrived. */
const heads = { echo: Uint8Array.of(0), take: Uint8Array.of(1), confirm: Uint8Array.of(2) };

/**
 * The passive side: the heads of messages say what to do with them. Long ones are received into reused
 * memory, as in MPI's benchmarks.
 */
export function answer(link: Link, ended: () => void): void {
  let kept = empty;
  const receiver: LinkReceiver = {
    allocate: ({ bodyBytes }) => {
      if (kept.length !== bodyBytes) kept = new Uint8Array(bodyBytes);
      return kept;
    },
    message: ({ head: [what], body }) => {
      if (what === heads.take[0]) return;
      void link.send({ stream: 1, head: empty, body: what === heads.echo[0] ? body : empty });
    },
    ended,
  };
  link.start(receiver);
}

/** Measures a link whose other side answers, then closes it. */
export async function measurePath(
  name: string,
  link: Link,
  { sizes, roundTrips, rounds, roundBytes, maxMessages }: TrafficOptions,
): Promise<PathMeasurement> {
  let answered = () => {};
  let failed = (_: Error) => {};
  link.start({
    message: () => answered(),
    ended: ({ problem }) => failed(new Error(`The ${name} link ended: ${problem}`)),
  });
  const answerTo = (send: () => void) =>
    new Promise<void>((resolve, reject) => {
      [answered, failed] = [resolve, reject];
      send();
    });
  const time = async (run: () => Promise<void>) => {
    const from = performance.now();
    await run();
    return performance.now() - from;
  };
  const medianOf = async (count: number, run: () => Promise<void>) => {
    const times: number[] = [];
    for (let k = 0; k < count; k++) times.push(await time(run));
    return times.toSorted((a, b) => a - b)[count >> 1];
  };

  const eight = new Uint8Array(8);
  const there = () => answerTo(() => void link.send({ stream: 1, head: heads.echo, body: eight }));
  await medianOf(roundTrips >> 2, there);
  const roundTripMs = await medianOf(roundTrips, there);
  const rates: { messageBytes: number; megabytesPerSecond: number }[] = [];
  for (const messageBytes of sizes) {
    const count = Math.min(Math.ceil(roundBytes / messageBytes), maxMessages);
    const body = new Uint8Array(messageBytes).fill(1);
    const round = () =>
      answerTo(() => {
        for (let k = 1; k < count; k++) void link.send({ stream: 1, head: heads.take, body });
        void link.send({ stream: 1, head: heads.confirm, body });
      });
    await medianOf(2, round);
    const ms = await medianOf(rounds, round);
    rates.push({ messageBytes, megabytesPerSecond: (count * messageBytes) / ms / 1e3 });
  }
  failed = () => {};
  link.close("measured");
  return { name, roundTripMs, rates };
}
