import { makeRoomKey } from "../../room-key.ts";
import { MemoryNetwork, type NetworkOptions, settled } from "../../transport/testing/memory-network.ts";
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

  /**
   * Like `advance`, but proofs take no network time: what happens follows from the seed alone. Ends when `until` holds after an
   * event, too.
   */
  async advanceExactly(ms: number, until: () => boolean = () => false): Promise<void> {
    proofs ??= new Proofs();
    const { underWay } = proofs;
    await this.memory.run(until, ms, async () => {
      do await settled();
      while (underWay() > 0);
    });
  }
}

/** Counts the pending cryptographic operations of proofs. */
class Proofs {
  #underWay = 0;
  readonly underWay = () => this.#underWay;

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
}

let proofs: Proofs | undefined;
