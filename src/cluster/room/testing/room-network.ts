import { makeRoomKey } from "../../room-key.ts";
import { MemoryNetwork } from "../../transport/testing/memory-network.ts";
import { makeMemberId, Room } from "../room.ts";
import type { RoomOptions } from "../room-options.ts";
import { MemoryTransports } from "./memory-transport.ts";

export const key = makeRoomKey();

/** Nodes of a network in memory that open and join rooms. */
export class RoomNetwork {
  readonly network: MemoryNetwork;
  readonly transports: MemoryTransports;

  constructor(seed: number, delay?: readonly [least: number, most: number]) {
    this.network = new MemoryNetwork({ seed, delay });
    this.transports = new MemoryTransports(this.network);
  }

  options(node: number, given: Partial<RoomOptions> = {}): RoomOptions {
    return {
      key,
      id: makeMemberId(),
      about: { name: `person ${node}`, device: "test", gpu: "none" },
      transports: [this.transports.of(node)],
      clock: this.network.clock(node),
      onJoinRequest: (request) => request.admit(),
      ...given,
    };
  }

  join(node: number, given?: Partial<RoomOptions>, host = 0): Promise<Room> {
    return Room.join(this.options(node, given), [{ memory: `${host}` }]);
  }

  /** The network's time goes on, and real time with it: proofs take some. */
  async until<R>(work: Promise<R>, stepMs = 2): Promise<R> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (let k = 0; k < 5000 && !isOver; k++) {
      await this.network.run(() => isOver, stepMs);
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    if (!isOver) throw new Error("nothing comes of it");
    return work;
  }

  async advance(ms: number): Promise<void> {
    await this.network.run(() => false, ms);
  }

  /** As pass, but proofs take none of the network's time: what happens follows from the seed alone. */
  async advanceExactly(ms: number): Promise<void> {
    const { network } = this;
    const end = network.now + ms;
    proofs ??= new Proofs();
    await proofs.rest();
    for (;;) {
      const { steps } = network;
      const hasMore = await network.run(() => network.steps > steps, end - network.now);
      await proofs.rest();
      if (!hasMore) return;
    }
  }
}

/** Counts the proofs' cryptography that is under way. */
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
