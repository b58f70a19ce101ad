/** How fast ranks evaluate expressions, by what each has kept of its latest jobs. */

import type { Value } from "../../cluster/communicator/communicator.ts";

/** Nodes at which a rank has evaluated expressions in a job, those around its block included, and the milliseconds that it took. */
export interface Pace {
  readonly nodes: number;
  readonly ms: number;
  /** What it was expected to take on one thread of a CPU, where the rank knows. */
  readonly expectedMs?: number;
}

const keptJobs = 5;
const fewestJobs = 3;
/** Jobs that took the slowest rank less say more of what else its machine was busy with. */
const shortestMs = 100;

/** What a rank keeps after one more job. */
export const withPace = (paces: readonly Pace[], pace: Pace): readonly Pace[] =>
  [...paces, pace].slice(-keptJobs);

/** What ranks do one after the other in a job. */
export const joinedPaces = (a: Pace | undefined, b: Pace): Pace => ({
  nodes: (a?.nodes ?? 0) + b.nodes,
  ms: (a?.ms ?? 0) + b.ms,
  expectedMs: (a?.expectedMs ?? 0) + (b.expectedMs ?? 0),
});

/** Shorter jobs tell more of what has to be compiled and started. */
const tellingMs = 20;

/** What a rank's evaluations have taken, relative to what was expected of one thread: the median of its latest jobs. */
export function slownessOf(paces: readonly Pace[]): number | undefined {
  const relative = paces.flatMap(({ ms, expectedMs = 0 }) =>
    ms >= tellingMs && expectedMs > 0 ? [ms / expectedMs] : [],
  );
  return relative.length > 0 ? median(relative) : undefined;
}

/**
 * The ranks' speeds relative to their mean: of each the median over the latest jobs, which all of them ran, so that neither
 * the text nor a first run that compiles counts. Undefined where they have not run enough of them together.
 */
export function speedsFrom(paces: readonly (readonly Pace[])[]): readonly number[] | undefined {
  const jobs = Math.min(...paces.map(({ length }) => length));
  const measured = Array.from({ length: jobs }, (_, k) => paces.map((own) => own[own.length - 1 - k])).filter(
    tellsSpeeds,
  );
  if (measured.length < fewestJobs) return undefined;
  const relative = measured.map(relativeSpeeds);
  return paces.map((_, rank) => median(relative.map((speeds) => speeds[rank])));
}

/** What another rank has sent of its own: pairs of nodes and milliseconds. */
export function parsePaces(value: Value): readonly Pace[] {
  const numbers = Array.isArray(value) && value.length <= 2 * keptJobs ? value.map(Number) : [];
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, k) => ({
    nodes: numbers[2 * k],
    ms: numbers[2 * k + 1],
  }));
}

const tellsSpeeds = (paces: readonly Pace[]): boolean =>
  paces.every(({ nodes, ms }) => nodes > 0 && ms > 0) && paces.some(({ ms }) => ms >= shortestMs);

function relativeSpeeds(paces: readonly Pace[]): readonly number[] {
  const speeds = paces.map(({ nodes, ms }) => nodes / ms);
  const mean = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  return speeds.map((speed) => speed / mean);
}

function median(numbers: readonly number[]): number {
  const inOrder = numbers.toSorted((a, b) => a - b);
  const middle = (inOrder.length - 1) / 2;
  return (inOrder[Math.floor(middle)] + inOrder[Math.ceil(middle)]) / 2;
}
