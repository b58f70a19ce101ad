import { CommunicatorError, revoked } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { type Counts, ExchangeNetwork } from "./exchange-network.ts";

/** The same exchange with a different way to send. */
export const relayed = (exchange: Exchange, send: Exchange["send"]): Exchange => ({
  rank: exchange.rank,
  size: exchange.size,
  setSignature: (signature) => exchange.setSignature(signature),
  receive: (from, slot) => exchange.receive(from, slot),
  receiveInto: (from, slot, into) => exchange.receiveInto(from, slot, into),
  send,
});

/** The outcome of each rank's part. If one fails, or none makes progress, the others are revoked. */
export async function settleRanks<R>(
  network: ExchangeNetwork,
  part: (rank: number) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  let running = network.size;
  const parts = Array.from({ length: network.size }, async (_, rank) => {
    try {
      return await part(rank);
    } catch (error) {
      network.revoke(revoked("a test", rank, 0));
      throw error;
    } finally {
      running--;
    }
  });
  const all = Promise.allSettled(parts);
  for (let before = -1; running > 0; ) {
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve))]);
    if (network.steps === before && running > 0) {
      network.revoke(new Error(`stands still: ${network.left.join("; ")}`));
    }
    before = network.steps;
  }
  return all;
}

/** What each rank's part resolves to. Fails if one rejects or messages are left over. */
export async function runRanks<R>(
  size: number,
  seed: number,
  part: (exchange: Exchange) => Promise<R>,
): Promise<{ readonly results: R[]; readonly counts: readonly Counts[] }> {
  const network = new ExchangeNetwork(size, seed);
  const results = await resultsOf(network, (rank) => part(network.open(rank)));
  return { results, counts: network.counts };
}

/** Like runRanks, on a new network. */
export async function resultsOf<R>(
  network: ExchangeNetwork,
  part: (rank: number) => Promise<R>,
): Promise<R[]> {
  const settled = await settleRanks(network, part);
  const failure = settled.find(
    (end): end is PromiseRejectedResult => end.status === "rejected" && !isRevoked(end.reason),
  );
  if (failure) throw failure.reason;
  if (network.left.length > 0) throw new Error(`left over: ${network.left.join("; ")}`);
  return settled.map((end) => (end as PromiseFulfilledResult<R>).value);
}

const isRevoked = (error: unknown) => error instanceof CommunicatorError && error.tag === "Revoked";
