import { CrinkleError } from "../../core/errors.ts";
import { defaultLimits, type LinkLimits } from "../transport/link.ts";

/** Limits that a person can set, before a room is opened or while it runs. */
export interface RoomLimits {
  /** Ranks in an epoch, including those about to join, while this member is host. */
  readonly ranks: number;
  /** Join requests per minute, while this member is host. */
  readonly joinsPerMinute: number;
  /** The longest message that others may send to this member. */
  readonly messageBytes: number;
}

export const defaultRoomLimits: RoomLimits = {
  ranks: 32,
  joinsPerMinute: 60,
  messageBytes: defaultLimits.messageBytes,
};

/** The minimum and maximum of each: messages of the protocol itself must fit. */
export const limitRanges: Readonly<Record<keyof RoomLimits, readonly [least: number, most: number]>> = {
  ranks: [1, 1024],
  joinsPerMinute: [1, 10_000],
  messageBytes: [2 ** 20, 2 ** 31],
};

/** Fills in defaults. Throws BadArgument for a limit that is not a whole number or is out of range. */
export function parseRoomLimits(given: Partial<Readonly<Record<keyof RoomLimits, unknown>>>): RoomLimits {
  const read = (name: keyof RoomLimits): number => {
    const value = given[name] ?? defaultRoomLimits[name];
    const [least, most] = limitRanges[name];
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The room's limit ${name} is ${value}.`,
      remedy: `Give a whole number from ${least} to ${most}.`,
    });
  };
  return {
    ranks: read("ranks"),
    joinsPerMinute: read("joinsPerMinute"),
    messageBytes: read("messageBytes"),
  };
}

/** Everything that bounds what others may cause here. Read anew each time, because a person may change it. */
export interface RoomBounds extends RoomLimits, LinkLimits {
  /** Connections that have not been admitted. */
  readonly unadmittedConnections: number;
  /** Milliseconds within which an authenticated peer must say what it wants. */
  readonly askMs: number;
  /** Milliseconds within which an invited peer must link to the others. */
  readonly meshMs: number;
}

export const defaultBounds: RoomBounds = {
  ...defaultLimits,
  ...defaultRoomLimits,
  unadmittedConnections: 16,
  askMs: 10_000,
  meshMs: 30_000,
};
