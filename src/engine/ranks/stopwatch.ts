import type { Traffic } from "../../core/rank-trace.ts";
import { CostLedger } from "../../lang/expression/plan/cost.ts";
import type { Pace } from "./paces.ts";

/** What a rank does: in a collective it sends and waits, which its own clock cannot tell apart. */
export const activities = ["read", "compute", "pack", "send", "wait", "collective"] as const;

export type Activity = (typeof activities)[number];

export const noTraffic: Traffic = { sent: 0, received: 0, messages: 0 };

/** Which of a communicator's collectives a span is part of: they are counted from 0, in the same order on all ranks. */
export interface CollectiveCall {
  readonly number: number;
  /** −1 where the collective has none. */
  readonly root: number;
}

/** A time during which a rank did one thing, in milliseconds of its own clock. Spans of a rank do not overlap. */
export interface OwnSpan {
  readonly activity: Activity;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly call: CollectiveCall | undefined;
  /** Of a call that ends with this span. */
  readonly traffic: Traffic | undefined;
}

/** A rank keeps so many spans of a job, 72 bytes each on their way to rank 0; times and traffic count beyond them. */
export const maxSpans = 4096;

/** Something that has begun and not ended. */
export interface Doing {
  readonly activity: Activity;
  readonly name: string;
  readonly call: CollectiveCall | undefined;
}

/**
 * Records what a rank's part of a job spends its time on. At each moment it does what began last of all that has not ended; the
 * job itself is computing, so that nothing is left out.
 */
export class Stopwatch {
  /** Bytes of files that the rank has read. */
  bytesRead = 0;
  /** What expressions and surfaces have moved, run and held on the rank's GPU. */
  readonly device = new CostLedger();
  /** Evaluations of expressions; undefined where there was none. */
  evaluated: Pace | undefined;
  readonly #now: () => number;
  readonly #open: Doing[];
  readonly #spans: OwnSpan[] = [];
  readonly #ms = { read: 0, compute: 0, pack: 0, send: 0, wait: 0, collective: 0 };
  readonly #traffic = { ...noTraffic };
  #since: number;
  #isStopped = false;

  /** `title` names what the job does where nothing else has begun. */
  constructor(title: string, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#open = [{ activity: "compute", name: title, call: undefined }];
    this.#since = now();
  }

  get ms(): Readonly<Record<Activity, number>> {
    return this.#ms;
  }

  get traffic(): Traffic {
    return this.#traffic;
  }

  /** In the order in which they ended. */
  get spans(): readonly OwnSpan[] {
    return this.#spans;
  }

  begin(activity: Activity, name: string, call?: CollectiveCall): Doing {
    const doing = { activity, name, call };
    if (this.#isStopped) return doing;
    this.#closeSpan();
    this.#open.push(doing);
    return doing;
  }

  /** Ends what has begun; a call's traffic is on the last of its spans. */
  end(doing: Doing, traffic?: Traffic): void {
    const at = this.#open.indexOf(doing);
    if (at < 0) return;
    const isLast = at === this.#open.length - 1;
    this.#closeSpan(isLast ? traffic : undefined);
    this.#open.splice(at, 1);
    if (!traffic) return;
    this.count(traffic);
    if (!isLast) this.#keep({ ...doing, start: this.#since, end: this.#since, traffic });
  }

  async time<T>(activity: Activity, work: () => Promise<T>, name: string = activity): Promise<T> {
    const doing = this.begin(activity, name);
    try {
      return await work();
    } finally {
      this.end(doing);
    }
  }

  /** Runs work that puts together what is sent, or takes apart what has arrived. */
  pack<T>(work: () => T): T {
    const doing = this.begin("pack", "pack");
    try {
      return work();
    } finally {
      this.end(doing);
    }
  }

  count({ sent, received, messages }: Traffic): void {
    this.#traffic.sent += sent;
    this.#traffic.received += received;
    this.#traffic.messages += messages;
  }

  /** Ends all that has begun: nothing is recorded from now on. */
  stop(): void {
    this.#closeSpan();
    this.#open.length = 0;
    this.#isStopped = true;
  }

  /** Ends the span of what is being done, which may go on in another. */
  #closeSpan(traffic?: Traffic): void {
    const doing = this.#open.at(-1);
    const [start, end] = [this.#since, this.#now()];
    this.#since = end;
    if (!doing) return;
    this.#ms[doing.activity] += end - start;
    if (end > start || traffic) this.#keep({ ...doing, start, end, traffic });
  }

  #keep(span: OwnSpan): void {
    if (this.#spans.length < maxSpans) this.#spans.push(span);
  }
}
