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

/** What a room needs, and the events that it reports. */
export interface RoomOptions {
  readonly key: RoomKey;
  /** This member's id: letters and digits, never reused (makeMemberId). */
  readonly id: string;
  readonly about: MemberInfo;
  /** How to reach others; the room closes them. */
  readonly transports: readonly Transport[];
  readonly clock: Clock;
  readonly limits?: Partial<RoomBounds>;
  readonly timing?: FailureDetectorTiming;
  /** Whether this member, which is not to host the room, leaves at once where it is the last. */
  readonly isGuest?: boolean;
  /** Open the transports at the host's own addresses; the room opens them while this member is host. */
  readonly hostTransports?: readonly (() => Promise<Transport>)[];
  /** The members, their links or this member's role have changed. */
  onChange?(room: Room): void;
  /** The host has received this member's request and has yet to decide. */
  onPending?(): void;
  /** Somebody asks to join, and this member is the host. */
  onJoinRequest?(request: JoinRequest): void;
  /** An epoch has begun, including the first one of this member. */
  onEpoch?(epoch: Epoch): void;
  /**
   * Called once when this member is out of the room: with Refused if the host removed it, with RankFailed
   * if the others continued without it.
   */
  onLeft?(error: CrinkleError): void;
}
