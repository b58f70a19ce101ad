import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { communicatorOf } from "../../cluster/communicator/group-communicator.ts";
import { makeRoom } from "../../cluster/membership/testing/room.ts";
import { noJob } from "../../core/job.ts";
import { pointsOf } from "../../core/kd-tree/testing/points.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { watchOperations } from "./testing/operations.ts";
import { isosurfaceOf } from "./testing/ranked-surfaces.ts";
import {
  type Answer,
  fieldTask,
  latticeTask,
  neighborsTask,
  roomFor,
  statisticsTask,
  surfaceTask,
  type Task,
} from "./testing/recovery-tasks.ts";
import { simulateTime } from "./testing/simulated-time.ts";

const isSweep = process.env.CRINKLE_SWEEP === "1";
const size = 3;

const grid = randomGrid([5, 4, 7], 4);
const flow = dataSetOf(
  grid,
  sampledField(grid, "u", "node", (x, y, z) => [Math.sin(9 * z) + y, x * y, Math.cos(7 * x) - z]),
);
const speed = isosurfaceOf("magnitude(u)", 0.9);
const positions = Float64Array.from(pointsOf("on a lattice, many equal", 16, 3));
const points = { name: "points", dimensions: 3, positions, columns: [], notes: [] } as const;

const tasks: readonly Task[] = [
  statisticsTask(flow, "q = q_criterion(u) + max(u[0])"),
  fieldTask(flow, "q = q_criterion(u)"),
  surfaceTask(flow, { shape: speed, colorBy: "q_criterion(u)" }),
  surfaceTask(flow, { shape: speed, form: "distributed" }),
  neighborsTask(points, { k: 5 }),
  latticeTask(flow, {
    model: "ising",
    size: [8, 12],
    sweeps: 6,
    seed: 2,
    parameters: {},
    start: "random",
    discard: 1,
    index: null,
    structureEvery: 3,
  }),
];

const ends: (() => void)[] = [];

beforeAll(() => {
  ends.push(
    simulateTime(),
    watchOperations(communicatorOf(makeRoom(1, { seed: 1 }).seen[0].member.epoch.world)),
  );
});

afterAll(() => {
  for (const end of ends) end();
});

/** The operations that each node begins for a task. */
async function operationsOf(task: Task): Promise<readonly string[][]> {
  const room = await roomFor(task, size, 1);
  const operations: string[][] = Array.from({ length: size }, () => []);
  room.onOperation = (node, operation) => operations[node].push(operation);
  await room.settle(task.run(room, 0));
  return operations;
}

interface Death {
  readonly victim: number;
  /** It dies as it begins the operation of this number, and name. */
  readonly at: number;
  readonly operation: string;
}

/** Each node at each of its operations; outside sweeps, some node at the first of every other name, by turns from the first or the second. */
function deathsOf(operations: readonly string[][], turn: number): readonly Death[] {
  if (isSweep) {
    return operations.flatMap((own, victim) => own.map((operation, at) => ({ victim, at, operation })));
  }
  const names = [...new Set(operations.flat())].filter((_, k) => (k + turn) % 2 === 0);
  return names.map((operation, k) => {
    const victims = operations.flatMap((own, node) => (own.includes(operation) ? [node] : []));
    const victim = victims[k % victims.length];
    return { victim, at: operations[victim].indexOf(operation), operation };
  });
}

/** What is answered where a node dies, by the host or by the one after it, and which ranks the host has heard were lost. */
async function answerAfter(task: Task, { victim, at }: Death): Promise<readonly [Answer, lost: string[]]> {
  // What the host alone can read is lost with it.
  const readers = victim > 0 && at % 2 === 1 ? "host" : "all";
  const room = await roomFor(task, size, at, readers);
  let begun = 0;
  room.onOperation = (node) => {
    if (node === victim && begun++ === at) room.kill(victim, at % 3 === 1);
  };
  const lost: string[] = [];
  const asked = task.run(room, 0, { ...noJob, restarted: (ids) => lost.push(...ids) });
  if (victim > 0) return [await room.settle(asked), lost];
  await room.outcome(asked, () => !room.isMember(0));
  await room.advance(20_000, () => room.host !== undefined);
  return [await room.settle(task.run(room, room.host ?? 0)), lost];
}

describe("a rank that dies", () => {
  it.each(tasks)(
    "in any operation of a job leaves its result as it is: $name",
    async (task) => {
      const expected = await task.alone();
      const operations = await operationsOf(task);
      for (const death of deathsOf(operations, tasks.indexOf(task))) {
        const what = `node ${death.victim} at its operation ${death.at}, ${death.operation}`;
        const [found, lost] = await answerAfter(task, death);
        expect(found.exact, what).toEqual(expected.exact);
        for (const [k, mean] of found.means.entries()) expect(mean, what).toBeCloseTo(expected.means[k], 12);
        // The host has its result while the others still wait for its next job.
        const isDone = death.victim > 0 && lost.length === 0;
        expect(found.ranks, what).toBe(isDone ? size : size - 1);
        expect(lost, what).toEqual(isDone || death.victim === 0 ? [] : [`${death.victim}`]);
        if (isDone) expect(["free", "bcast"], what).toContain(death.operation);
      }
    },
    1_800_000,
  );
});
