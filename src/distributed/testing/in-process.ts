import type { Communicator, Data } from "../../cluster/communicator/communicator.ts";
import { copyData, isTypedArray } from "../../cluster/communicator/data.ts";
import type { TypedArray } from "../../core/dtype.ts";
import type { RankCommunicator } from "../api.ts";

/** One collective, which ends when all ranks have called it. */
interface Meeting {
  readonly operation: string;
  readonly given: unknown[];
  readonly over: Promise<void>;
  end(): void;
}

/**
 * Communicators of ranks in one process, which meet in each collective without a network. They copy data, and throw where
 * ranks call different collectives.
 */
export function inProcess(size: number): (RankCommunicator & Pick<Communicator, "gather" | "bcast">)[] {
  const meetings: Meeting[] = [];
  const boxes = new Map<string, Mailbox>();
  const box = (from: number, to: number, tag: number): Mailbox => {
    const key = `${from} ${to} ${tag}`;
    const made = boxes.get(key) ?? new Mailbox();
    boxes.set(key, made);
    return made;
  };
  return Array.from({ length: size }, (_, rank) => {
    let calls = 0;
    async function meet<D>(operation: string, given: D): Promise<readonly D[]> {
      const call = calls++;
      meetings[call] ??= newMeeting(operation);
      const meeting = meetings[call];
      if (meeting.operation !== operation) {
        throw new Error(`Rank ${rank} calls ${operation} where others call ${meeting.operation}.`);
      }
      meeting.given[rank] = given;
      if (Object.keys(meeting.given).length === size) {
        delete meetings[call];
        meeting.end();
      }
      await meeting.over;
      return meeting.given as readonly D[];
    }
    return {
      rank,
      size,
      send: async (to, data, tag = 0) => box(rank, to, tag).put(copyData(data)),
      async recv<D extends Data>(from = 0, tag = 0) {
        return { source: from, tag, data: (await box(from, rank, tag).take()) as D };
      },
      async gather<D extends Data>(data: D, root = 0) {
        const given = await meet("gather", data);
        return rank === root ? given.map(copyData) : undefined;
      },
      bcast: async <D extends Data>(data: D | undefined, root = 0) =>
        copyData((await meet("bcast", data))[root] as D),
      allgather: async <D extends Data>(data: D) => (await meet("allgather", data)).map(copyData),
      alltoall: async <D extends Data>(parts: readonly D[]) =>
        (await meet("alltoall", parts)).map((ofRank) => copyData(ofRank[rank])),
      async reduceScatter(data, counts, { combine }) {
        const given = await meet("reduceScatter", data);
        const sum = given.map(copyData).reduce((before, next) => {
          combine?.(before, next, 0, next.length);
          return next;
        });
        const from = counts.slice(0, rank).reduce((a, b) => a + b, 0);
        return sliceOf(sum, from, from + counts[rank]);
      },
      revoke() {},
    };
  });
}

/** Messages from one rank to another, in their order. */
class Mailbox {
  readonly #arrived: Data[] = [];
  readonly #waiting: ((data: Data) => void)[] = [];

  put(data: Data): void {
    const next = this.#waiting.shift();
    if (next) next(data);
    else this.#arrived.push(data);
  }

  take(): Promise<Data> {
    if (this.#arrived.length > 0) return Promise.resolve(this.#arrived.shift() as Data);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function sliceOf<D extends TypedArray>(array: D, from: number, to: number): D {
  const part = array.slice(from, to);
  if (!isTypedArray(part)) throw new TypeError("A typed array's slice is one.");
  return part as D;
}

function newMeeting(operation: string): Meeting {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { operation, given: [], over, end };
}
