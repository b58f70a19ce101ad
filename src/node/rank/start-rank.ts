import { hostname, platform, release } from "node:os";
import { setTimeout } from "node:timers/promises";
import { systemClock } from "../../cluster/clock.ts";
import type { KnownJob } from "../../cluster/jobs/service.ts";
import type { Invitation } from "../../cluster/room/invitation.ts";
import type { RoomLimits } from "../../cluster/room/limits.ts";
import { makeMemberId } from "../../cluster/room/room.ts";
import type { GroupInfo, MemberInfo } from "../../cluster/room/room-message.ts";
import type { RoomOptions } from "../../cluster/room/room-options.ts";
import { roomIdOf } from "../../cluster/room-key.ts";
import { ClusterSession } from "../../cluster/session.ts";
import { openRtc } from "../../cluster/transport/rtc/open.ts";
import { fetchSignalling, type SignallingOptions } from "../../cluster/transport/rtc/options.ts";
import { hostAddress, hostMember, openRtcTransport } from "../../cluster/transport/rtc/rtc-transport.ts";
import { openTcpTransport } from "../../cluster/transport/tcp/tcp-transport.ts";
import type { Addresses, Transport } from "../../cluster/transport/transport.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { RankEngine } from "../../engine/ranks/rank-engine.ts";
import { rankJobs } from "../../engine/ranks/rank-jobs.ts";
import type { LauncherInfo } from "./launcher.ts";

export interface RankOptions {
  readonly invitation: Invitation;
  /** Whether this rank opens the room itself. */
  readonly opens: boolean;
  readonly name: string | undefined;
  readonly gpu: string;
  readonly launcher: LauncherInfo | undefined;
  /** Where to listen for other Node ranks. Default: all networks, any free port. */
  readonly listen: { readonly host?: string; readonly port?: number };
  readonly signalling: SignallingOptions | undefined;
  /** Limits of the room while this rank is host, and of what others may send. */
  readonly limits?: Partial<RoomLimits>;
  /** Ranks that are not in the room, for which this one stands. */
  readonly group?: GroupInfo;
  /** Never hosts the room: where the host has left, it leaves, too, and waits for somebody else to host it again. */
  readonly isGuest?: boolean;
  /** What this rank computes with. */
  readonly engine: RankEngine;
  /** Jobs beside those that every rank can run. */
  readonly jobs?: readonly KnownJob<RankEngine>[];
  /** Where to ask first: former members. */
  readonly formerMembers?: readonly Addresses[];
  readonly events: Pick<RoomOptions, "onChange" | "onJoinRequest" | "onEpoch" | "onLeft">;
  /** The signalling server became unreachable or reachable again. */
  onReachable(isReachable: boolean): void;
}

export interface StartedRank {
  readonly session: ClusterSession<RankEngine>;
  /** Where other Node ranks reach this one. */
  readonly tcp: string;
  /** Leaves the room; afterwards the process may exit without losing its goodbye. */
  leave(): Promise<void>;
}

/** Milliseconds that others have to receive a goodbye over TCP. */
const goodbyeMs = 1000;

/** Makes this process a rank: over TCP to other Node processes, over WebRTC to tabs. */
export async function startRank(options: RankOptions, signal: AbortSignal): Promise<StartedRank> {
  const {
    invitation,
    opens,
    formerMembers = [],
    events,
    onReachable,
    listen,
    limits,
    engine,
    isGuest,
    jobs = [],
  } = options;
  const { key, at } = invitation;
  const id = makeMemberId();
  const transports: Transport[] = [];
  let session: ClusterSession<RankEngine> | undefined;
  try {
    const tcp = await openTcpTransport({ key, ...listen });
    transports.push(tcp);
    const room = await roomIdOf(key);
    const signalling = options.signalling ?? ("page" in at ? await fetchSignalling(at.page) : undefined);
    const rtc = signalling && {
      room,
      signalling,
      open: openRtc,
      onReachable,
      onSuspect: (member: string) => session?.room.suspect(member),
    };
    if (rtc) {
      const { installRtc } = await import("../rtc/install-rtc.ts");
      await installRtc();
      transports.push(await openRtcTransport({ ...rtc, memberId: id, retriesSignalling: true }));
    }
    const host: Addresses = "tcp" in at ? { tcp: at.tcp } : { rtc: hostAddress(room) };
    session = await ClusterSession.start(
      {
        key,
        id,
        about: aboutThis(options),
        transports,
        clock: systemClock,
        limits,
        engine,
        isGuest,
        jobs: [...rankJobs, ...jobs],
        hostTransports: rtc && [() => openRtcTransport({ ...rtc, memberId: hostMember })],
        ...events,
      },
      opens ? undefined : [...formerMembers, ...("tcp" in at && !at.tcp ? [] : [host])],
      signal,
    );
    const { room: joined } = session;
    const leave = async () => {
      await joined.leave();
      await Promise.race([tcp.drained(), setTimeout(goodbyeMs, undefined, { ref: false })]);
    };
    return { session, tcp: tcp.address, leave };
  } catch (error) {
    for (const transport of transports) transport.close();
    throw error instanceof CrinkleError
      ? error
      : new CrinkleError({ tag: "Internal", problem: String(error), cause: error });
  }
}

function aboutThis({ name, gpu, launcher, group }: RankOptions): MemberInfo {
  const place = launcher
    ? `, ${launcher.launcher} rank ${launcher.rank}${launcher.size ? ` of ${launcher.size}` : ""}`
    : "";
  return {
    name: name ?? hostname(),
    device: `Node ${process.versions.node} on ${platform()} ${release()}${place}`.slice(0, 200),
    gpu: gpu.slice(0, 200),
    ...(group ? { group } : {}),
  };
}
