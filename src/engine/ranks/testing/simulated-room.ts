import { setMaxListeners } from "node:events";
import type { Value } from "../../../cluster/communicator/communicator.ts";
import type { Job } from "../../../cluster/jobs/service.ts";
import { RoomNetwork } from "../../../cluster/room/testing/room-network.ts";
import { ClusterSession, type JobEvents } from "../../../cluster/session.ts";
import { noJob } from "../../../core/job.ts";
import type { RankEngine } from "../rank-engine.ts";
import { rankJobs } from "../rank-jobs.ts";
import { proveAtOnce } from "./proofs-at-once.ts";
import { runAs, type SimulatedNode } from "./simulated-time.ts";

type RankJob = Job<Value, unknown, RankEngine>;

let loaded: Promise<readonly RankJob[]> | undefined;

/** How something ended. */
export type End<R> = { readonly value: R } | { readonly error: unknown };

/** So slow that ranks which tune their collectives leave out the long messages. */
const bytesPerMs = 5000;

/** How long anything may take, in simulated milliseconds. */
const patienceMs = 300_000;

export interface SimulatedRoomOptions {
  /** What happens follows from it, and from what is asked for. */
  readonly seed: number;
  readonly delay?: readonly [least: number, most: number];
  engineOf(node: number): RankEngine;
}

/**
 * Ranks with sessions, engines and the engine's jobs on the nodes of an in-memory network, whose time is simulated
 * (`simulateTime`). Nodes can be killed at any operation that they begin (`watchOperations`).
 */
export class SimulatedRoom {
  readonly #jobs: readonly RankJob[];
  readonly #network: RoomNetwork;
  readonly #engineOf: SimulatedRoomOptions["engineOf"];
  readonly #nodes = new Map<number, SimulatedNode>();
  readonly #sessions = new Map<number, ClusterSession<RankEngine>>();
  readonly #dead = new Set<number>();
  readonly #left = new Set<number>();
  /** Hears of each operation that a node begins. */
  onOperation: (node: number, operation: string) => void = () => {};

  private constructor(jobs: readonly RankJob[], { seed, delay, engineOf }: SimulatedRoomOptions) {
    this.#jobs = jobs;
    proveAtOnce();
    const at = (node: number, run: () => void) => runAs(this.#node(node), run);
    this.#network = new RoomNetwork(seed, delay, { at, bytesPerMs });
    this.#engineOf = engineOf;
    // The code of dead nodes listens to it for ever.
    setMaxListeners(0, noJob.signal);
  }

  /** Opens a room with members on nodes 0 … size − 1, of which 0 is the host. */
  static async open(size: number, options: SimulatedRoomOptions): Promise<SimulatedRoom> {
    // Before: the simulated network does not wait for modules.
    loaded ??= Promise.all(rankJobs.map(({ load }) => load()));
    const room = new SimulatedRoom(await loaded, options);
    for (let node = 0; node < size; node++) await room.settle(room.join(node));
    return room;
  }

  /** Events of the network so far. */
  get steps(): number {
    return this.#network.memory.steps;
  }

  /** The member that hosts the room; undefined while the members have yet to agree on one. */
  get host(): number | undefined {
    return this.members.find((node) => this.#sessions.get(node)?.room.isHost);
  }

  /** The nodes of the epoch that a member is in, by rank. */
  epochOf(node: number): readonly number[] {
    return (this.#sessions.get(node)?.room.epoch?.names ?? []).map(Number);
  }

  get members(): readonly number[] {
    return [...this.#sessions.keys()].filter((node) => this.isMember(node));
  }

  isMember(node: number): boolean {
    return this.#sessions.has(node) && !this.#dead.has(node) && !this.#left.has(node);
  }

  /** The member joins the room, or opens it as node 0. */
  async join(node: number): Promise<void> {
    const { host } = this;
    const jobs = this.#jobs;
    const session = await runAs(this.#node(node), () =>
      ClusterSession.start(
        {
          ...this.#network.options(node, { id: `${node}` }),
          engine: this.#engineOf(node),
          jobs,
          onLeft: () => this.#left.add(node),
        },
        host === undefined ? undefined : [{ memory: `${host}` }],
      ),
    );
    this.#sessions.set(node, session);
  }

  /** A node runs a job on all ranks. */
  run<P extends Value, R>(
    node: number,
    job: Job<P, R, RankEngine>,
    parameters: P,
    events: JobEvents = noJob,
  ): Promise<R> {
    const session = this.#sessions.get(node);
    if (!session) throw new Error(`Node ${node} is no member.`);
    return runAs(this.#node(node), () => session.run(job, parameters, events));
  }

  kill(node: number, silently = false): void {
    this.#dead.add(node);
    this.#network.memory.kill(node, silently);
  }

  cut(a: number, b: number, silently: boolean): void {
    this.#network.memory.cut(a, b, silently);
  }

  pause(node: number): void {
    this.#network.memory.pause(node);
  }

  resume(node: number): void {
    this.#network.memory.resume(node);
  }

  /** Lets time pass until something ends. Throws if it never does. */
  async settle<R>(work: Promise<R>): Promise<R> {
    const end = await this.outcome(work);
    if (!end) throw new Error("It waits forever.");
    if ("error" in end) throw end.error;
    return end.value;
  }

  /** How something ends, while time passes; undefined where it never does. */
  async outcome<R>(work: Promise<R>, until: () => boolean = () => false): Promise<End<R> | undefined> {
    let end: End<R> | undefined;
    work.then(
      (value) => {
        end = { value };
      },
      (error) => {
        end = { error };
      },
    );
    await this.#network.advanceExactly(patienceMs, () => end !== undefined || until());
    return end;
  }

  async advance(ms: number, until?: () => boolean): Promise<void> {
    await this.#network.advanceExactly(ms, until);
  }

  #node(node: number): SimulatedNode {
    const known = this.#nodes.get(node);
    if (known) return known;
    const made = {
      node,
      clock: this.#network.memory.clock(node),
      begins: (operation: string) => {
        if (!this.#dead.has(node)) this.onOperation(node, operation);
        return !this.#dead.has(node);
      },
    };
    this.#nodes.set(node, made);
    return made;
  }
}
