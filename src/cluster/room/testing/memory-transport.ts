import { CrinkleError } from "../../../core/errors.ts";
import type { FrameChannel } from "../../transport/channel.ts";
import type { MemoryNetwork } from "../../transport/testing/memory-network.ts";
import {
  noChannelBinding,
  type Transport,
  type UnauthenticatedConnection,
} from "../../transport/transport.ts";

/** Transports of an in-memory network: addresses are the nodes' numbers. */
export class MemoryTransports {
  readonly #network: MemoryNetwork;
  readonly #listeners = new Map<string, (connection: UnauthenticatedConnection) => void>();
  /** Ends of channels that are neither closed nor lost, by node. */
  readonly #open = new Map<number, Set<FrameChannel>>();

  constructor(network: MemoryNetwork) {
    this.#network = network;
  }

  /** How many ends of channels a node has open. */
  openAt(node: number): number {
    return this.#open.get(node)?.size ?? 0;
  }

  of(node: number): Transport {
    const address = `${node}`;
    return {
      path: "memory",
      address,
      canDial: () => true,
      dial: async (other) => {
        const listener = this.#listeners.get(other);
        if (!listener) throw new CrinkleError({ tag: "Unreachable", problem: `Nobody is at node ${other}.` });
        const [there, back] = this.#network.connect(node, Number(other));
        listener({ channel: this.#counted(back, Number(other)), binding: noChannelBinding });
        return { channel: this.#counted(there, node), binding: noChannelBinding };
      },
      listen: (connection) => {
        this.#listeners.set(address, connection);
      },
      close: () => {
        this.#listeners.delete(address);
      },
    };
  }

  #counted(channel: FrameChannel, node: number): FrameChannel {
    const open = this.#open.get(node) ?? new Set();
    this.#open.set(node, open);
    const own: FrameChannel = {
      path: channel.path,
      frameBytes: channel.frameBytes,
      start: (receiver) =>
        channel.start({
          frame: (bytes) => receiver.frame(bytes),
          lost: (problem, how) => {
            open.delete(own);
            receiver.lost(problem, how);
          },
        }),
      post: (header, part) => channel.post(header, part),
      writable: () => channel.writable(),
      close: () => {
        open.delete(own);
        channel.close();
      },
    };
    open.add(own);
    return own;
  }
}
