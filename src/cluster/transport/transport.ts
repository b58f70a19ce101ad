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

/** A channel to a peer that has not yet proved the room's key. */
export interface UnauthenticatedConnection {
  readonly channel: FrameChannel;
  readonly binding: ChannelBinding;
  /**
   * How many packets have arrived over the connection, if that can be observed: the other side's system
   * acknowledges what is sent, whatever its program does.
   */
  packetsReceived?(): Promise<number | undefined>;
}

/** A way to reach others, with this member's address for it. */
export interface Transport {
  /** Its key in `Addresses`. */
  readonly path: Path;
  /** The address by which others dial this member. */
  readonly address: string;
  /** Whether an address may be reachable from here: in the same browser, or on a common network. */
  canDial(address: string): boolean;
  /** Rejects with Unreachable. */
  dial(address: string): Promise<UnauthenticatedConnection>;
  /** Passes incoming connections to `onConnection` from now on. */
  listen(onConnection: (connection: UnauthenticatedConnection) => void): void;
  close(): void;
}

/** The addresses of a member with these transports. */
export const ownAddresses = (transports: readonly Transport[]): Addresses =>
  Object.fromEntries(transports.map(({ path, address }) => [path, address]));

/** The transports that both sides have, fastest first. */
export function transportsTo(transports: readonly Transport[], addresses: Addresses): readonly Transport[] {
  const order: readonly Path[] = ["memory", "port", "tcp", "rtc"];
  return order.flatMap((path) =>
    transports.filter(
      (transport) => transport.path === path && path in addresses && transport.canDial(addresses[path]),
    ),
  );
}
