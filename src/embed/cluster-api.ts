import type { Communicator } from "../cluster/communicator/communicator.ts";
import type { ElementReduction } from "../cluster/communicator/operators.ts";
import type { CrinkleError } from "../core/errors.ts";

export type { Communicator, ElementReduction };

/** What a member tells the others of itself. */
export interface RoomMember {
  readonly name: string;
  readonly device: string;
}

export interface JoinRoomOptions {
  /** What others see; what runs the program where it is left out. */
  readonly name?: string;
  /** While this member is the host: whether somebody who has the link may join. Everybody may where it is left out. */
  admits?(member: RoomMember): boolean | Promise<boolean>;
  /** Ranks have joined or were lost: so many are there now, this one among them. */
  onSize?(size: number): void;
  /** Called once when this member is out without having left: Refused if the host removed it, RankFailed if others went on without it. */
  onLeft?(error: CrinkleError): void;
  readonly signal?: AbortSignal;
}

export interface OpenRoomOptions extends Omit<JoinRoomOptions, "signal"> {
  /**
   * A page of Crinkle's, such as "https://host:8470/", whose server introduces ranks to each other over WebRTC. Browsers need one; Node
   * listens for TCP where it is left out.
   */
  readonly page?: string;
  /** In Node: the interface and the port to listen on; all, and any free one, where they are left out. */
  readonly listen?: { readonly host?: string; readonly port?: number };
}

/** A room that this program is a member of. */
export interface ProgramRoom {
  /** Whoever has it can ask to join: it holds the room's key. */
  readonly link: string;
  readonly size: number;
  /** This member's place among the others; the host is rank 0. */
  readonly rank: number;
  /**
   * The communicator of all members, as soon as there are so many. When further ones join, its calls reject with Revoked; when
   * one is lost, with RankFailed, and `shrink()` goes on with the others. Rejects with why this member is out.
   */
  world(size: number): Promise<Communicator>;
  /** Leaves at once; the others' calls reject with RankFailed. Resolves when all has been sent. */
  leave(): Promise<void>;
  /** The end of what the members do together: waits until all that are left have called it, then leaves. */
  end(): Promise<void>;
}

/** Opens a room, whose host this program is. Rejects with BadArgument in a browser without a page, and with Refused. */
export type OpenRoom = (options?: OpenRoomOptions) => Promise<ProgramRoom>;

/**
 * Asks to join the room of a link. Rejects with BadArgument where the text is none, with Refused if the host declines, with
 * Unreachable where nobody answers, and with Cancelled.
 */
export type JoinRoom = (link: string, options?: JoinRoomOptions) => Promise<ProgramRoom>;
