import { makeRoomKey } from "../../room-key.ts";
import { MemoryNetwork } from "../../transport/testing/memory-network.ts";
import { makeMemberId, Room } from "../room.ts";
import type { RoomOptions } from "../room-options.ts";
import { MemoryTransports } from "./memory-transport.ts";

export const key = makeRoomKey();

/** Nodes of an in-memory network that open and join rooms. */
export class RoomNetwork {
  readonly memory: MemoryNetwork;
  readonly transports: MemoryTransports;

  constructor(seed: number, delay?: readonly [least: number, most: number]) {
    this.memory = new MemoryNetwork({ seed, delay });
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

  /** Advances the network's time and real time, which proofs need. */
  async until<R>(work: Promise<R>, stepMs = 2): Promise<R> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (let k = 0; k < 5000 && !isOver; k++) {
      await this.memory.run(() => isOver, stepMs);
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    if (!isOver) throw new Error("the promise does not settle");
    return work;
  }

  async advance(ms: number): Promise<void> {
    await this.memory.run(() => false, ms);
  }

  /** Like `advance`, but proofs take no network time: what happens follows from the seed alone. */
  async advanceExactly(ms: number): Promise<void> {
    const { memory } = this;
    const end = memory.now + ms;
    proofs ??= new Proofs();
    await proofs.rest();
    for (;;) {
      const { steps } = memory;
      const hasMore = await memory.run(() => memory.steps > steps, end - memory.now);
      await proofs.rest();
      if (!hasMore) return;
    }
  }
}

/** Counts the pending cryptographic operations of proofs. */
class Proofs {
  #underWay = 0;

  constructor() {
    const { subtle } = crypto;
    for (const name of ["importKey", "deriveBits", "sign", "verify"]) {
      const original = Reflect.get(subtle, name) as (...given: readonly unknown[]) => Promise<unknown>;
      const counted = async (...given: readonly unknown[]) => {
        this.#underWay++;
        try {
          return await original.apply(subtle, [...given]);
        } finally {
          this.#underWay--;
        }
      };
      Object.defineProperty(subtle, name, { configurable: true, value: counted });
    }
  }

  async rest(): Promise<void> {
    while (this.#underWay > 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

let proofs: Proofs | undefined;
