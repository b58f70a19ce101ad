// A model of latency and rate: T = Σ over exchanges (α(p) + bytes / β) + compute / p.
import type { Exchanges } from "./exchanges.ts";

/** What exchanges cost ranks that have a GPU each. Rates are bytes a millisecond, of one rank. */
export interface ExchangeCosts {
  /** Of what carries the messages. */
  readonly name: string;
  /** Milliseconds of a short message. */
  readonly latencyMs: number;
  readonly bytesPerMs: number;
  /** Milliseconds that an exchange takes besides its messages: the GPU ends what it computes, and the host learns of it. */
  readonly callMs: number;
  /** Between the GPU and the host. */
  readonly readBackBytesPerMs: number;
  readonly writtenBytesPerMs: number;
}

/** Milliseconds in which one rank computes: so many, whatever it has, and more for each element. */
export interface Compute {
  readonly fixedMs: number;
  readonly perElementMs: number;
}

/** Message pairs that an alltoall has in flight. */
const inFlight = 4;

/**
 * Milliseconds of all exchanges. An allgather takes ⌈log₂ p⌉ rounds, in which each rank gets what the p − 1 others give; an
 * alltoall is p − 1 pairs of messages, a few of them at a time, also where most are empty; halos are messages that pass at the same
 * time.
 */
export function exchangeMs(costs: ExchangeCosts, exchanges: Exchanges, ranks: number): number {
  const { latencyMs, bytesPerMs, callMs, readBackBytesPerMs, writtenBytesPerMs } = costs;
  const { allgathers, alltoalls, halos, gathered, exchanged, readBack, written } = exchanges;
  const rounds = Math.ceil(Math.log2(ranks));
  const pairs = Math.ceil((ranks - 1) / inFlight);
  return (
    (allgathers + alltoalls + halos) * callMs +
    (allgathers * rounds + alltoalls * pairs + halos) * latencyMs +
    ((ranks - 1) * gathered + exchanged) / bytesPerMs +
    readBack / readBackBytesPerMs +
    written / writtenBytesPerMs
  );
}

export const computeMs = ({ fixedMs, perElementMs }: Compute, elements: number): number =>
  fixedMs + perElementMs * elements;

/** Milliseconds on so many ranks, which share the elements evenly. */
export const predictMs = (
  compute: Compute,
  costs: ExchangeCosts,
  exchanges: Exchanges,
  elements: number,
  ranks: number,
): number => computeMs(compute, elements / ranks) + exchangeMs(costs, exchanges, ranks);

/**
 * The smallest n from which ranks are faster than one, up to `limit`; undefined if there is none. Once they are faster, they
 * have to be so for all larger n.
 */
export function breakEven(isFaster: (n: number) => boolean, limit: number): number | undefined {
  if (!isFaster(limit)) return undefined;
  let [slower, faster] = [0, limit];
  while (faster - slower > 1) {
    const middle = Math.floor((slower + faster) / 2);
    if (isFaster(middle)) faster = middle;
    else slower = middle;
  }
  return faster;
}
