import { CrinkleError } from "../../../core/errors.ts";
import type { Transport, UnauthenticatedConnection } from "../transport.ts";
import type { RtcConnection, RtcEndpoint, RtcOptions } from "./endpoint.ts";
import type { SignallingOptions } from "./options.ts";
import { addressOf, roomOf } from "./protocol.ts";

export interface RtcTransportOptions {
  /** How servers identify the room. */
  readonly room: string;
  /** This member's id, or `host` for the host's address. */
  readonly memberId: string;
  readonly signalling: SignallingOptions;
  /** `openRtc`, or `openProxiedRtc` with a port. */
  open(options: RtcOptions): Promise<RtcEndpoint>;
  /** A hint that a member may be gone. */
  onSuspect?(member: string): void;
  /**
   * Whether to tracked trying a server that is not reachable yet; meanwhile, members are reached over other
   * transports.
   */
  readonly retriesSignalling?: boolean;
  onReachable?(isReachable: boolean): void;
}

/** The host can also be reached under this name. */
export const hostMember = "host";

/** A transport over WebRTC; the server that introduces members need not be trusted. */
export async function openRtcTransport(options: RtcTransportOptions): Promise<Transport> {
  const { room, memberId, signalling, open, onSuspect, retriesSignalling, onReachable } = options;
  let onConnection: ((connection: UnauthenticatedConnection) => void) | undefined;
  const early: UnauthenticatedConnection[] = [];
  const unauthenticated = ({
    channel,
    binding,
    packetsReceived,
  }: RtcConnection): UnauthenticatedConnection => ({
    channel,
    binding,
    packetsReceived,
  });
  const endpoint = await open({
    address: addressOf(room, memberId),
    signalling,
    onConnection: (connection) => {
      if (onConnection) onConnection(unauthenticated(connection));
      else early.push(unauthenticated(connection));
    },
    onSuspect: (address) => {
      if (roomOf(address) === room) onSuspect?.(address.slice(room.length + 1));
    },
    retriesSignalling,
    onReachable,
  });
  return {
    path: "rtc",
    address: endpoint.address,
    canDial: (address) => roomOf(address) === room,
    dial: async (address) => {
      try {
        return unauthenticated(await endpoint.dial(address));
      } catch (cause) {
        if (!(cause instanceof CrinkleError)) throw cause;
        const { problem, remedy } = cause;
        throw new CrinkleError({ tag: "Unreachable", problem, remedy, cause });
      }
    },
    listen: (to) => {
      onConnection = to;
      for (const one of early.splice(0)) to(one);
    },
    close: () => {
      endpoint.close();
      for (const { channel } of early.splice(0)) channel.close();
    },
  };
}

/** Where a room's host is reached over WebRTC. */
export const hostAddress = (room: string): string => addressOf(room, hostMember);
