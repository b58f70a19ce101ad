import { signatureMismatch } from "./collectives/call-signature.ts";
import type { Envelope, Operation } from "./envelope.ts";
import { CommunicatorError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { Context, World } from "./world.ts";

/** The `dtype` of raw bytes in a collective; the algorithm knows what they mean. */
const plainBytes = 255;

/** One call of a collective, as its algorithm sees it. */
export class CollectiveCall implements Exchange {
  readonly rank: number;
  readonly size: number;
  readonly #world: World;
  readonly #context: Context;
  readonly #group: readonly number[];
  readonly #operation: Operation;
  readonly #sequence: number;
  #signature = 0;

  constructor(
    world: World,
    context: Context,
    group: readonly number[],
    operation: Operation,
    sequence: number,
  ) {
    this.rank = group.indexOf(world.rank);
    this.size = group.length;
    this.#world = world;
    this.#context = context;
    this.#group = group;
    this.#operation = operation;
    this.#sequence = sequence;
  }

  setSignature(signature: number): void {
    this.#signature = signature;
  }

  send(to: number, slot: number, bytes: Uint8Array): Promise<void> {
    const envelope = {
      epoch: this.#world.epoch,
      context: this.#context.id,
      operation: this.#operation,
      sequence: this.#sequence,
      tag: slot,
      source: this.rank,
      dtype: plainBytes,
      signature: this.#signature,
      bytes: bytes.length,
    };
    return this.#guard(this.#world.send(this.#group[to], envelope, bytes));
  }

  receive(from: number, slot: number, into?: Uint8Array): Promise<Uint8Array> {
    return this.#guard(this.#take(from, slot, into));
  }

  async receiveInto(from: number, slot: number, into: Uint8Array): Promise<void> {
    const bytes = await this.receive(from, slot, into);
    if (bytes.length !== into.length) {
      throw new CommunicatorError({
        tag: "Truncated",
        mpi: "MPI_ERR_TRUNCATE",
        problem: `Rank ${from} sent ${bytes.length} bytes in ${this.#operation}, but this rank expects ${into.length}.`,
        remedy: "Pass arrays of equal length on all ranks.",
        operation: this.#operation,
        epoch: this.#world.epoch,
        ranks: [from],
      });
    }
    if (bytes !== into) into.set(bytes);
  }

  async #take(from: number, slot: number, into?: Uint8Array): Promise<Uint8Array> {
    const arrival = await this.#context.mailbox.step(this.#sequence, from, slot);
    const { operation, signature } = arrival.envelope;
    if (operation !== this.#operation) throw mismatchedCall(arrival.envelope, this.#operation, this.rank);
    if (signature !== this.#signature) {
      throw signatureMismatch(operation, this.rank, from);
    }
    return arrival.take(into);
  }

  #guard<T>(work: Promise<T>): Promise<T> {
    return this.#context.pending.guard(this.#operation, work);
  }
}

/**
 * Reports that the ranks call different collectives, or call them in a different order. `own` is the call
 * that this rank has in progress under that number, if any.
 */
export function mismatchedCall(
  step: Pick<Envelope, "source" | "sequence" | "epoch"> & { readonly operation: string },
  own: string | undefined,
  rank: number,
): CommunicatorError {
  const { source, operation, sequence, epoch } = step;
  return new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_OTHER",
    problem: `Rank ${source} calls ${operation} where rank ${rank} calls ${own ?? "something else"} (call ${sequence} of the communicator).`,
    remedy: "Call the same collectives in the same order on all ranks.",
    operation: own ?? operation,
    epoch,
    ranks: [source],
  });
}
