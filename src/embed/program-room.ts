import { systemClock } from "../cluster/clock.ts";
import type { Communicator } from "../cluster/communicator/communicator.ts";
import { communicatorOf } from "../cluster/communicator/group-communicator.ts";
import { meetToEnd } from "../cluster/jobs/meet-to-end.ts";
import type { Epoch } from "../cluster/membership/epoch.ts";
import type { JoinRequest } from "../cluster/room/host.ts";
import { formatInvitation, type Invitation, parseInvitation } from "../cluster/room/invitation.ts";
import { makeMemberId, Room } from "../cluster/room/room.ts";
import { makeRoomKey, type RoomKey } from "../cluster/room-key.ts";
import type { Addresses, Transport } from "../cluster/transport/transport.ts";
import type { CrinkleError } from "../core/errors.ts";
import type { JoinRoom, JoinRoomOptions, OpenRoom, OpenRoomOptions, ProgramRoom } from "./cluster-api.ts";
import { badArgument } from "./refusal.ts";

/** How a member reaches others. */
export interface Ways {
  readonly transports: readonly Transport[];
  readonly hostTransports: readonly (() => Promise<Transport>)[];
  /** Where the host is. */
  readonly host: Addresses;
  /** host:port at which this member listens for TCP. */
  readonly tcp: string | undefined;
  /** Resolves when nothing is on its way any more. */
  drained(): Promise<unknown>;
}

export interface WaysOptions {
  readonly key: RoomKey;
  readonly memberId: string;
  readonly at: Invitation["at"] | undefined;
  readonly listen: OpenRoomOptions["listen"];
  onSuspect(member: string): void;
}

/** Where rooms are made: what a browser and Node do in their own ways. */
export interface Premises {
  readonly device: string;
  ways(options: WaysOptions): Promise<Ways>;
}

/** `openRoom` and `joinRoom`. */
export function roomInterface(premises: Premises): {
  readonly openRoom: OpenRoom;
  readonly joinRoom: JoinRoom;
} {
  return {
    openRoom({ page, listen, ...options } = {}) {
      const at = page === undefined ? undefined : { page };
      return enter(premises, makeRoomKey(), at, listen, options, true);
    },
    joinRoom(link, options = {}) {
      const { key, at } = parseInvitation(link);
      return enter(premises, key, at, undefined, options, false);
    },
  };
}

async function enter(
  premises: Premises,
  key: RoomKey,
  at: Invitation["at"] | undefined,
  listen: OpenRoomOptions["listen"],
  options: JoinRoomOptions,
  opens: boolean,
): Promise<ProgramRoom> {
  const memberId = makeMemberId();
  let room: Room | undefined;
  const epochs = new Epochs();
  const ways = await premises.ways({
    ...{ key, memberId, at, listen },
    onSuspect: (member) => room?.suspect(member),
  });
  const { device } = premises;
  const roomOptions = {
    key,
    id: memberId,
    about: { name: options.name ?? device, device, gpu: "" },
    transports: ways.transports,
    hostTransports: ways.hostTransports,
    clock: systemClock,
    onJoinRequest: (request: JoinRequest) => void decide(request, options),
    onEpoch(epoch: Epoch) {
      epochs.begin(epoch);
      options.onSize?.(epoch.names.length);
    },
    onLeft(error: CrinkleError) {
      epochs.end(error);
      options.onLeft?.(error);
    },
  };
  try {
    room = opens ? Room.open(roomOptions) : await Room.join(roomOptions, [ways.host], options.signal);
  } catch (error) {
    for (const transport of ways.transports) transport.close();
    throw error;
  }
  const entered = room;
  const leave = async () => {
    epochs.end(badArgument("The room was left.", "Join it again by its link."));
    await entered.leave();
    await ways.drained();
  };
  return {
    link: formatInvitation({ key, at: at ?? { tcp: ways.tcp ?? "" } }),
    get size() {
      return entered.epoch?.names.length ?? 0;
    },
    get rank() {
      return entered.epoch?.names.indexOf(memberId) ?? -1;
    },
    world: (size) => epochs.ofSize(size),
    leave,
    async end() {
      const world = epochs.world;
      if (world) await meetToEnd(world);
      await leave();
    },
  };
}

async function decide(request: JoinRequest, { admits = () => true }: JoinRoomOptions): Promise<void> {
  const { name, device } = request.about;
  const isAdmitted = await Promise.resolve(admits({ name, device })).catch(() => false);
  if (isAdmitted) request.admit();
  else request.refuse("The program that opened the room declined.");
}

/** The epochs of a room, and who waits for one of so many ranks. */
class Epochs {
  #size = 0;
  /** That of the present members. */
  world: Communicator | undefined;
  #ended: CrinkleError | undefined;
  #waiting: { size: number; resolve(world: Communicator): void; reject(error: CrinkleError): void }[] = [];

  begin({ names, world }: Epoch): void {
    const communicator = communicatorOf(world);
    this.#size = names.length;
    this.world = communicator;
    const served = this.#waiting.filter(({ size }) => size === names.length);
    this.#waiting = this.#waiting.filter(({ size }) => size !== names.length);
    for (const { resolve } of served) resolve(communicator);
  }

  end(error: CrinkleError): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended);
  }

  ofSize(size: number): Promise<Communicator> {
    if (!Number.isInteger(size) || size < 1) {
      return Promise.reject(badArgument(`A world of ${size} ranks was asked for.`, "Ask for 1 or more."));
    }
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.world && this.#size === size) return Promise.resolve(this.world);
    return new Promise((resolve, reject) => this.#waiting.push({ size, resolve, reject }));
  }
}
