import { hostname, platform, release } from "node:os";
import { setTimeout } from "node:timers/promises";
import { systemClock } from "../../cluster/clock.ts";
import { roomIdOf } from "../../cluster/membership/room-key.ts";
import type { Invitation } from "../../cluster/room/invitation.ts";
import type { RoomLimits } from "../../cluster/room/limits.ts";
import type { RoomParts } from "../../cluster/room/parts.ts";
import { makeMemberId } from "../../cluster/room/room.ts";
import type { Way } from "../../cluster/room/way.ts";
import type { About, Addresses } from "../../cluster/room/words.ts";
import { ClusterSession } from "../../cluster/session.ts";
import { openRtc } from "../../cluster/transport/rtc/open.ts";
import { fetchSignalling, type SignallingOptions } from "../../cluster/transport/rtc/options.ts";
import { hostAddress, hostMember, openRtcWay } from "../../cluster/transport/rtc/rtc-way.ts";
import { openTcpWay } from "../../cluster/transport/tcp/tcp-way.ts";
import { CrinkleError } from "../../core/errors.ts";
import { provideRtc } from "../rtc/provide.ts";
import type { Launch } from "./launcher.ts";

export interface RankOptions {
  readonly invitation: Invitation;
  /** Whether this rank opens the room itself. */
  readonly opens: boolean;
  readonly name: string | undefined;
  readonly gpu: string;
  readonly launch: Launch | undefined;
  /** Where to listen for other Node ranks: all networks, any port, where it is left out. */
  readonly listen: { readonly host?: string; readonly port?: number };
  readonly signalling: SignallingOptions | undefined;
  /** What the room takes while this rank is its host, and what it lets others send. */
  readonly limits?: Partial<RoomLimits>;
  /** Where to ask first: those who were members when this process was one. */
  readonly former?: readonly Addresses[];
  readonly events: Pick<RoomParts, "changed" | "asked" | "began" | "left">;
  /** The signalling server went out of reach, or came back. */
  reachable(isReachable: boolean): void;
}

export interface StartedRank {
  readonly session: ClusterSession;
  /** Where other Node ranks reach this one. */
  readonly tcp: string;
  /** Leaves the room; the process may exit then, and no goodbye is lost with it. */
  leave(): Promise<void>;
}

/** Milliseconds that others have to take a goodbye over TCP. */
const goodbyeMs = 1000;

/** Makes this process a rank: over TCP to other Node processes, over WebRTC to tabs. */
export async function startRank(options: RankOptions, signal: AbortSignal): Promise<StartedRank> {
  const { invitation, opens, former = [], events, reachable, listen, limits } = options;
  const { key, at } = invitation;
  const id = makeMemberId();
  const ways: Way[] = [];
  let session: ClusterSession | undefined;
  try {
    const tcp = await openTcpWay({ key, ...listen });
    ways.push(tcp);
    const room = await roomIdOf(key);
    const signalling = options.signalling ?? ("page" in at ? await fetchSignalling(at.page) : undefined);
    const rtc = signalling && {
      room,
      signalling,
      open: openRtc,
      reachable,
      suspect: (member: string) => session?.room.suspect(member),
    };
    if (rtc) {
      await provideRtc();
      ways.push(await openRtcWay({ ...rtc, member: id, isPatient: true }));
    }
    const host: Addresses = "tcp" in at ? { tcp: at.tcp } : { rtc: hostAddress(room) };
    session = await ClusterSession.start(
      {
        key,
        id,
        about: aboutThis(options),
        ways,
        clock: systemClock,
        limits,
        doors: rtc && [() => openRtcWay({ ...rtc, member: hostMember })],
        ...events,
      },
      opens ? undefined : [...former, ...("tcp" in at && !at.tcp ? [] : [host])],
      signal,
    );
    const { room: joined } = session;
    const leave = async () => {
      await joined.leave();
      await Promise.race([tcp.ended(), setTimeout(goodbyeMs, undefined, { ref: false })]);
    };
    return { session, tcp: tcp.address, leave };
  } catch (error) {
    for (const way of ways) way.close();
    throw error instanceof CrinkleError
      ? error
      : new CrinkleError({ tag: "Internal", problem: String(error), cause: error });
  }
}

function aboutThis({ name, gpu, launch }: RankOptions): About {
  const place = launch ? `, ${launch.by} rank ${launch.rank}${launch.size ? ` of ${launch.size}` : ""}` : "";
  return {
    name: name ?? hostname(),
    device: `Node ${process.versions.node} on ${platform()} ${release()}${place}`.slice(0, 200),
    gpu: gpu.slice(0, 200),
  };
}
