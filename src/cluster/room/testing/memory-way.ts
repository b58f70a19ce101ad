import { CrinkleError } from "../../../core/errors.ts";
import { unbound } from "../../membership/handshake.ts";
import type { MemoryNetwork } from "../../transport/memory/network.ts";
import type { Contact, Way } from "../way.ts";

/** Ways of a network in memory: addresses are nodes' numbers. */
export class MemoryWays {
  readonly #network: MemoryNetwork;
  readonly #listeners = new Map<string, (contact: Contact) => void>();

  constructor(network: MemoryNetwork) {
    this.#network = network;
  }

  of(node: number): Way {
    const address = `${node}`;
    return {
      path: "memory",
      address,
      canDial: () => true,
      dial: async (other) => {
        const listener = this.#listeners.get(other);
        if (!listener) throw new CrinkleError({ tag: "Unreachable", problem: `Nobody is at node ${other}.` });
        const [there, back] = this.#network.connect(node, Number(other));
        listener({ channel: back, binding: unbound });
        return { channel: there, binding: unbound };
      },
      listen: (contact) => {
        this.#listeners.set(address, contact);
      },
      close: () => {
        this.#listeners.delete(address);
      },
    };
  }
}
