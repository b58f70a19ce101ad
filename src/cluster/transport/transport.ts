import type { FrameChannel } from "./channel.ts";
import type { Path } from "./link.ts";

/** Where a member can be reached: for each path, the address that the transport's `dial` takes. */
export type Addresses = Readonly<Record<string, string>>;

/**
 * What only the two ends of a channel know alike and a handshake proves with the key (channel binding, RFC 5056):
 * fingerprints of the ends' certificates; empty arrays within a browser.
 */
export interface ChannelBinding {
  readonly own: Uint8Array;
  readonly other: Uint8Array;
}

export const noChannelBinding: ChannelBinding = { own: new Uint8Array(0), other: new Uint8Array(0) };

/** A channel to somebody who has not yet proved the room's key. */
export interface UnauthenticatedConnection {
  readonly channel: FrameChannel;
  readonly binding: ChannelBinding;
  /**
   * How many packets have come over the connection, where that can be seen: the other side's system acknowledges what is
   * sent, whatever its program does.
   */
  packetsReceived?(): Promise<number | undefined>;
}

/** One way to reach others: a transport with its addresses. */
export interface Transport {
  /** Its key in `Addresses`. */
  readonly path: Path;
  /** What others dial this member by. */
  readonly address: string;
  /** Whether an address may be reached from here: the same browser, a network that both are on. */
  canDial(address: string): boolean;
  /** Rejects with Unreachable. */
  dial(address: string): Promise<UnauthenticatedConnection>;
  /** Hands over who dials from now on. */
  listen(contact: (contact: UnauthenticatedConnection) => void): void;
  close(): void;
}

/** What others reach a member by who has these transports. */
export const ownAddresses = (transports: readonly Transport[]): Addresses =>
  Object.fromEntries(transports.map(({ path, address }) => [path, address]));

/** The transports that both have, the fastest first. */
export function transportsTo(transports: readonly Transport[], addresses: Addresses): readonly Transport[] {
  const order: readonly Path[] = ["memory", "port", "tcp", "rtc"];
  return order.flatMap((path) =>
    transports.filter(
      (transport) => transport.path === path && path in addresses && transport.canDial(addresses[path]),
    ),
  );
}
