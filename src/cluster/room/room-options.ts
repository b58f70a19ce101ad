import type { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import type { Epoch } from "../membership/epoch.ts";
import type { FailureDetectorTiming } from "../membership/failure-detector.ts";
import type { RoomKey } from "../room-key.ts";
import type { Transport } from "../transport/transport.ts";
import type { JoinRequest } from "./host.ts";
import type { RoomBounds } from "./limits.ts";
import type { Room } from "./room.ts";
import type { MemberInfo } from "./room-message.ts";

/** What a room is made of, and what it tells. */
export interface RoomOptions {
  readonly key: RoomKey;
  /** This member's: letters and digits, nobody else's, now or later (makeMemberId). */
  readonly id: string;
  readonly about: MemberInfo;
  /** How others are reached; the room's to close. */
  readonly transports: readonly Transport[];
  readonly clock: Clock;
  readonly limits?: Partial<RoomBounds>;
  readonly timing?: FailureDetectorTiming;
  /**
   * Open the ways by which those who come reach whoever is host; the room closes them when this member is not any more.
   */
  readonly hostTransports?: readonly (() => Promise<Transport>)[];
  /** The members, their links or this one's part in it are other than before. */
  onChange?(room: Room): void;
  /** The host has heard that this member wants to join, and has yet to decide. */
  onPending?(): void;
  /** Somebody wants to join, and this member is the host. */
  onJoinRequest?(request: JoinRequest): void;
  /** An epoch has begun, the first that this member is in too. */
  onEpoch?(epoch: Epoch): void;
  /**
   * Once: this member is not in the room any more. Refused where the host put it out, RankFailed where the others went on
   * without it.
   */
  onLeft?(error: CrinkleError): void;
}
