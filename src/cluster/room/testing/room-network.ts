import { makeRoomKey } from "../../room-key.ts";
import { MemoryNetwork, type NetworkOptions } from "../../transport/testing/memory-network.ts";
import { settledWithProofs } from "../../transport/testing/proofs.ts";
import { makeMemberId, Room } from "../room.ts";
import type { RoomOptions } from "../room-options.ts";
import { MemoryTransports } from "./memory-transport.ts";

export const key = makeRoomKey();

/** Nodes of an in-memory network that open and join rooms. */
export class RoomNetwork {
  readonly memory: MemoryNetwork;
  readonly transports: MemoryTransports;

  constructor(seed: number, delay?: NetworkOptions["delay"], given?: Partial<NetworkOptions>) {
    this.memory = new MemoryNetwork({ seed, delay, ...given });
    this.transports = new MemoryTransports(this.memory);
  }

  options(node: number, given: Partial<RoomOptions> = {}): RoomOptions {
    return {
      key,
      id: makeMemberId(),
      about: { name: `person ${node}`, device: "test", gpu: "none" },
      transports: [this.transports.of(node)],
      clock: this.memory.clock(node),
      onJoinRequest: (request) => request.admit(),
      ...given,
    };
  }

  join(node: number, given?: Partial<RoomOptions>, host = 0): Promise<Room> {
    return Room.join(this.options(node, given), [{ memory: `${host}` }]);
  }

  /** Advances the network's time, of which proofs take none, and real time. */
  async until<R>(work: Promise<R>, stepMs = 2): Promise<R> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (let k = 0; k < 5000 && !isOver; k++) {
      await this.advanceExactly(stepMs, () => isOver);
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    if (!isOver) throw new Error("the promise does not settle");
    return work;
  }

  async advance(ms: number): Promise<void> {
    await this.memory.run(() => false, ms);
  }

  /**
   * Like `advance`, but proofs take no network time: what happens follows from the seed alone. Ends when `until` holds after an
   * event, too.
   */
  async advanceExactly(ms: number, until: () => boolean = () => false): Promise<void> {
    await this.memory.run(until, ms, settledWithProofs);
  }
}
