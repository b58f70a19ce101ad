import { systemClock } from "../../cluster/clock.ts";
import type { Value } from "../../cluster/communicator/communicator.ts";
import { measure } from "../../cluster/jobs/measure.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import type { JoinRequest } from "../../cluster/room/host.ts";
import { parseInvitation } from "../../cluster/room/invitation.ts";
import { limitRanges } from "../../cluster/room/limits.ts";
import type { MemberState } from "../../cluster/room/member-state.ts";
import { roomIdOf } from "../../cluster/room-key.ts";
import { ClusterSession, type JobEvents } from "../../cluster/session.ts";
import { openPortTransport } from "../../cluster/transport/port/port-transport.ts";
import { fetchSignalling } from "../../cluster/transport/rtc/options.ts";
import { openProxiedRtc } from "../../cluster/transport/rtc/rtc-proxy-client.ts";
import {
  hostAddress,
  hostMember,
  openRtcTransport,
  type RtcTransportOptions,
} from "../../cluster/transport/rtc/rtc-transport.ts";
import type { Addresses, Transport } from "../../cluster/transport/transport.ts";
import { CrinkleError, describeError } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import { formatBytes } from "../../core/format.ts";
import { type JobContext, noJob } from "../../core/job.ts";
import type { DataSource } from "../ranks/data-source.ts";
import { type DescribedData, describeJob } from "../ranks/describe-job.ts";
import { type DrawnByRanks, drawJob } from "../ranks/draw-job.ts";
import type { DrawRequest } from "../ranks/draw-request.ts";
import { type GatherRequest, gatherJob } from "../ranks/gather-job.ts";
import { groupIsGone } from "../ranks/gone.ts";
import { groupJob } from "../ranks/group-job.ts";
import { type ProbeRequest, probeJob } from "../ranks/probe-job.ts";
import type { RankEngine } from "../ranks/rank-engine.ts";
import { rankJobs } from "../ranks/rank-jobs.ts";
import { type RankedStatistics, type StatisticsRequest, statisticsJob } from "../ranks/statistics-job.ts";
import type {
  ClusterMeasurement,
  ClusterMember,
  OpenBroker,
  RankApi,
  RankPorts,
  RankProgress,
  RankRequest,
  RankStart,
  RankState,
  RoomLimits,
} from "./api.ts";

/** The length in bytes and the number of the long messages that measure links. */
const measureParameters = { bytes: 2 ** 20, rounds: 9 };

/**
 * Milliseconds to keep retrying while the signalling server is unreachable, and between attempts, doubled
 * each time.
 */
const serverRetry = { forMs: 60_000, firstMs: 500, maxMs: 5000 };

/** Milliseconds between updates that only report traffic. */
const refreshIntervalMs = 500;

/** One rank of a page: links, membership and jobs, beside the engine that it computes with. */
export class Rank implements RankApi {
  readonly #engine: RankEngine;
  readonly #changed: () => void;
  #session: ClusterSession<RankEngine> | undefined;
  #onState: (state: RankState) => void = () => {};
  #phase: RankState["phase"] = "joining";
  #problem: RankState["problem"];
  #isReachable = true;
  #approvesAll = false;
  readonly #preapproved = new Set<string>();
  readonly #requests = new Map<string, JoinRequest>();
  readonly #notes: string[] = [];
  #warning: string | undefined;
  #saidGoodbye: Int32Array | undefined;
  #messageBytes = 0;
  #isPublishing = false;
  #refresh: ReturnType<typeof setInterval> | undefined;

  /** `changed` is called where the room or this rank's place in it may have changed. */
  constructor(engine: RankEngine, changed: () => void = () => {}) {
    this.#engine = engine;
    this.#changed = changed;
  }

  get isHost(): boolean {
    return this.#phase === "member" && (this.#session?.room.isHost ?? false);
  }

  /** Ranks of the present epoch; 0 outside a room. */
  get size(): number {
    return this.#phase === "member" ? (this.#session?.communicator?.size ?? 0) : 0;
  }

  async start(
    start: RankStart,
    ports: RankPorts,
    broker: OpenBroker,
    onState: (state: RankState) => void,
  ): Promise<void> {
    this.#onState = onState;
    this.#approvesAll = start.approvesAll;
    this.#saidGoodbye = ports.saidGoodbye;
    this.#messageBytes = start.limits.messageBytes;
    try {
      await this.#joinWithRetry(start, ports.rtc, broker);
    } catch (error) {
      const given =
        error instanceof CrinkleError
          ? explainUnreachable(error, this.#isReachable, this.#notes)
          : internal(error);
      this.#leave(given);
      throw given;
    }
    this.#phase = "member";
    this.#refresh = setInterval(() => this.#publish(), refreshIntervalMs);
    this.#publish();
  }

  decide(id: string, admits: boolean): void {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    if (admits) request?.admit();
    else request?.refuse("The host declined this rank.");
    this.#publish();
  }

  setApprovesAll(approves: boolean): void {
    this.#approvesAll = approves;
    if (approves) for (const id of this.#requests.keys()) this.decide(id, true);
  }

  setLimits(limits: RoomLimits): void {
    this.#messageBytes = limits.messageBytes;
    this.#session?.room.setLimits(limits);
  }

  preapprove(id: string): void {
    this.#preapproved.add(id);
  }

  remove(id: string): void {
    this.#session?.room.remove(id);
  }

  async measure(onProgress: (fraction: number) => void): Promise<ClusterMeasurement> {
    const measurement = await this.#session?.run(measure, measureParameters, {
      ...noJob,
      progress: onProgress,
    });
    if (!measurement) throw internal("The measurement returned no result.");
    return measurement;
  }

  async statistics(
    text: string,
    onLost: (names: readonly string[]) => void,
    onProgress: (progress: RankProgress) => void,
  ): Promise<RankedStatistics> {
    const { results, ...described } = this.#engine.described(text);
    const request = { ...described, wanted: results };
    const restarted = this.#namedLosses(onLost);
    const progressOf = (rank: number, fraction: number, step: string) => onProgress({ rank, fraction, step });
    if (request.source.kind === "group") {
      // The group's part here takes no turn: this one is the person's, who may cancel it.
      return this.#engine.runPart("Compute on ranks", true, (job) =>
        this.#engine.lendTurn(() => this.#runOn(statisticsJob, request, { ...job, restarted, progressOf })),
      );
    }
    return this.#runOn(statisticsJob, request, { ...noJob, restarted, progressOf });
  }

  /**
   * On the host: the statistics of statements, computed by the ranks that have the data. `onLost` gets the names of ranks that
   * are lost meanwhile.
   */
  statisticsOf(
    request: StatisticsRequest,
    job: JobContext,
    onLost: (names: readonly string[]) => void,
  ): Promise<RankedStatistics> {
    return this.#runOn(statisticsJob, request, { ...job, restarted: this.#namedLosses(onLost) });
  }

  /** On the host: a layer's surface, which all ranks make, or a picture of it. */
  draw(request: DrawRequest): Promise<DrawnByRanks> {
    return this.#runOn(drawJob, request, noJob);
  }

  /** On the host: the values of fields at a position. */
  probe(request: ProbeRequest): Promise<readonly (readonly number[])[]> {
    return this.#runOn(probeJob, request, noJob);
  }

  /**
   * On the host: the values of a field of so many bytes, gathered here. Throws TooLarge where they are more than a message to
   * this rank may have.
   */
  async gather(request: GatherRequest, bytes: number, job: JobContext): Promise<Field> {
    if (bytes > this.#messageBytes) throw tooLarge(request.names[0], bytes, this.#messageBytes);
    const progressOf = (_: number, fraction: number, step: string) => job.progress(fraction, step);
    return this.#runOn(gatherJob, request, { ...job, progressOf });
  }

  /** On the host: what data are that a group has, or that ranks of the room can read. */
  describe(source: DataSource, job: JobContext): Promise<DescribedData> {
    return this.#runOn(describeJob, { source }, job);
  }

  /** Whether a member of the room stands for a group of this id. */
  hasGroup(id: string): boolean {
    return (this.#session?.room.members ?? []).some(
      ({ about, rank }) => about.group?.id === id && rank !== undefined,
    );
  }

  /** Shows what a job has warned of, or nothing. */
  warn(sentence: string | undefined): void {
    if (sentence === this.#warning) return;
    this.#warning = sentence;
    this.#publish();
  }

  async leave(): Promise<void> {
    await this.#session?.room.leave();
    if (this.#saidGoodbye) Atomics.store(this.#saidGoodbye, 0, 1);
    this.#leave(undefined);
  }

  /** Names members as they are called now. */
  #namedLosses(onLost: (names: readonly string[]) => void): (ids: readonly string[]) => void {
    const names = new Map(this.#session?.room.members.map(({ id, about }) => [id, about.name]));
    return (ids) => onLost(ids.map((id) => names.get(id) ?? id));
  }

  /** Runs a job on all ranks of the room, or on those of the group that has the data. */
  async #runOn<P extends Value & { readonly source: DataSource }, R>(
    job: Job<P, R | undefined, RankEngine>,
    request: P,
    events: JobEvents,
  ): Promise<R> {
    const { source } = request;
    if (source.kind !== "group") {
      const warn = (sentence: string | undefined) => this.warn(sentence);
      const result = await this.#session?.run(job, request, { ...events, warn });
      if (!result) throw internal("The ranks gave no result.");
      return result;
    }
    if (!this.hasGroup(source.id)) throw groupIsGone(source.name);
    const delegated = { group: source.id, job: job.name, parameters: request };
    const result = await this.#session?.run(groupJob(), delegated, events);
    if (!result) throw internal("The group gave no result.");
    return result as R;
  }

  /** Retries as long as the server through which a host may be found is unreachable. */
  async #joinWithRetry(start: RankStart, lent: MessagePort, broker: OpenBroker): Promise<void> {
    const giveUpAt = performance.now() + serverRetry.forMs;
    for (let pause = serverRetry.firstMs; ; pause = Math.min(2 * pause, serverRetry.maxMs)) {
      try {
        await this.#join(start, lent, broker);
        return;
      } catch (error) {
        const mayCome = !this.#isReachable && error instanceof CrinkleError && error.tag === "Unreachable";
        if (!mayCome || performance.now() + pause > giveUpAt) throw error;
        this.#notes.length = 0;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async #join(
    { link, opens, id, about, browser, limits }: RankStart,
    lent: MessagePort,
    broker: OpenBroker,
  ): Promise<void> {
    const { key, at } = parseInvitation(link);
    if (!("page" in at)) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: "This room was opened without a page and only accepts Node ranks.",
        remedy: "Join it with crinkle rank LINK.",
      });
    }
    const room = await roomIdOf(key);
    const port = (memberId: string, onGone: (memberId: string) => void) =>
      openPortTransport({ room, memberId, browser, broker, onGone });
    const signalling = fetchSignalling(at.page);
    const rtc = async (
      memberId: string,
      more?: Pick<RtcTransportOptions, "retriesSignalling" | "onReachable">,
    ) =>
      openRtcTransport({
        room,
        memberId,
        signalling: await signalling,
        open: (options) => openProxiedRtc(lent, options),
        onSuspect: (member) => this.#session?.room.suspect(member),
        ...more,
      });
    const onReachable = (isReachable: boolean) => {
      this.#isReachable = isReachable;
      this.#publish();
    };
    const [byPort, byRtc] = await Promise.allSettled([
      port(id, (member) => this.#session?.room.declareDead(member)),
      rtc(id, { retriesSignalling: true, onReachable }),
    ]);
    if (byPort.status === "rejected") this.#notes.push(describeError(byPort.reason));
    if (byRtc.status === "rejected") {
      if (byPort.status === "rejected") throw byRtc.reason;
      this.#notes.push(`${describeError(byRtc.reason)} Without it, only tabs of this browser can join.`);
    }
    const transports = [byPort, byRtc].flatMap((opened) =>
      opened.status === "fulfilled" ? [opened.value] : [],
    );
    const hostTransports: (() => Promise<Transport>)[] = [];
    if (byPort.status === "fulfilled") hostTransports.push(() => port(hostMember, () => {}));
    if (byRtc.status === "fulfilled") hostTransports.push(() => rtc(hostMember));
    const host: Addresses = { port: `${browser}/${hostMember}`, rtc: hostAddress(room) };
    this.#session = await ClusterSession.start(
      {
        key,
        id,
        about,
        transports,
        clock: systemClock,
        engine: this.#engine,
        jobs: rankJobs,
        limits,
        hostTransports,
        onPending: () => {
          this.#phase = "waiting";
          this.#publish();
        },
        onChange: () => this.#publish(),
        onJoinRequest: (request) => this.#onJoinRequest(request),
        onEpoch: () => this.#publish(),
        onLeft: (error) => this.#leave(error),
      },
      opens ? undefined : [host],
    );
  }

  #onJoinRequest(request: JoinRequest): void {
    if (this.#approvesAll || this.#preapproved.delete(request.id)) request.admit();
    else this.#requests.set(request.id, request);
    this.#publish();
  }

  #leave(error: CrinkleError | undefined): void {
    if (this.#phase === "left") return;
    this.#phase = "left";
    this.#problem = error?.toPlain();
    clearInterval(this.#refresh);
    this.#publish();
  }

  /** Publishes the state, once for all changes in the same turn. */
  #publish(): void {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    queueMicrotask(() => {
      this.#isPublishing = false;
      this.#onState(this.#state());
      this.#changed();
    });
  }

  #state(): RankState {
    const room = this.#session?.room;
    const members = room?.members ?? [];
    const requesting = new Set(members.filter(({ stage }) => stage === "requesting").map(({ id }) => id));
    for (const id of this.#requests.keys()) if (!requesting.has(id)) this.#requests.delete(id);
    const requests = [...this.#requests.values()].map(({ id, about }): RankRequest => ({ id, about }));
    return {
      phase: this.#phase,
      problem: this.#problem,
      isHost: room?.isHost ?? false,
      epoch: room?.epoch?.number ?? 0,
      members: members.filter(({ stage }) => stage !== "requesting").map(memberOf),
      requests,
      isReachable: this.#isReachable,
      warning: this.#warning,
      notes: this.#notes,
    };
  }
}

function memberOf({ addresses, stage, ...member }: MemberState): ClusterMember {
  return {
    ...member,
    isJoining: stage !== "member",
    browser: addresses.port?.split("/")[0],
    hasTcp: "tcp" in addresses,
  };
}

/**
 * Explains that nobody answers in a room, beyond the address that was not reached; `notes` are the missing
 * transports.
 */
function explainUnreachable(
  error: CrinkleError,
  isServerReachable: boolean,
  notes: readonly string[],
): CrinkleError {
  if (error.tag !== "Unreachable") return error;
  const remedy = "Its last rank may have left, or the link may be incomplete: ask for a new link.";
  return new CrinkleError({
    tag: "Unreachable",
    problem: isServerReachable
      ? "Nobody answers in this room."
      : "The signalling server could not be reached for a minute.",
    remedy: notes.join(" ") || (isServerReachable ? remedy : "Check that it is running, and join again."),
    cause: error,
  });
}

const tooLarge = (name: string, bytes: number, limit: number) =>
  new CrinkleError({
    tag: "TooLarge",
    problem: `“${name}” has ${formatBytes(bytes)}, and a message to this page may have ${formatBytes(limit)}.`,
    remedy: `${bytes <= limitRanges.messageBytes[1] ? "Raise this limit in the Cluster panel, or have" : "Have"} the ranks write it in pieces: crinkle run FILE 'EXPRESSION' --out NAME.pvti.`,
  });

const internal = (cause: unknown): CrinkleError =>
  new CrinkleError({ tag: "Internal", problem: describeError(cause), cause });
