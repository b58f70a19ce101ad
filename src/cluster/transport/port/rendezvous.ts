import { CrinkleError } from "../../../core/errors.ts";
import type { Port } from "./port-channel.ts";
import { type FromBroker, type Locks, memberLock, type ToBroker } from "./rendezvous-server.ts";

export interface RendezvousOptions {
  /**
   * What the members share: a hash of the room's key, not the key itself. At most 100 characters, like the
   * id.
   */
  readonly room: string;
  /** Never reused: whoever joins again takes a new one. */
  readonly id: string;
  /**
   * Returns a port to the broker (open-broker.ts); called again if the broker ended with the tab that ran
   * it.
   */
  broker(): Port | Promise<Port>;
  readonly locks?: Locks;
  /**
   * Called once for each member; the port can be passed to another worker as long as nothing was read from
   * it.
   */
  onPeer(id: string, port: MessagePort): void;
  /** The member left, or its tab or worker ended. */
  onGone(id: string): void;
  /** The broker ended and could not be reopened: no new members are found. */
  onBrokerLost(error: unknown): void;
}

/** Milliseconds that the broker has to introduce those already present; it may have to start first. */
const joinMs = 1000;

export interface Rendezvous {
  /** Tells the others that this member is gone, and stops introductions and notifications. */
  leave(): void;
}

/**
 * Finds the members of a room within this browser. Must be called where the ports are used, because the
 * caller holds a lock whose release shows the others that it ended (within 0.1 s of a tab's close or
 * crash). Resolves when those already present have been introduced, or after a timeout. Rejects with
 * Refused if the id is in use.
 */
export async function rendezvous(options: RendezvousOptions): Promise<Rendezvous> {
  const { room, id, locks = navigator.locks, onPeer, onGone, onBrokerLost } = options;
  const release = await acquireLock(
    locks,
    memberLock(room, id),
    `A rank with the id ${id} is already in this room.`,
  );
  const over = new AbortController();
  const present = new Set<string>();
  const introduced = new Set<string>();
  let port: Port | undefined;
  let joined: () => void = () => {};
  const peersIntroduced = new Promise<void>((resolve) => {
    joined = resolve;
  });

  const afterRelease = (lock: string, call: () => void) => {
    const released = () => {
      if (!over.signal.aborted) call();
    };
    locks.request(lock, { mode: "shared", signal: over.signal }, released).catch((error) => {
      if (!over.signal.aborted) throw error;
    });
  };
  const send = (message: ToBroker) => port?.postMessage(message, []);
  const receive = (message: FromBroker) => {
    if (message.kind === "welcome") {
      afterRelease(message.lock, () => void connect().catch(onBrokerLost));
      send({ kind: "join", room, id, known: [...present] });
    } else if (message.kind === "joined") joined();
    else if (introduced.has(message.id)) message.port.close();
    else {
      introduced.add(message.id);
      present.add(message.id);
      onPeer(message.id, message.port);
      afterRelease(memberLock(room, message.id), () => {
        present.delete(message.id);
        onGone(message.id);
      });
    }
  };
  const connect = async () => {
    port?.close();
    const opened = await options.broker();
    if (over.signal.aborted) {
      opened.close();
      return;
    }
    port = opened;
    port.onmessage = ({ data }) => receive(data);
  };
  const leave = () => {
    send({ kind: "leave" });
    over.abort();
    release();
    port?.close();
  };
  await connect().catch((error) => {
    leave();
    throw error;
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([peersIntroduced, new Promise((resolve) => (timer = setTimeout(resolve, joinMs)))]);
  clearTimeout(timer);
  return { leave };
}

/** Takes a lock that must be free; resolves to a function that releases it. */
function acquireLock(locks: Locks, name: string, taken: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const keep = (lock: Lock | null) => {
      if (!lock) throw new CrinkleError({ tag: "Refused", problem: taken });
      return new Promise<void>((release) => resolve(release));
    };
    locks.request(name, { ifAvailable: true }, keep).catch(reject);
  });
}
