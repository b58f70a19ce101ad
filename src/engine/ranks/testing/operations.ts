import type { Communicator } from "../../../cluster/communicator/communicator.ts";
import { Stopwatch } from "../stopwatch.ts";
import { runAs, runningNode } from "./simulated-time.ts";

/** Calls of a communicator that take messages. */
const calls = [
  ...["send", "recv", "recvInto", "sendrecv", "barrier", "bcast", "gather", "scatter", "allgather"],
  ...["alltoall", "reduce", "allreduce", "reduceScatter", "scan", "exscan", "split", "dup", "free"],
] as const;

/** Activities that a watch records of a rank's own work. */
const ownWork: ReadonlySet<string> = new Set(["read", "compute", "pack"]);

type Methods = Record<string, (...given: readonly unknown[]) => unknown>;

/**
 * Has every simulated node hear of the operations that its code begins: each call of any communicator, and each phase of a
 * job's own work. A dead node's calls never end. Returns a function that ends this. `one` is a communicator of the kind that
 * the nodes have.
 */
export function watchOperations(one: Communicator): () => void {
  const ofCalls = Object.getPrototypeOf(one) as Methods;
  const originals = calls.map((name) => [name, ofCalls[name]] as const);
  for (const [name, original] of originals) {
    ofCalls[name] = function (this: Communicator, ...given) {
      const isAlive = runningNode()?.begins(name) ?? true;
      return isAlive ? original.apply(this, [...given]) : new Promise(() => {});
    };
  }
  // Its messages measure links, and are no operations of a job.
  const { tuned } = ofCalls;
  ofCalls.tuned = function (this: Communicator, ...given) {
    const running = runningNode();
    return running
      ? runAs({ ...running, begins: () => true }, () => tuned.apply(this, [...given]))
      : tuned.apply(this, [...given]);
  };
  const { begin } = Stopwatch.prototype;
  Stopwatch.prototype.begin = function (activity, name, call) {
    if (ownWork.has(activity)) runningNode()?.begins(`${activity} ${name}`);
    return begin.call(this, activity, name, call);
  };
  return () => {
    for (const [name, original] of originals) ofCalls[name] = original;
    ofCalls.tuned = tuned;
    Stopwatch.prototype.begin = begin;
  };
}
