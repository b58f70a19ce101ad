import type { Exchange } from "../exchange.ts";
import type { Tuning } from "./tuning.ts";

/** Slots reserved for each phase of a call. */
const phaseSlots = 2 ** 24;

/**
 * Some ranks of an exchange, with numbers of their own. `phase` separates their messages from others of the
 * call.
 */
export class Subset implements Exchange {
  readonly rank: number;
  readonly size: number;
  readonly members: readonly number[];
  readonly #exchange: Exchange;
  readonly #firstSlot: number;

  constructor(exchange: Exchange, members: readonly number[], phase: number) {
    this.rank = members.indexOf(exchange.rank);
    this.size = members.length;
    this.members = members;
    this.#exchange = exchange;
    this.#firstSlot = phase * phaseSlots;
  }

  setSignature(signature: number): void {
    this.#exchange.setSignature(signature);
  }

  send(to: number, slot: number, bytes: Uint8Array): Promise<void> {
    return this.#exchange.send(this.members[to], this.#firstSlot + slot, bytes);
  }

  receive(from: number, slot: number): Promise<Uint8Array> {
    return this.#exchange.receive(this.members[from], this.#firstSlot + slot);
  }

  receiveInto(from: number, slot: number, into: Uint8Array): Promise<void> {
    return this.#exchange.receiveInto(this.members[from], this.#firstSlot + slot, into);
  }
}

/** Groups of nearby ranks, and the leader of each, which talks to the other groups. */
export interface Levels {
  /** The ranks of this rank's group, ascending. */
  readonly group: readonly number[];
  /** One rank of each group, in the order of the groups' lowest ranks. */
  readonly leaders: readonly number[];
  /** For each rank, the index in `leaders` of its group's leader. */
  readonly leaderOf: readonly number[];
  /** Whether the ranks of each group are contiguous. */
  readonly isContiguous: boolean;
}

/**
 * Undefined if there is only one level: all ranks in one group, or each in its own. `leading` leads its
 * group.
 */
export function levelsOf(exchange: Exchange, { groups }: Tuning, leading = -1): Levels | undefined {
  const { rank, size } = exchange;
  if (!groups) return undefined;
  const places = new Map<number, number[]>();
  for (let other = 0; other < size; other++) {
    const members = places.get(groups[other]);
    if (members) members.push(other);
    else places.set(groups[other], [other]);
  }
  if (places.size === 1 || places.size === size) return undefined;
  const order = [...places.keys()];
  const all = [...places.values()];
  return {
    group: places.get(groups[rank]) ?? [],
    leaders: all.map((members) => (members.includes(leading) ? leading : members[0])),
    leaderOf: Array.from({ length: size }, (_, other) => order.indexOf(groups[other])),
    isContiguous: all.every((members) => members[members.length - 1] - members[0] === members.length - 1),
  };
}
