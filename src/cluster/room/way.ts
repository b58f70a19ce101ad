import type { Binding } from "../membership/handshake.ts";
import type { FrameChannel } from "../transport/channel.ts";
import type { Path } from "../transport/link.ts";
import type { Addresses } from "./words.ts";

/** A channel to somebody who has not yet proved the room's key. */
export interface Contact {
  readonly channel: FrameChannel;
  readonly binding: Binding;
  /**
   * How many packets have come over the connection, where that can be seen: the other side's system acknowledges what is
   * sent, whatever its program does.
   */
  packets?(): Promise<number | undefined>;
}

/** One way to reach others: a transport with its addresses. */
export interface Way {
  /** Its key in `Addresses`. */
  readonly path: Path;
  /** What others dial this member by. */
  readonly address: string;
  /** Whether an address may be reached from here: the same browser, a network that both are on. */
  canDial(address: string): boolean;
  /** Rejects with Unreachable. */
  dial(address: string): Promise<Contact>;
  /** Hands over who dials from now on. */
  listen(contact: (contact: Contact) => void): void;
  close(): void;
}

/** What others reach a member by who has these ways. */
export const ownAddresses = (ways: readonly Way[]): Addresses =>
  Object.fromEntries(ways.map(({ path, address }) => [path, address]));

/** The ways that both have, the fastest first. */
export function waysTo(ways: readonly Way[], addresses: Addresses): readonly Way[] {
  const order: readonly Path[] = ["memory", "port", "tcp", "rtc"];
  return order.flatMap((path) =>
    ways.filter((way) => way.path === path && path in addresses && way.canDial(addresses[path])),
  );
}
