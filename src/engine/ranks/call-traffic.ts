import type { Communicator, Data } from "../../cluster/communicator/communicator.ts";
import { encodeData, isTypedArray } from "../../cluster/communicator/data.ts";
import type { Traffic } from "../../core/rank-trace.ts";
import { noTraffic } from "./stopwatch.ts";

/** Bytes; of a value as JSON. */
export const sizeOf = (data: Data): number =>
  isTypedArray(data) ? data.byteLength : encodeData(data, "count").bytes.length;

export const sending = (data: Data): Traffic => ({ ...noTraffic, sent: sizeOf(data), messages: 1 });

export const receiving = (data: Data): Traffic => ({ ...noTraffic, received: sizeOf(data) });

/** What one rank passes and gets in collectives. */
export class CallTraffic {
  readonly #rank: number;
  readonly #size: number;

  constructor({ rank, size }: Pick<Communicator, "rank" | "size">) {
    this.#rank = rank;
    this.#size = size;
  }

  /** Of data that each other rank gets. */
  toAll(data: Data): Traffic {
    const others = this.#size - 1;
    return { ...noTraffic, sent: others * sizeOf(data), messages: others };
  }

  /** Of parts, each for another rank. */
  toEach(parts: readonly Data[]): Traffic {
    return { ...noTraffic, sent: this.ofOthers(parts), messages: this.#size - 1 };
  }

  /** Bytes of the other ranks' parts. */
  ofOthers(parts: readonly Data[]): number {
    return parts.reduce<number>((sum, part, rank) => (rank === this.#rank ? sum : sum + sizeOf(part)), 0);
  }

  /** Of what a rank contributes to a reduction, and of its result. */
  reducing(contribution: Data | undefined, result: Data | undefined): Traffic {
    if (this.#size === 1) return noTraffic;
    return {
      sent: contribution === undefined ? 0 : sizeOf(contribution),
      received: result === undefined ? 0 : sizeOf(result),
      messages: contribution === undefined ? 0 : 1,
    };
  }
}
