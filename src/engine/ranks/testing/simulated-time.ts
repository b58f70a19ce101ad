import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../../cluster/clock.ts";

/** What code of a simulated node runs on. */
export interface SimulatedNode {
  readonly node: number;
  readonly clock: Clock;
  /** The node begins an operation of this name. Returns whether it lives. */
  begins(operation: string): boolean;
}

const nodes = new AsyncLocalStorage<SimulatedNode>();

/** The node whose code is running; undefined outside all of them. */
export const runningNode = (): SimulatedNode | undefined => nodes.getStore();

/** Runs code as a node's, with everything that follows from it. */
export const runAs = <R>(node: SimulatedNode, run: () => R): R => nodes.run(node, run);

class SimulatedTimer {
  readonly stop: () => void;

  constructor(stop: () => void) {
    this.stop = stop;
  }

  unref(): this {
    return this;
  }
}

/**
 * Gives the code of nodes the simulated clock for its timers and for the time of day, so that what it does follows from the
 * network's seed alone; dead and paused nodes' timers stop. Other code keeps its own. Returns a function that ends this.
 */
export function simulateTime(): () => void {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const { now } = performance;
  const simulatedSet = (call: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const running = runningNode();
    if (!running) return set(call, ms, ...given);
    return new SimulatedTimer(running.clock.after(ms, () => runAs(running, () => call(...given))));
  };
  const simulatedClear = (timer: unknown) => {
    if (timer instanceof SimulatedTimer) timer.stop();
    else clear(timer as Parameters<typeof clear>[0]);
  };
  Object.assign(globalThis, { setTimeout: simulatedSet, clearTimeout: simulatedClear });
  performance.now = () => runningNode()?.clock.now() ?? now.call(performance);
  return () => {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    performance.now = now;
  };
}
