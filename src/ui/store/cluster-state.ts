import type { PlainError } from "../../core/errors.ts";
import type { RankDrawing } from "../../engine/api.ts";
import type {
  ClusterMeasurement,
  RankedStatistics,
  RankProgress,
  RankState,
  RoomLimits,
} from "../../engine/cluster/api.ts";

/** A room that this page was invited to by a link, or was in before a reload. */
export interface Invitation {
  readonly link: string;
  readonly isReturn: boolean;
  /** The ranks of a job wait for this page to open the room. */
  readonly opens?: boolean;
}

export interface ComputedOnRanks {
  readonly text: string;
  readonly result: RankedStatistics;
  /** Names of ranks that were lost while it was computed. */
  readonly lost: readonly string[];
}

export interface ClusterState {
  /** Whether the panel is shown. */
  readonly isOpen: boolean;
  readonly phase: "none" | "opening" | "joining" | "waiting" | "member";
  /** The link of the room that this page is in or about to join. */
  readonly link: string | undefined;
  /** The invitation that waits for the person's answer. */
  readonly invitation: Invitation | undefined;
  /** The state of the page's own rank. */
  readonly rank: RankState | undefined;
  /** On the host: names of ranks that were lost since the ranks last computed, and have not been replaced. */
  readonly lost: readonly string[];
  /** Ids of the other ranks of this page. */
  readonly added: readonly string[];
  /** Another rank of this page is joining. */
  readonly isAdding: boolean;
  /** Bytes per second over the link to each member, both directions, by member id. */
  readonly rates: Readonly<Record<string, number>>;
  readonly approvesAll: boolean;
  readonly limits: RoomLimits;
  /** The name shown to the others; empty if the person has not entered one. */
  readonly name: string;
  /** The progress of a running measurement, from 0 to 1. */
  readonly measuring: number | undefined;
  /** The last measurement, and the members' ids by rank at that time. */
  readonly measured: { readonly ids: readonly string[]; readonly result: ClusterMeasurement } | undefined;
  /** How the ranks draw this page's layers. */
  readonly drawing: RankDrawing;
  readonly isComputing: boolean;
  /** How far each rank is with its part, by rank; empty until it says so. */
  readonly computing: Readonly<Record<number, RankProgress>>;
  /** The last result that the ranks computed together. */
  readonly computed: ComputedOnRanks | undefined;
  readonly error: PlainError | undefined;
  /** The last event, as a sentence for screen readers. */
  readonly announcement: string;
}

/** The choices for each limit, including the defaults. */
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
  lost: [],
  added: [],
  isAdding: false,
  rates: {},
  approvesAll: false,
  // Equal to defaultRoomLimits, whose code is loaded with the first rank.
  limits: { ranks: 32, joinsPerMinute: 60, messageBytes: 2 ** 31 },
  name: "",
  measuring: undefined,
  measured: undefined,
  drawing: { isUsed: true, tints: false, method: "automatic", blocks: null },
  isComputing: false,
  computing: {},
  computed: undefined,
  error: undefined,
  announcement: "",
};
