import { FramedLink } from "../../transport/framed-link.ts";
import { defaultLimits, type Link } from "../../transport/link.ts";
import { MemoryNetwork, type NetworkOptions } from "../../transport/testing/memory-network.ts";
import type { Epoch } from "../epoch.ts";
import { Member } from "../member.ts";

/** What happened to one member, as it saw it. */
export interface Observation {
  readonly member: Member;
  readonly epochs: Epoch[];
  left: string | undefined;
}

export interface Room {
  readonly network: MemoryNetwork;
  readonly seen: readonly Observation[];
  /** One node's link to another, for what its member would not send. */
  linkOf(node: number, to: number): Link | undefined;
}

const tuning = { latencyMs: 0.3, bytesPerMs: 50_000 };

export const nameOf = (node: number) => `member ${node}`;

/** Members of one epoch, each a node of an in-memory network with a link to every other. */
export function makeRoom(size: number, options: NetworkOptions, guests: readonly number[] = []): Room {
  const network = new MemoryNetwork(options);
  const links = Array.from({ length: size }, () => new Map<string, Link>());
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const [there, back] = network.connect(a, b);
      links[a].set(nameOf(b), new FramedLink(there, defaultLimits, () => network.now));
      links[b].set(nameOf(a), new FramedLink(back, defaultLimits, () => network.now));
    }
  }
  const names = links.map((_, node) => nameOf(node));
  const seen = links.map((own, node) => {
    const epochs: Epoch[] = [];
    const mine: { left: string | undefined } = { left: undefined };
    const member = new Member({
      name: names[node],
      epoch: 1,
      names,
      links: own,
      tuning: () => tuning,
      clock: network.clock(node),
      isGuest: guests.includes(node),
      onEpoch: (epoch) => epochs.push(epoch),
      onLeft: (problem) => {
        mine.left = problem;
      },
    });
    epochs.unshift(member.epoch);
    return Object.assign(mine, { member, epochs });
  });
  return { network, seen, linkOf: (node, to) => links[node].get(nameOf(to)) };
}
