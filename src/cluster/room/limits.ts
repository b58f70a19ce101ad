import { defaultLimits, type LinkLimits } from "../transport/link.ts";

export interface RoomLimits {
  /** Ranks of an epoch, and those about to join. */
  readonly ranks: number;
  readonly joinsPerMinute: number;
  /** Connections of those that have not been admitted. */
  readonly strangers: number;
  /** Milliseconds in which whoever proved the key has to say what it wants. */
  readonly askMs: number;
  /** Milliseconds in which whoever was invited has to link to the others. */
  readonly meshMs: number;
  readonly link: LinkLimits;
}

export const defaultRoomLimits: RoomLimits = {
  ranks: 32,
  joinsPerMinute: 60,
  strangers: 16,
  askMs: 10_000,
  meshMs: 30_000,
  link: defaultLimits,
};
