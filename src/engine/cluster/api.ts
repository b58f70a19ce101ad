import type { RoomLimits } from "../../cluster/room/limits.ts";
import type { GroupInfo } from "../../cluster/room/room-message.ts";
import type { PlainError } from "../../core/errors.ts";
import type { RankedStatistics } from "../ranks/statistics-job.ts";

export type { RoomLimits } from "../../cluster/room/limits.ts";
export type { RankReport } from "../ranks/rank-report.ts";
export type { RankedStatistics } from "../ranks/statistics-job.ts";

/**
 * The interface between the page and the worker that is one of its ranks. Only plain data cross it, errors
 * included.
 */
export interface RankApi {
  /** Opens a room or joins one; resolves as a member. Called once. */
  start(
    start: RankStart,
    doors: RankPorts,
    broker: OpenBroker,
    onState: (state: RankState) => void,
  ): Promise<void>;
  /** The host's answer to a join request. */
  decide(id: string, admits: boolean): void;
  /** Whether requests are approved without asking the person. */
  setApprovesAll(approves: boolean): void;
  setLimits(limits: RoomLimits): void;
  /** Approves a future request with this id: the rank is the host's own. */
  preapprove(id: string): void;
  remove(id: string): void;
  /** On the host: measures all links. `onProgress` gets the progress from 0 to 1. */
  measure(onProgress: (fraction: number) => void): Promise<ClusterMeasurement>;
  /**
   * On the host: the statistics of an expression over what this page has open, computed by all ranks. Where ranks are lost,
   * `onLost` gets their names, and the others compute it anew. `onProgress` gets how far each rank is, from 0 to 1.
   */
  statistics(
    text: string,
    onLost: (names: readonly string[]) => void,
    onProgress: (progress: RankProgress) => void,
  ): Promise<RankedStatistics>;
  leave(): Promise<void>;
}

/** How far a rank is with its part of a job. */
export interface RankProgress {
  readonly rank: number;
  /** From 0 to 1. */
  readonly fraction: number;
  /** What it is doing. */
  readonly step: string;
}

export interface RankStart {
  /** The invitation link, which may belong to a room that is yet to be opened. */
  readonly link: string;
  readonly opens: boolean;
  readonly id: string;
  readonly about: RankInfo;
  /** The same in all tabs and workers of this browser. */
  readonly browser: string;
  readonly approvesAll: boolean;
  readonly limits: RoomLimits;
}

/** What a worker cannot open itself. */
export interface RankPorts {
  /** Leads to the page's WebRTC proxy host. */
  readonly rtc: MessagePort;
  /** In shared memory, set to 1 when the rank has said goodbye: a closing page waits for it. */
  readonly saidGoodbye: Int32Array | undefined;
}

/** Returns a port to the shared worker that introduces the tabs of this browser. */
export type OpenBroker = () => Promise<MessagePort>;

export interface RankInfo {
  readonly name: string;
  readonly device: string;
  readonly gpu: string;
  /** Ranks behind this one that are not in the room, such as those of an MPI job. */
  readonly group?: GroupInfo;
}

export interface RankRequest {
  readonly id: string;
  readonly about: RankInfo;
}

export interface ClusterMember extends RankRequest {
  /** Undefined while joining. */
  readonly rank: number | undefined;
  readonly isSelf: boolean;
  readonly isHost: boolean;
  /** It is still linking to the others. */
  readonly isJoining: boolean;
  /** The same for all ranks of one browser; undefined for Node ranks. */
  readonly browser: string | undefined;
  /** It listens on TCP. */
  readonly hasTcp: boolean;
  /** "port", "rtc" or "tcp"; empty for this rank itself. */
  readonly path: string;
  readonly roundTripMs: number | undefined;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface RankState {
  /** `waiting`: for the host's answer. */
  readonly phase: "joining" | "waiting" | "member" | "left";
  /** Why it left or was refused. */
  readonly problem: PlainError | undefined;
  readonly isHost: boolean;
  readonly epoch: number;
  readonly members: readonly ClusterMember[];
  /** Requests that wait for the host's answer. */
  readonly requests: readonly RankRequest[];
  /** Whether the signalling server is reachable. */
  readonly isReachable: boolean;
  /** On the host: what its latest job on data said before it began, where the job could not be repeated without some rank. */
  readonly warning: string | undefined;
  /** Transports that this rank lacks, and why. */
  readonly notes: readonly string[];
}

export interface ClusterMeasurement {
  readonly links: readonly {
    readonly a: number;
    readonly b: number;
    readonly roundTripUs: number;
    readonly megabytesPerSecond: number;
  }[];
  readonly allreduceMs: number;
  /** Milliseconds of a message of this length when the epoch began: alone, and while all ranks send one. */
  readonly contention?: { readonly bytes: number; readonly aloneMs: number; readonly togetherMs: number };
}
