import type { Port } from "./port-channel.ts";

/** Messages from tabs to the broker. `known`: peers that need no introduction. */
export type ToBroker =
  | { readonly kind: "join"; readonly room: string; readonly id: string; readonly known: readonly string[] }
  | { readonly kind: "leave" };

/**
 * Messages from the broker to tabs: the lock that it holds, then a port to each peer; `joined` follows
 * those already present.
 */
export type FromBroker =
  | { readonly kind: "welcome"; readonly lock: string }
  | { readonly kind: "joined" }
  | { readonly kind: "peer"; readonly id: string; readonly port: MessagePort };

export type Locks = Pick<LockManager, "request">;

/** A member holds this lock as long as it lives; its release shows the others that it is gone. */
export const memberLock = (room: string, id: string): string => `crinkle/${room}/${id}`;

interface Member {
  readonly id: string;
  readonly port: Port;
  readonly known: ReadonlySet<string>;
}

/** Gives every two members of a room the ends of a channel. */
export class RendezvousServer {
  readonly #locks: Locks;
  readonly #lock: string;
  readonly #rooms = new Map<string, Map<string, Member>>();

  /** `lock`: the name of the lock that the broker holds. */
  constructor(locks: Locks, lock: string) {
    this.#locks = locks;
    this.#lock = lock;
  }

  connect(port: Port): void {
    let leave = () => {};
    port.onmessage = ({ data }) => {
      if (!isToBroker(data)) return;
      leave();
      if (data.kind !== "join") return;
      leave = this.#join(port, data.room, data.id, new Set(data.known));
      const joined: FromBroker = { kind: "joined" };
      port.postMessage(joined, []);
    };
    const welcome: FromBroker = { kind: "welcome", lock: this.#lock };
    port.postMessage(welcome, []);
  }

  #join(port: Port, name: string, id: string, known: ReadonlySet<string>): () => void {
    const room = this.#rooms.get(name) ?? new Map<string, Member>();
    this.#rooms.set(name, room);
    const member = { id, port, known };
    const leave = () => {
      if (room.get(id) !== member) return;
      room.delete(id);
      if (room.size === 0) this.#rooms.delete(name);
    };
    for (const other of room.values()) {
      if (other.id !== id && !known.has(other.id) && !other.known.has(id)) introduce(member, other);
    }
    room.set(id, member);
    void this.#locks.request(memberLock(name, id), { mode: "shared" }, leave);
    return leave;
  }
}

function introduce(a: Member, b: Member): void {
  const { port1, port2 } = new MessageChannel();
  post(a.port, { kind: "peer", id: b.id, port: port1 });
  post(b.port, { kind: "peer", id: a.id, port: port2 });
}

function post(port: Port, message: Extract<FromBroker, { kind: "peer" }>): void {
  port.postMessage(message, [message.port]);
}

function isToBroker(data: unknown): data is ToBroker {
  if (typeof data !== "object" || data === null || !("kind" in data)) return false;
  const { kind, room, id, known } = data as Partial<Record<string, unknown>>;
  if (kind === "leave") return true;
  const isName = (value: unknown) => typeof value === "string" && value.length <= 100;
  return kind === "join" && isName(room) && isName(id) && Array.isArray(known) && known.every(isName);
}
