import { CrinkleError } from "../../core/errors.ts";
import { defaultLimits, type LinkLimits } from "../transport/link.ts";

/** What a person may set, before a room is opened or while it runs. */
export interface RoomLimits {
  /** Ranks of an epoch, and those about to join, while this member is host. */
  readonly ranks: number;
  /** Who may ask to join in a minute, while this member is host. */
  readonly joinsPerMinute: number;
  /** The longest message that others may send to this member. */
  readonly messageBytes: number;
}

export const defaultRoomLimits: RoomLimits = {
  ranks: 32,
  joinsPerMinute: 60,
  messageBytes: defaultLimits.messageBytes,
};

/** The least and the most of each: a room of fewer is none, and messages of the protocol have to pass. */
const ranges: Readonly<Record<keyof RoomLimits, readonly [least: number, most: number]>> = {
  ranks: [1, 1024],
  joinsPerMinute: [1, 10_000],
  messageBytes: [2 ** 20, 2 ** 31],
};

/** Limits with the defaults for those that are left out. Throws BadArgument for one that is no count, or out of range. */
export function parseRoomLimits(given: Partial<Readonly<Record<keyof RoomLimits, unknown>>>): RoomLimits {
  const read = (name: keyof RoomLimits): number => {
    const value = given[name] ?? defaultRoomLimits[name];
    const [least, most] = ranges[name];
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

/** All that bounds what others may cause here. Read anew each time: a person may change it meanwhile. */
export interface RoomBounds extends RoomLimits, LinkLimits {
  /** Connections of those that have not been admitted. */
  readonly unadmittedConnections: number;
  /** Milliseconds in which whoever proved the key has to say what it wants. */
  readonly askMs: number;
  /** Milliseconds in which whoever was invited has to link to the others. */
  readonly meshMs: number;
}

export const defaultBounds: RoomBounds = {
  ...defaultLimits,
  ...defaultRoomLimits,
  unadmittedConnections: 16,
  askMs: 10_000,
  meshMs: 30_000,
};
