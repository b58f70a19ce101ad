import { systemClock } from "../../cluster/clock.ts";
import { measure } from "../../cluster/jobs/measure.ts";
import { roomIdOf } from "../../cluster/membership/room-key.ts";
import type { Request } from "../../cluster/room/host.ts";
import { parseInvitation } from "../../cluster/room/invitation.ts";
import type { Way } from "../../cluster/room/way.ts";
import type { Addresses } from "../../cluster/room/words.ts";
import { ClusterSession } from "../../cluster/session.ts";
import { openPortWay } from "../../cluster/transport/port/port-way.ts";
import { borrowRtc } from "../../cluster/transport/rtc/borrow.ts";
import { pageSignalling, readSignalling } from "../../cluster/transport/rtc/options.ts";
import { hostAddress, hostMember, openRtcWay } from "../../cluster/transport/rtc/rtc-way.ts";
import { CrinkleError, describeError } from "../../core/errors.ts";
import type { ClusterMeasurement, RankApi, RankDoors, RankRequest, RankStart, RankState } from "./api.ts";

/** Bytes of the long messages that links are measured with, and how many of them. */
const measured = { bytes: 2 ** 20, rounds: 9 };

/** Milliseconds between states that only tell of traffic. */
const refreshEvery = 500;

/** One rank of a page: links, membership and jobs, in a worker of its own. */
export class Rank implements RankApi {
  #session: ClusterSession | undefined;
  #onState: (state: RankState) => void = () => {};
  #phase: RankState["phase"] = "joining";
  #problem: RankState["problem"];
  #isReachable = true;
  #approvesAll = false;
  readonly #expected = new Set<string>();
  readonly #requests = new Map<string, Request>();
  readonly #notes: string[] = [];
  #isTelling = false;
  #refresh: ReturnType<typeof setInterval> | undefined;

  async start(start: RankStart, doors: RankDoors, onState: (state: RankState) => void): Promise<void> {
    this.#onState = onState;
    this.#approvesAll = start.approvesAll;
    try {
      await this.#join(start, doors);
    } catch (error) {
      const given = error instanceof CrinkleError ? error : internal(error);
      this.#leave(given);
      throw given;
    }
    this.#phase = "member";
    this.#refresh = setInterval(() => this.#tell(), refreshEvery);
    this.#tell();
  }

  decide(id: string, admits: boolean): void {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    if (admits) request?.admit();
    else request?.refuse("The host does not want this rank.");
    this.#tell();
  }

  setApprovesAll(approves: boolean): void {
    this.#approvesAll = approves;
    if (approves) for (const id of this.#requests.keys()) this.decide(id, true);
  }

  expect(id: string): void {
    this.#expected.add(id);
  }

  remove(id: string): void {
    this.#session?.room.remove(id);
  }

  async measure(): Promise<ClusterMeasurement> {
    const measurement = await this.#session?.run(measure, measured);
    if (!measurement) throw internal("no measurement");
    return measurement;
  }

  async leave(): Promise<void> {
    await this.#session?.room.leave();
    this.#leave(undefined);
  }

  async #join(
    { link, opens, id, about, browser, signalling, mostRanks }: RankStart,
    doors: RankDoors,
  ): Promise<void> {
    const { key, at } = parseInvitation(link);
    if (!("page" in at)) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: "This room was opened without a page, and takes Node ranks only.",
        remedy: "Join it by crinkle rank LINK.",
      });
    }
    const room = await roomIdOf(key);
    const rtc = {
      room,
      signalling: signalling === undefined ? pageSignalling(at.page) : readSignalling(signalling),
      open: (options: Parameters<typeof borrowRtc>[1]) => borrowRtc(doors.rtc, options),
      suspect: (member: string) => this.#session?.room.suspect(member),
      reachable: (isReachable: boolean) => {
        this.#isReachable = isReachable;
        this.#tell();
      },
    };
    const ways: Way[] = [];
    const port = await openPortWay({
      room,
      member: id,
      browser,
      broker: doors.broker,
      gone: (member) => this.#session?.room.declareDead(member),
    }).catch((error: unknown) => {
      this.#notes.push(describeError(error));
    });
    if (port) ways.push(port);
    ways.push(await openRtcWay({ ...rtc, member: id }));
    const host: Addresses = { rtc: hostAddress(room) };
    this.#session = await ClusterSession.start(
      {
        key,
        id,
        about,
        ways,
        clock: systemClock,
        limits: mostRanks === undefined ? {} : { ranks: mostRanks },
        door: () => openRtcWay({ ...rtc, member: hostMember }),
        changed: () => this.#tell(),
        asked: (request) => this.#asked(request),
        began: () => this.#tell(),
        left: (problem) =>
          this.#leave(
            new CrinkleError({ tag: "RankFailed", problem, remedy: "Join the room again by its link." }),
          ),
      },
      opens ? undefined : host,
    );
  }

  #asked(request: Request): void {
    if (this.#approvesAll || this.#expected.delete(request.id)) request.admit();
    else this.#requests.set(request.id, request);
    this.#tell();
  }

  #leave(error: CrinkleError | undefined): void {
    if (this.#phase === "left") return;
    this.#phase = "left";
    this.#problem = error?.toPlain();
    clearInterval(this.#refresh);
    this.#tell();
  }

  /** Tells the state, once for all changes of the moment. */
  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      this.#onState(this.#state());
    });
  }

  #state(): RankState {
    const room = this.#session?.room;
    const members = room?.members ?? [];
    const asking = new Set(members.filter(({ stage }) => stage === "asking").map(({ id }) => id));
    for (const id of this.#requests.keys()) if (!asking.has(id)) this.#requests.delete(id);
    const requests = [...this.#requests.values()].map(({ id, about }): RankRequest => ({ id, about }));
    return {
      phase: this.#phase,
      problem: this.#problem,
      isHost: room?.isHost ?? false,
      epoch: room?.epoch?.number ?? 0,
      members: members.filter(({ stage }) => stage !== "asking"),
      requests,
      isReachable: this.#isReachable,
      notes: this.#notes,
    };
  }
}

const internal = (cause: unknown): CrinkleError =>
  new CrinkleError({ tag: "Internal", problem: describeError(cause), cause });
