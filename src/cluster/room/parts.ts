import type { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import type { Epoch } from "../membership/epoch.ts";
import type { RoomKey } from "../membership/room-key.ts";
import type { WatchTiming } from "../membership/watch.ts";
import type { Request } from "./host.ts";
import type { RoomBounds } from "./limits.ts";
import type { Room } from "./room.ts";
import type { Way } from "./way.ts";
import type { About } from "./words.ts";

/** What a room is made of, and what it tells. */
export interface RoomParts {
  readonly key: RoomKey;
  /** This member's: letters and digits, nobody else's, now or later (makeMemberId). */
  readonly id: string;
  readonly about: About;
  /** How others are reached; the room's to close. */
  readonly ways: readonly Way[];
  readonly clock: Clock;
  readonly limits?: Partial<RoomBounds>;
  readonly timing?: WatchTiming;
  /**
   * Open the ways by which those who come reach whoever is host; the room closes them when this member is not any more.
   */
  readonly doors?: readonly (() => Promise<Way>)[];
  /** The members, their links or this one's part in it are other than before. */
  changed?(room: Room): void;
  /** The host has heard that this member wants to join, and has yet to decide. */
  waits?(): void;
  /** Somebody wants to join, and this member is the host. */
  asked?(request: Request): void;
  /** An epoch has begun, the first that this member is in too. */
  began?(epoch: Epoch): void;
  /**
   * Once: this member is not in the room any more. Refused where the host put it out, RankFailed where the others went on
   * without it.
   */
  left?(error: CrinkleError): void;
}
