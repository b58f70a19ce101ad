import { swirlingFlow, uniformGrid } from "../../src/bench/cases/fields.ts";
import type { DataSet } from "../../src/core/field.ts";
import { noJob } from "../../src/core/job.ts";
import { compile } from "../../src/lang/expression/compile.ts";
import { evaluateOnCpu } from "../../src/lang/expression/execute/cpu/evaluate.ts";
import type { CpuWorkers } from "../../src/lang/expression/execute/cpu/workers.ts";
import { qCriterion, velocityMagnitude, vorticityMagnitude } from "../../src/lang/expression/listings.ts";
import { interpret } from "./interpreter.ts";

/** One expression on one grid: medians of `runs` runs, in milliseconds. */
export interface CpuComparison {
  readonly expression: string;
  readonly points: number;
  /** By the plain interpreter. */
  readonly plain: number;
  /** By the CPU backend, on the caller's thread alone. */
  readonly single: number;
  /** With the workers' help. */
  readonly shared: number;
  readonly threads: number;
  /** Whether all gave the same bits. */
  readonly isEqual: boolean;
}

/** Of a vector field v, and of its components u, v and w as seed 001 writes them. */
const expressions = [
  { name: "magnitude(v)", text: "result = magnitude(v)", isSplit: false },
  { name: "magnitude(curl(v))", text: "result = magnitude(curl(v))", isSplit: false },
  { name: "q_criterion(v)", text: "result = q_criterion(v)", isSplit: false },
  { name: "velocity magnitude, listing A", text: velocityMagnitude, isSplit: true },
  { name: "vorticity magnitude, listing B", text: vorticityMagnitude, isSplit: true },
  { name: "Q-criterion, listing C", text: qCriterion, isSplit: true },
] as const;

/** A swirling flow over edge³ points, whole or as three scalars. */
function flow(edge: number, isSplit: boolean): DataSet {
  const grid = uniformGrid([edge, edge, edge], 0, 2 * Math.PI);
  const whole = swirlingFlow(grid);
  const values = whole.data as Float32Array;
  const part = (c: number) => Float32Array.from({ length: edge ** 3 }, (_, i) => values[3 * i + c]);
  const fields = isSplit
    ? ["u", "v", "w"].map((name, c) => ({ ...whole, name, components: 1, data: part(c) }))
    : [whole];
  return { name: "flow", grid, fields, notes: [] };
}

function programOf(text: string, isSplit: boolean, edge: number) {
  const dataSet = flow(edge, isSplit);
  const network = compile(text, dataSet.fields);
  return { dataSet, network, output: network.outputs[network.outputs.length - 1].name };
}

/** All expressions before any is timed: closures that have only ever served one are compiled into that one. */
async function warmUp(): Promise<void> {
  for (const { text, isSplit } of expressions) {
    const { dataSet, network, output } = programOf(text, isSplit, 24);
    interpret(network, dataSet, output);
    await evaluateOnCpu(network, dataSet, [output], noJob);
  }
}

/** Runs the plain interpreter and the backend in turn, and hands over each comparison as it comes. */
export async function* compareOnCpu(
  edges: readonly number[],
  runs: number,
  workers: CpuWorkers,
): AsyncGenerator<CpuComparison> {
  await warmUp();
  for (const edge of edges) {
    for (const { name: expression, text, isSplit } of expressions) {
      const { dataSet, network, output } = programOf(text, isSplit, edge);
      let threads = 1;
      const plainly = async () => interpret(network, dataSet, output);
      const alone = () => evaluateOnCpu(network, dataSet, [output], noJob);
      const together = async () => {
        const evaluation = await evaluateOnCpu(network, dataSet, [output], noJob, workers);
        threads = evaluation.threads;
        return evaluation;
      };
      const expected = await plainly();
      const got = [await alone(), await together()].map(
        ({ fields }) => fields.get(output)?.data as Float32Array,
      );
      const isEqual = got.every((values) => expected.every((value, i) => value === values[i]));
      const [plain, single, shared]: number[][] = [[], [], []];
      for (let run = 0; run < runs; run++) {
        plain.push(await timed(plainly));
        single.push(await timed(alone));
        shared.push(await timed(together));
      }
      yield {
        expression,
        points: edge ** 3,
        plain: median(plain),
        single: median(single),
        shared: median(shared),
        threads,
        isEqual,
      };
    }
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];
