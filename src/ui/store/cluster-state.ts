import type { PlainError } from "../../core/errors.ts";
import type { ClusterMeasurement, RankState, RoomLimits } from "../../engine/cluster/api.ts";

/** A room that this page was asked into by a link, or was in before it was loaded again. */
export interface Invitation {
  readonly link: string;
  readonly isReturn: boolean;
}

export interface ClusterState {
  /** The panel is shown. */
  readonly isOpen: boolean;
  readonly phase: "none" | "opening" | "joining" | "waiting" | "member";
  /** Of the room that this page is in, or is about to be. */
  readonly link: string | undefined;
  /** What waits for the person's yes or no. */
  readonly invitation: Invitation | undefined;
  /** What the page's own rank tells. */
  readonly rank: RankState | undefined;
  /** Ids of the other ranks of this page. */
  readonly added: readonly string[];
  /** Another rank of this page is on its way. */
  readonly isAdding: boolean;
  /** Bytes a second over the link to each member, both ways, by its id. */
  readonly rates: Readonly<Record<string, number>>;
  readonly approvesAll: boolean;
  readonly limits: RoomLimits;
  /** What others see; empty where the person has not said. */
  readonly name: string;
  /** How much of a measurement is done, from 0 to 1, while one runs. */
  readonly measuring: number | undefined;
  /** The last measurement, and the members' ids by rank then. */
  readonly measured: { readonly ids: readonly string[]; readonly result: ClusterMeasurement } | undefined;
  readonly error: PlainError | undefined;
  /** The last thing that happened, as it is said to screen readers. */
  readonly said: string;
}

/** What a person chooses each limit from; the defaults are among them. */
export const limitChoices: Readonly<Record<keyof RoomLimits, readonly number[]>> = {
  ranks: [2, 4, 8, 16, 32, 64],
  joinsPerMinute: [5, 15, 60, 240],
  messageBytes: [2 ** 24, 2 ** 26, 2 ** 28, 2 ** 30, 2 ** 31],
};

export const noCluster: ClusterState = {
  isOpen: false,
  phase: "none",
  link: undefined,
  invitation: undefined,
  rank: undefined,
  added: [],
  isAdding: false,
  rates: {},
  approvesAll: false,
  // As defaultRoomLimits, whose code comes with the first rank.
  limits: { ranks: 32, joinsPerMinute: 60, messageBytes: 2 ** 31 },
  name: "",
  measuring: undefined,
  measured: undefined,
  error: undefined,
  said: "",
};
