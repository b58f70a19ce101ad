import type { SimulatedRoom } from "./simulated-room.ts";

/** How many nodes a room has at the most, those included that were lost. */
const maxNodes = 7;

/** A node that asks to join the room that this node hosts. */
interface Joining {
  readonly host: number;
  readonly done: Promise<void>;
  isSettled(): boolean;
}

/** What happens to the nodes of a room, at random: a quorum of its members stays in any case. */
export class Misfortunes {
  readonly #room: SimulatedRoom;
  readonly #random: () => number;
  /** Nodes that nothing happens to. */
  readonly #spared: readonly number[];
  readonly #frozen = new Set<number>();
  /** Nodes that the lowest one cannot see. */
  readonly #apart = new Set<number>();
  readonly #cuts: (readonly number[])[] = [];
  readonly #joining: Joining[] = [];
  #nodes: number;

  constructor(room: SimulatedRoom, random: () => number, spared: readonly number[]) {
    this.#room = room;
    this.#random = random;
    this.#spared = spared;
    this.#nodes = room.members.length;
  }

  /** Has one thing happen, and says what. */
  happen(): string {
    const what = this.#random();
    const silently = this.#random() < 0.5;
    const pick = this.#random();
    if (what > 0.85) return this.#join();
    const victims = this.#members.filter((node) => this.#canLose(node));
    if (victims.length === 0) return "nothing";
    const victim = victims[Math.floor(pick * victims.length)];
    if (what < 0.55) {
      this.#room.kill(victim, silently);
      return `node ${victim} dies${silently ? " silently" : ""}`;
    }
    if (what < 0.75) {
      this.#frozen.add(victim);
      this.#room.pause(victim);
      return `node ${victim} freezes`;
    }
    const [lowest] = this.#members;
    // Either of the two may be the one that is left out.
    if (victim === lowest || this.#spared.includes(lowest)) return "nothing";
    this.#apart.add(victim);
    this.#cuts.push([lowest, victim]);
    this.#room.cut(lowest, victim, silently);
    return `nodes ${lowest} and ${victim} are cut apart${silently ? " silently" : ""}`;
  }

  /** Frozen nodes wake up, after some time. */
  async end(): Promise<void> {
    if (this.#frozen.size === 0) return;
    await this.#room.advance(this.#random() * 9000);
    for (const node of this.#frozen) this.#room.resume(node);
    this.#frozen.clear();
  }

  /** Whether those that are out know it, nobody waits to join, and all members are in the same epoch. */
  get areOver(): boolean {
    const { members } = this.#room;
    const all = members.toSorted((a, b) => a - b).join();
    const agree = members.every(
      (node) =>
        this.#room
          .epochOf(node)
          .toSorted((a, b) => a - b)
          .join() === all,
    );
    // One of two that are cut apart is left out.
    const areApart = this.#cuts.every((pair) => !pair.every((node) => this.#room.isMember(node)));
    return agree && areApart && this.#joining.every(({ isSettled }) => isSettled());
  }

  /** How many have joined. Throws where one could not, though the host that it asked is still there. */
  async joined(): Promise<number> {
    let count = 0;
    for (const { host, done } of this.#joining) {
      const end = await this.#room.outcome(done);
      if (!end) throw new Error("A node waits forever to join.");
      if ("value" in end) count++;
      else if (host === this.#room.host && this.#apart.size === 0) throw end.error;
    }
    return count;
  }

  #join(): string {
    const { host } = this.#room;
    if (this.#nodes === maxNodes || host === undefined) return "nothing";
    const node = this.#nodes++;
    const done = this.#room.join(node);
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    done.then(settle, settle);
    this.#joining.push({ host, done, isSettled: () => isSettled });
    return `node ${node} joins`;
  }

  /** Members in good health of the epoch that the first of them is in. */
  get #members(): readonly number[] {
    return this.#epoch.filter((node) => this.#isWell(node));
  }

  get #epoch(): readonly number[] {
    const one = this.#room.members.find((node) => this.#isWell(node));
    return one === undefined ? [] : this.#room.epochOf(one);
  }

  #isWell(node: number): boolean {
    return this.#room.isMember(node) && !this.#frozen.has(node) && !this.#apart.has(node);
  }

  /** Whether those that are left without a node may go on: more than half of them all, or half with the lowest. */
  #canLose(victim: number): boolean {
    const all = this.#epoch;
    const left = all.filter((node) => node !== victim && this.#isWell(node));
    const isHalf = 2 * left.length === all.length && left.includes(all[0]);
    return !this.#spared.includes(victim) && (2 * left.length > all.length || isHalf);
  }
}
