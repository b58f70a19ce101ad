import { randomOf } from "../../../cluster/transport/testing/random.ts";
import { noJob } from "../../../core/job.ts";
import { Misfortunes } from "./misfortunes.ts";
import { randomTask } from "./random-tasks.ts";
import { type Answer, roomFor, type Task } from "./recovery-tasks.ts";
import type { SimulatedRoom } from "./simulated-room.ts";

/** A job that was run while ranks were lost and came, as a seed says. */
export interface Run {
  readonly expected: Answer;
  /** The first while faults happen, the second afterwards. */
  readonly answers: readonly [Answer, Answer];
  /** Members in the end. */
  readonly members: number;
  /** Ranks that hosts have heard were lost. */
  readonly lost: number;
  readonly joined: number;
  /** Events of the network. */
  readonly steps: number;
  /** The seed and what happened. */
  readonly say: string;
}

/** Runs a random job, and has nodes die, freeze, be cut apart and join meanwhile, while a quorum stays. */
export async function runWithLosses(seed: number): Promise<Run> {
  const random = randomOf(seed * 7919 + 11);
  const upTo = (count: number) => Math.floor(random() * count);
  const task = randomTask(random);
  // Loads the modules that it needs, too, which no simulated time waits for.
  const expected = await task.alone();
  // Messages grow with the square of their number.
  const size = 2 + Math.min(upTo(4), upTo(4));
  const readers = random() < 0.3 ? "host" : "all";
  const room = await roomFor(task, size, seed, readers);
  const misfortunes = new Misfortunes(room, random, readers === "host" ? [0] : []);
  const host = new PresentHost(room, task);
  const log: string[] = [];
  const say = () => `seed ${seed}, ${task.name} on ${size} ranks: ${log.join("; ")}`;
  try {
    const asked = host.ask(0);
    for (let faults = upTo(4); faults > 0; faults--) {
      const at = room.steps + 1 + upTo(random() < 0.7 ? 120 : 900);
      await room.advance(30_000, () => room.steps >= at);
      log.push(`event ${room.steps}: ${misfortunes.happen()}`);
    }
    await misfortunes.end();
    const during = await host.answer(asked);
    await room.advance(60_000, () => misfortunes.areOver);
    const joined = await misfortunes.joined();
    const after = await host.answer(host.ask(room.host ?? 0));
    const { members, steps } = room;
    return {
      expected,
      answers: [during, after],
      members: members.length,
      lost: host.lost,
      joined,
      steps,
      say: say(),
    };
  } catch (error) {
    throw new Error(`${say()}: ${error}`, { cause: error });
  }
}

/** Asked for an answer: by which node, and what comes of it. */
interface Asked {
  readonly by: number;
  readonly answer: Promise<Answer>;
}

/** Whoever is host runs a task; where it is lost, the next one does. */
class PresentHost {
  lost = 0;
  readonly #room: SimulatedRoom;
  readonly #task: Task;

  constructor(room: SimulatedRoom, task: Task) {
    this.#room = room;
    this.#task = task;
  }

  ask(by: number): Asked {
    const restarted = (ids: readonly string[]) => {
      this.lost += ids.length;
    };
    const answer = this.#task.run(this.#room, by, { ...noJob, restarted });
    answer.catch(() => {});
    return { by, answer };
  }

  async answer({ by, answer }: Asked): Promise<Answer> {
    const room = this.#room;
    const end = await room.outcome(answer, () => !room.isMember(by));
    if (end && "value" in end) return end.value;
    if (end && room.isMember(by)) throw end.error;
    if (!end && room.isMember(by)) throw new Error(`Node ${by} waits forever.`);
    await room.advance(30_000, () => room.host !== undefined);
    if (room.host === undefined) throw new Error("Nobody hosts the room.");
    return this.answer(this.ask(room.host));
  }
}
