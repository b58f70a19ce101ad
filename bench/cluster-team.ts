// Ranks of a room in processes over TCP, or in threads over message ports: this program starts them and is
// their host.
import { fork } from "node:child_process";
import { type MessagePort as NodePort, parentPort, Worker } from "node:worker_threads";
import { systemClock } from "../src/cluster/clock.ts";
import type { World } from "../src/cluster/communicator/world.ts";
import { makeMemberId, Room } from "../src/cluster/room/room.ts";
import type { RoomOptions } from "../src/cluster/room/room-options.ts";
import { makeRoomKey, type RoomKey } from "../src/cluster/room-key.ts";
import type { Port } from "../src/cluster/transport/port/port-channel.ts";
import { openPortTransport } from "../src/cluster/transport/port/port-transport.ts";
import { type Locks, RendezvousServer } from "../src/cluster/transport/port/rendezvous-server.ts";
import { openTcpTransport } from "../src/cluster/transport/tcp/tcp-transport.ts";
import type { Transport } from "../src/cluster/transport/transport.ts";
import { participate } from "./cluster/collectives.ts";

/** Tells a rank which room to join, and how many ranks it will have. */
interface Invitation {
  readonly key: RoomKey;
  readonly host: string;
  readonly size: number;
}

/**
 * What a rank reports: it is ready, all ranks are there, it took part, it left; or it asks for a port to the
 * broker.
 */
type Stage = "ready" | "in" | "done" | "left";
type RankReport = Stage | { readonly broker: NodePort };

/** A member of the room, and its world once all ranks are there. */
export interface JoinedRank {
  readonly room: Room;
  readonly address: string;
  readonly world: Promise<World>;
}

type OpenTransport = (key: RoomKey, id: string) => Promise<Transport>;

export const openTcp: OpenTransport = (key) => openTcpTransport({ key, host: "127.0.0.1" });

/** Locks that are never released: no thread ends before the bench does. */
const locks: Locks = {
  request: (async (name: string, options: LockOptions, call: (lock: Lock | null) => unknown) => {
    if (options.mode === "shared") return new Promise(() => {});
    return call({ name, mode: "exclusive" });
  }) as Locks["request"],
};

const openPort =
  (connect: (port: NodePort) => void): OpenTransport =>
  (_, memberId) =>
    openPortTransport({
      room: "bench",
      memberId,
      browser: "bench",
      locks,
      onGone: () => {},
      broker: () => {
        const { port1, port2 } = new MessageChannel() as unknown as { port1: NodePort; port2: NodePort };
        connect(port2);
        return port1 as unknown as Port;
      },
    });

/** Opens a room, or joins the one of `host`. */
export async function joinRoom(
  openWay: OpenTransport,
  key: RoomKey,
  size: number,
  host?: string,
): Promise<JoinedRank> {
  const id = makeMemberId();
  const transport = await openWay(key, id);
  let begin: (world: World) => void = () => {};
  const world = new Promise<World>((resolve) => {
    begin = resolve;
  });
  const options: RoomOptions = {
    key,
    id,
    about: { name: id, device: "bench", gpu: "none" },
    transports: [transport],
    clock: systemClock,
    onJoinRequest: (request) => request.admit(),
    onEpoch: (epoch) => {
      if (epoch.names.length === size) begin(epoch.world);
    },
  };
  // Introductions take a moment.
  while (host !== undefined && !transport.canDial(host))
    await new Promise((resolve) => setTimeout(resolve, 1));
  const room =
    host === undefined ? Room.open(options) : await Room.join(options, [{ [transport.path]: host }]);
  return { room, address: transport.address, world };
}

/** The life of a rank: joins, takes part in what the host measures, and leaves, each time it is order to. */
function serveRank(
  openWay: OpenTransport,
  send: (report: RankReport) => void,
): (order: Invitation | "leave") => Promise<void> {
  let joined: JoinedRank | undefined;
  return async (order) => {
    if (order === "leave") {
      await joined?.room.leave();
      send("left");
      return;
    }
    joined = await joinRoom(openWay, order.key, order.size, order.host);
    const world = await joined.world;
    send("in");
    await participate(world);
    send("done");
  };
}

export function runAsProcess(): void {
  process.on(
    "message",
    serveRank(openTcp, (report) => process.send?.(report)),
  );
  process.send?.("ready" satisfies RankReport);
}

export function runAsThread(): void {
  const parent = parentPort as NodePort;
  const send = (report: RankReport) =>
    parent.postMessage(report, typeof report === "string" ? [] : [report.broker]);
  parent.on(
    "message",
    serveRank(
      openPort((broker) => send({ broker })),
      send,
    ),
  );
  send("ready");
}

/** A rank in another process or thread. */
interface Rank {
  tell(what: Invitation | "leave"): void;
  end(): void;
  heard(report: RankReport): void;
  failed(reason: unknown): void;
}

export class Team {
  readonly path: "tcp" | "port";
  readonly #ranks: Rank[] = [];
  readonly #introductions = new RendezvousServer(locks, "broker");
  readonly #openWay: OpenTransport;
  readonly #program: string;

  /** `program` runs `runAsProcess` if its argument is `rank`, or `runAsThread` in a thread. */
  constructor(path: "tcp" | "port", program: string) {
    this.path = path;
    this.#program = program;
    this.#openWay = path === "tcp" ? openTcp : openPort((port) => this.#connect(port));
  }

  /** Starts ranks until there are `count` besides the host. */
  async grow(count: number): Promise<void> {
    while (this.#ranks.length < count) {
      const rank = this.path === "tcp" ? asProcess(this.#program) : asThread(this.#program);
      await this.#all([rank], "ready");
      this.#ranks.push(rank);
    }
  }

  /**
   * Has `count` of them join a new room at once; `use` gets the host's world and the milliseconds until all
   * ranks knew that all had joined. `use` must end the others' `participate`.
   */
  async meet<R>(count: number, use: (world: World, joinMs: number) => Promise<R>): Promise<R> {
    const key = makeRoomKey();
    const size = count + 1;
    const { room, address, world } = await joinRoom(this.#openWay, key, size);
    const ranks = this.#ranks.slice(0, count);
    const start = performance.now();
    const areIn = this.#all(ranks, "in");
    for (const rank of ranks) rank.tell({ key, host: address, size });
    await areIn;
    const all = await world;
    const joinMs = performance.now() - start;
    const [result] = await Promise.all([use(all, joinMs), this.#all(ranks, "done")]);
    const haveLeft = this.#all(ranks, "left");
    for (const rank of ranks) rank.tell("leave");
    await haveLeft;
    await room.leave();
    return result;
  }

  end(): void {
    for (const rank of this.#ranks) rank.end();
  }

  /** Resolves when all of them have reported that. */
  #all(ranks: readonly Rank[], stage: Stage): Promise<unknown> {
    return Promise.all(
      ranks.map(
        (rank) =>
          new Promise<void>((resolve, reject) => {
            rank.failed = reject;
            rank.heard = (report) => {
              if (typeof report !== "string") this.#connect(report.broker);
              else if (report === stage) resolve();
            };
          }),
      ),
    );
  }

  #connect(port: NodePort): void {
    this.#introductions.connect(port as unknown as Port);
  }
}

const nobody = { heard: () => {}, failed: () => {} };

function asProcess(program: string): Rank {
  const child = fork(program, ["rank"], { serialization: "advanced" });
  const rank: Rank = { ...nobody, tell: (what) => child.send(what), end: () => child.kill() };
  child.on("message", (report: RankReport) => rank.heard(report));
  child.on("exit", (code) => rank.failed(new Error(`A rank's process ended (${code}).`)));
  return rank;
}

function asThread(program: string): Rank {
  const worker = new Worker(program);
  const rank: Rank = {
    ...nobody,
    tell: (what) => worker.postMessage(what),
    end: () => void worker.terminate(),
  };
  worker.on("message", (report: RankReport) => rank.heard(report));
  worker.on("error", (error) => rank.failed(error));
  return rank;
}
