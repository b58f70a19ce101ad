import type { Clock } from "../../clock.ts";
import type { ChannelReceiver, FrameChannel } from "../channel.ts";
import { randomOf } from "./random.ts";

export interface NetworkOptions {
  /** Everything that happens follows from it and from what the nodes do. */
  readonly seed: number;
  /** Milliseconds that a frame takes: random within this range, in order within its stream. */
  readonly delay?: readonly [least: number, most: number];
  /** What a frame takes in addition, by its length: nothing where it is left out. */
  readonly bytesPerMs?: number;
  readonly frameBytes?: number;
  /** Bytes in flight at which a channel stops being writable. */
  readonly highWaterBytes?: number;
  /** Calls `run`, which is what a node does at an event. */
  readonly at?: (node: number, run: () => void) => void;
}

interface Event {
  at: number;
  /** Breaks ties: events planned first happen first. */
  readonly order: number;
  readonly node: number;
  isOff: boolean;
  run(): void;
}

/**
 * Nodes and channels between them in one process, with simulated time that only `run` advances. Nodes can
 * be killed and paused, and pairs cut, at any event; a seed reproduces a run exactly.
 */
export class MemoryNetwork {
  readonly #random: () => number;
  readonly #delay: readonly [number, number];
  readonly #bytesPerMs: number;
  readonly #frameBytes: number;
  readonly #highWater: number;
  readonly #at: (node: number, run: () => void) => void;
  readonly #events: Event[] = [];
  readonly #paused = new Map<number, Event[]>();
  readonly #dead = new Set<number>();
  readonly #ends: MemoryChannel[] = [];
  #now = 0;
  #order = 0;
  /** Events so far. */
  steps = 0;

  constructor({ seed, delay = [0.1, 1], bytesPerMs, frameBytes, highWaterBytes, at }: NetworkOptions) {
    this.#random = randomOf(seed);
    this.#delay = delay;
    this.#bytesPerMs = bytesPerMs ?? Number.POSITIVE_INFINITY;
    this.#frameBytes = frameBytes ?? 2 ** 16;
    this.#highWater = highWaterBytes ?? 2 ** 20;
    this.#at = at ?? ((_, run) => run());
  }

  get now(): number {
    return this.#now;
  }

  /** A node's clock: it stands still while the node is paused, and calls nothing once it is dead. */
  clock(node: number): Clock {
    return {
      now: () => this.#now,
      after: (ms, call) => {
        const event = this.#plan(node, this.#now + ms, call);
        return () => {
          event.isOff = true;
        };
      },
    };
  }

  connect(a: number, b: number): [FrameChannel, FrameChannel] {
    const options = { frameBytes: this.#frameBytes, highWaterBytes: this.#highWater };
    const plan = (node: number, at: number, call: () => void) => {
      this.#plan(node, at, call);
    };
    const delay = (bytes: number) =>
      this.#delay[0] + this.#random() * (this.#delay[1] - this.#delay[0]) + bytes / this.#bytesPerMs;
    const shared = { plan, delay, now: () => this.#now, isDead: (node: number) => this.#dead.has(node) };
    const first = new MemoryChannel(a, b, options, shared);
    const second = new MemoryChannel(b, a, options, shared);
    first.other = second;
    second.other = first;
    this.#ends.push(first, second);
    return [first, second];
  }

  /**
   * The node does nothing more, and what its code still sends is dropped. The others' channels to it are lost at once, or stay
   * as they are if `silently`.
   */
  kill(node: number, silently = false): void {
    this.#dead.add(node);
    this.#paused.delete(node);
    if (silently) return;
    for (const end of this.#ends) if (end.to === node) this.#lose(end, `Node ${node} was killed.`);
  }

  pause(node: number): void {
    if (!this.#paused.has(node)) this.#paused.set(node, []);
  }

  resume(node: number): void {
    const held = this.#paused.get(node) ?? [];
    this.#paused.delete(node);
    for (const event of held) {
      event.at = this.#now;
      this.#insert(event);
    }
  }

  /** Nothing passes between the two any more; if `silently`, they do not notice. */
  cut(a: number, b: number, silently = false): void {
    for (const end of this.#ends) {
      if ((end.node === a && end.to === b) || (end.node === b && end.to === a)) {
        end.isCut = true;
        if (!silently) this.#lose(end, `Nodes ${a} and ${b} were cut apart.`);
      }
    }
  }

  /**
   * Runs events one after the other, each with everything that follows from it immediately. Ends when
   * `until` holds after one, when there are none left, or after `most` milliseconds of simulated time;
   * returns whether `until` held. `rest` resolves when what follows has been done; without it, that is what waits for no real time.
   */
  async run(until: () => boolean, most = Number.POSITIVE_INFINITY, rest = settled): Promise<boolean> {
    const end = this.#now + most;
    await rest();
    while (!until()) {
      const event = this.#events[0];
      if (!event || event.at > end) {
        if (end < Number.POSITIVE_INFINITY) this.#now = end;
        return false;
      }
      this.#removeFirst();
      if (event.isOff || this.#dead.has(event.node)) continue;
      this.#now = event.at;
      const held = this.#paused.get(event.node);
      if (held) {
        held.push(event);
        continue;
      }
      this.steps++;
      this.#at(event.node, event.run);
      await rest();
    }
    return true;
  }

  #lose(end: MemoryChannel, problem: string): void {
    this.#plan(end.node, this.#now, () => end.lose(problem));
  }

  #plan(node: number, at: number, run: () => void): Event {
    const event = { at, order: this.#order++, node, isOff: false, run };
    this.#insert(event);
    return event;
  }

  #insert(event: Event): void {
    const heap = this.#events;
    let k = heap.length;
    heap.push(event);
    while (k > 0) {
      const parent = (k - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[k] = heap[parent];
      k = parent;
    }
    heap[k] = event;
  }

  #removeFirst(): void {
    const heap = this.#events;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let k = 0;
    for (;;) {
      let child = 2 * k + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[k] = heap[child];
      k = child;
    }
    heap[k] = last;
  }
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Resolves when all promises that wait for nothing else have continued. */
export const settled = () => new Promise<void>((resolve) => void immediately(resolve));

/** Browsers have no `setImmediate`, and their shortest timers take milliseconds. */
const immediately = globalThis.setImmediate ?? afterMessage();

function afterMessage(): (call: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  const calls: (() => void)[] = [];
  port1.onmessage = () => calls.shift()?.();
  return (call) => {
    calls.push(call);
    port2.postMessage(null);
  };
}

/** What the channels of a network have in common. */
interface ChannelNetwork {
  plan(node: number, at: number, call: () => void): void;
  delay(bytes: number): number;
  now(): number;
  isDead(node: number): boolean;
}

class MemoryChannel implements FrameChannel {
  readonly path = "memory";
  readonly node: number;
  readonly to: number;
  readonly frameBytes: number;
  other: MemoryChannel | undefined;
  isCut = false;
  readonly #highWater: number;
  readonly #network: ChannelNetwork;
  /** When the last frame of each stream arrives; goodbyes arrive after all of them. */
  readonly #arrivals = new Map<number, number>();
  #receiver: ChannelReceiver | undefined;
  readonly #early: Uint8Array[] = [];
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;
  #lost: string | undefined;

  constructor(
    node: number,
    to: number,
    options: { readonly frameBytes: number; readonly highWaterBytes: number },
    network: ChannelNetwork,
  ) {
    this.node = node;
    this.to = to;
    this.frameBytes = options.frameBytes;
    this.#highWater = options.highWaterBytes;
    this.#network = network;
  }

  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    for (const bytes of this.#early.splice(0)) receiver.frame(bytes);
    if (this.#lost !== undefined) receiver.lost(this.#lost);
  }

  post(header: Uint8Array<ArrayBuffer>, part: Uint8Array): undefined {
    if (this.#isClosed || this.#lost !== undefined || this.#network.isDead(this.node)) return;
    const bytes = new Uint8Array(header.length + part.length);
    bytes.set(header);
    bytes.set(part, header.length);
    this.#underWay += bytes.length;
    this.#network.plan(this.to, this.#arrival(header, bytes.length), () => {
      this.#underWay -= bytes.length;
      if (this.#underWay < this.#highWater) {
        for (const go of this.#waiting.splice(0)) this.#network.plan(this.node, this.#network.now(), go);
      }
      if (!this.isCut) this.other?.arrive(bytes);
    });
  }

  writable(): Promise<void> | undefined {
    if (this.#underWay < this.#highWater) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    if (this.#isClosed || this.#network.isDead(this.node)) return;
    this.#isClosed = true;
    const last = Math.max(this.#network.now(), ...this.#arrivals.values());
    this.#network.plan(this.to, last + this.#network.delay(0), () => {
      if (!this.isCut) this.other?.lose("The other side closed the channel.");
    });
  }

  arrive(bytes: Uint8Array): void {
    if (this.#isClosed || this.#lost !== undefined) return;
    if (this.#receiver) this.#receiver.frame(bytes);
    else this.#early.push(bytes);
  }

  lose(problem: string): void {
    if (this.#isClosed || this.#lost !== undefined) return;
    this.#lost = problem;
    for (const go of this.#waiting.splice(0)) go();
    this.#receiver?.lost(problem);
  }

  #arrival(header: Uint8Array, bytes: number): number {
    const [kind, stream] = header;
    const isGoodbye = kind === 4;
    const before = isGoodbye ? Math.max(0, ...this.#arrivals.values()) : (this.#arrivals.get(stream) ?? 0);
    const at = Math.max(before, this.#network.now() + this.#network.delay(bytes));
    this.#arrivals.set(stream, at);
    return at;
  }
}
