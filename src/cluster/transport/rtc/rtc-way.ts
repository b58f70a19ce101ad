import { CrinkleError } from "../../../core/errors.ts";
import type { Contact, Way } from "../../room/way.ts";
import type { RtcConnection, RtcEndpoint, RtcOptions } from "./endpoint.ts";
import type { SignallingOptions } from "./options.ts";
import { addressOf, roomOf } from "./protocol.ts";

export interface RtcWayOptions {
  /** What servers know the room by. */
  readonly room: string;
  /** This member's id, or `host` for the host's door. */
  readonly member: string;
  readonly signalling: SignallingOptions;
  /** `openRtc`, or `borrowRtc` with a port. */
  open(options: RtcOptions): Promise<RtcEndpoint>;
  /** A hint that a member may be gone. */
  suspect?(member: string): void;
  /** Whether a server that is not there yet is asked again: members without it are reached by others of their ways. */
  readonly isPatient?: boolean;
  reachable?(isReachable: boolean): void;
}

/** The member that is host comes under this name too. */
export const hostMember = "host";

/** Members reach each other over WebRTC, introduced by a server that they need not trust. */
export async function openRtcWay(options: RtcWayOptions): Promise<Way> {
  const { room, member, signalling, open, suspect, isPatient, reachable } = options;
  let take: ((contact: Contact) => void) | undefined;
  const early: Contact[] = [];
  const contactOf = ({ channel, binding, packets }: RtcConnection): Contact => ({
    channel,
    binding,
    packets,
  });
  const endpoint = await open({
    address: addressOf(room, member),
    signalling,
    incoming: (connection) => {
      if (take) take(contactOf(connection));
      else early.push(contactOf(connection));
    },
    suspect: (address) => {
      if (roomOf(address) === room) suspect?.(address.slice(room.length + 1));
    },
    isPatient,
    reachable,
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
