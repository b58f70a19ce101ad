import { CrinkleError } from "../../../core/errors.ts";
import type { Transport, UnauthenticatedConnection } from "../transport.ts";
import type { RtcConnection, RtcEndpoint, RtcOptions } from "./endpoint.ts";
import type { SignallingOptions } from "./options.ts";
import { addressOf, roomOf } from "./protocol.ts";

export interface RtcTransportOptions {
  /** What servers know the room by. */
  readonly room: string;
  /** This member's id, or `host` for the host's door. */
  readonly member: string;
  readonly signalling: SignallingOptions;
  /** `openRtc`, or `borrowRtc` with a port. */
  open(options: RtcOptions): Promise<RtcEndpoint>;
  /** A hint that a member may be gone. */
  onSuspect?(member: string): void;
  /** Whether a server that is not there yet is asked again: members without it are reached by others of their ways. */
  readonly retriesSignalling?: boolean;
  onReachable?(isReachable: boolean): void;
}

/** The member that is host comes under this name too. */
export const hostMember = "host";

/** Members reach each other over WebRTC, introduced by a server that they need not trust. */
export async function openRtcTransport(options: RtcTransportOptions): Promise<Transport> {
  const { room, member, signalling, open, onSuspect, retriesSignalling, onReachable } = options;
  let take: ((contact: UnauthenticatedConnection) => void) | undefined;
  const early: UnauthenticatedConnection[] = [];
  const contactOf = ({ channel, binding, packetsReceived }: RtcConnection): UnauthenticatedConnection => ({
    channel,
    binding,
    packetsReceived,
  });
  const endpoint = await open({
    address: addressOf(room, member),
    signalling,
    onConnection: (connection) => {
      if (take) take(contactOf(connection));
      else early.push(contactOf(connection));
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
        return contactOf(await endpoint.dial(address));
      } catch (cause) {
        if (!(cause instanceof CrinkleError)) throw cause;
        const { problem, remedy } = cause;
        throw new CrinkleError({ tag: "Unreachable", problem, remedy, cause });
      }
    },
    listen: (contact) => {
      take = contact;
      for (const one of early.splice(0)) contact(one);
    },
    close: () => {
      endpoint.close();
      for (const { channel } of early.splice(0)) channel.close();
    },
  };
}

/** Where a room's host is reached over WebRTC. */
export const hostAddress = (room: string): string => addressOf(room, hostMember);
