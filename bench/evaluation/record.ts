import { formatBytes } from "../../src/core/format.ts";
import { drawFigure, type Figure } from "./chart.ts";
import { memoryFigure, timeFigure } from "./figures.ts";
import type { KernelMeasurement } from "./kernels.ts";
import type { Measurement } from "./measurement.ts";
import { countTable, kernelTable, memoryTables, timeTables } from "./tables.ts";

/** What an evaluation has measured so far. */
export interface EvaluationRecord {
  readonly machine: string;
  readonly date: string;
  /** Cells along x and y. */
  readonly edge: number;
  /** Runs that each measurement should have. */
  readonly runs: number;
  /** Bytes that a run may hold on the GPU; null where nothing was said. */
  readonly budget: number | null;
  readonly measurements: readonly Measurement[];
  readonly kernels: readonly KernelMeasurement[];
}

/** Whether a record's measurements may go on with another's. */
export const fits = (a: EvaluationRecord, b: EvaluationRecord): boolean =>
  a.machine === b.machine && a.edge === b.edge && a.budget === b.budget;

/** The record with one more measurement, which takes the place of a former one of the same. */
export function withMeasurement(record: EvaluationRecord, one: Measurement): EvaluationRecord {
  const isOther = ({ expression, way, cells }: Measurement) =>
    expression !== one.expression || way !== one.way || cells !== one.cells;
  return { ...record, measurements: [...record.measurements.filter(isOther), one] };
}

/** Figures by the name of their file, but those that would be empty. */
export function figuresOf({ measurements, budget }: EvaluationRecord): ReadonlyMap<string, string> {
  const figures: readonly (readonly [string, Figure])[] = [
    ["derived-time", timeFigure(measurements)],
    ["derived-memory", memoryFigure(measurements, budget ?? Number.POSITIVE_INFINITY)],
  ];
  const hasPoints = ({ panels }: Figure) =>
    panels.some(({ series }) => series.some(({ points }) => points.length > 0));
  return new Map(
    figures.flatMap(([name, figure]) => (hasPoints(figure) ? [[name, drawFigure(figure)] as const] : [])),
  );
}

/** The record as a page, with the figures beside it in `images`. */
export function pageOf(record: EvaluationRecord): string {
  const { machine, date, edge, runs, budget, measurements, kernels } = record;
  const allowed = budget === null ? "" : `, with ${formatBytes(budget)} of GPU memory allowed`;
  return `# Evaluation of derived fields

Seed: “Efficient dynamic derived field generation on many-core architectures using Python”, § IV and V: its three expressions
of cell-centred u, v and w on rectilinear sub-grids of ${edge} × ${edge} × n cells, by every strategy, by kernels written by hand for
one expression, and on the CPU. Written by \`npm run bench -- derived\` on ${machine}, ${date}${allowed}.

A time is the mean of ${runs} runs without the fastest and the slowest; if fewer fitted into the time, their number is in
brackets. It counts everything from the first byte sent to the last one received. \`streamed\` was given a quarter of the
memory that fusion holds. Hand-written kernels get and return the same arrays as fusion. Each form first ran once on a small
grid, where its values were compared with the others'; empty cells were not measured.

## Time with transfers

The seed's Figure 5.

![Time with transfers by cells](images/derived-time.svg)

Seconds:

${timeTables(measurements, runs)}

## Kernels

The computing part of these times: milliseconds of the kernels alone, repeated on arrays that stay on the GPU, as the median
of up to seven batches.

${kernelTable(kernels)}

## Memory

The seed's Figure 6: the peak of bytes in arrays on the GPU.

![Memory on the GPU by cells](images/derived-memory.svg)

${memoryTables(measurements)}

## What moves

The seed's Table II: arrays sent and received, and kernels. [Strategies](strategies.md) explains the differences.

${countTable(measurements)}
`;
}
