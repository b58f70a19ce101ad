import { makeRoomKey } from "../../membership/room-key.ts";
import { MemoryNetwork } from "../../transport/memory/network.ts";
import { makeMemberId, Room, type RoomParts } from "../room.ts";
import { MemoryWays } from "./memory-way.ts";

const key = makeRoomKey();

/** Nodes of a network in memory that open and join rooms. */
export class House {
  readonly network: MemoryNetwork;
  readonly ways: MemoryWays;

  constructor(seed: number) {
    this.network = new MemoryNetwork({ seed });
    this.ways = new MemoryWays(this.network);
  }

  parts(node: number, given: Partial<RoomParts> = {}): RoomParts {
    return {
      key,
      id: makeMemberId(),
      about: { name: `person ${node}`, device: "test", gpu: "none" },
      ways: [this.ways.of(node)],
      clock: this.network.clock(node),
      asked: (request) => request.admit(),
      ...given,
    };
  }

  join(node: number, given?: Partial<RoomParts>, host = 0): Promise<Room> {
    return Room.join(this.parts(node, given), { memory: `${host}` });
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

  async pass(ms: number): Promise<void> {
    await this.network.run(() => false, ms);
  }
}
