import type { RoomLimits } from "../../cluster/room/limits.ts";
import type { PlainError } from "../../core/errors.ts";

export type { RoomLimits } from "../../cluster/room/limits.ts";

/** Between the page and the worker that is one of its ranks. Everything that crosses is plain data; errors too. */
export interface RankApi {
  /** Opens a room, or joins one; resolves as a member. Called once. */
  start(
    start: RankStart,
    doors: RankPorts,
    broker: OpenBroker,
    onState: (state: RankState) => void,
  ): Promise<void>;
  /** The host's answer to somebody who asks. */
  decide(id: string, admits: boolean): void;
  /** Whether whoever holds the link is taken without being asked for. */
  setApprovesAll(approves: boolean): void;
  setLimits(limits: RoomLimits): void;
  /** The next one with this id is the host's own. */
  preapprove(id: string): void;
  remove(id: string): void;
  /** The host has all links measured; `onProgress` hears how much is done, from 0 to 1. */
  measure(onProgress: (fraction: number) => void): Promise<ClusterMeasurement>;
  leave(): Promise<void>;
}

export interface RankStart {
  /** The invitation link. A room that is opened has its own from here on. */
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
  /** The page's end lends WebRTC connections. */
  readonly rtc: MessagePort;
  /** Set to 1 in shared memory when the rank has said goodbye: a page that is closed waits for it. */
  readonly saidGoodbye: Int32Array | undefined;
}

/** Gives a port to the shared worker that introduces the tabs of this browser. */
export type OpenBroker = () => Promise<MessagePort>;

export interface RankInfo {
  readonly name: string;
  readonly device: string;
  readonly gpu: string;
}

export interface RankRequest {
  readonly id: string;
  readonly about: RankInfo;
}

export interface ClusterMember extends RankRequest {
  /** Undefined for those who are about to join. */
  readonly rank: number | undefined;
  readonly isSelf: boolean;
  readonly isHost: boolean;
  /** It is linking to the others, or one of them. */
  readonly isJoining: boolean;
  /** The same for all ranks of one browser; undefined for Node ranks. */
  readonly browser: string | undefined;
  /** It listens for TCP. */
  readonly hasTcp: boolean;
  /** "port", "rtc", "tcp"; empty for the own rank. */
  readonly path: string;
  readonly roundTripMs: number | undefined;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface RankState {
  /** `waiting`: for the host's answer. */
  readonly phase: "joining" | "waiting" | "member" | "left";
  /** Why it left, or was refused. */
  readonly problem: PlainError | undefined;
  readonly isHost: boolean;
  readonly epoch: number;
  readonly members: readonly ClusterMember[];
  /** Who waits for the host's answer. */
  readonly requests: readonly RankRequest[];
  /** The server that introduces others is in reach. */
  readonly isReachable: boolean;
  /** Ways that this rank does without, and why. */
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
  /** Milliseconds of a message of so many bytes, as the epoch began: alone, and while all ranks send one. */
  readonly contention?: { readonly bytes: number; readonly aloneMs: number; readonly togetherMs: number };
}
