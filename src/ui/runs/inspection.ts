import type { PlainError } from "../../core/errors.ts";
import type { Comparison, ComparisonRow, DataSetSummary, RunSummary } from "../../engine/api.ts";

/** The subject of the inspection: a text on a data set. */
export interface Subject {
  readonly text: string;
  readonly dataSet: DataSetSummary | undefined;
}

/** What is known about a subject. */
export interface Inspection {
  readonly subject: Subject;
  readonly busy: "run" | "compare" | undefined;
  readonly error: PlainError | undefined;
  /** The last single run. */
  readonly lastRun: RunSummary | undefined;
  /** The finished rows of the last comparison. */
  readonly rows: readonly ComparisonRow[];
  /** How the comparison ended; undefined before. */
  readonly comparison: Comparison | undefined;
}

export type InspectionEvent =
  | { readonly kind: "began"; readonly work: "run" | "compare" }
  | { readonly kind: "ran"; readonly run: RunSummary }
  | { readonly kind: "row"; readonly row: ComparisonRow }
  | { readonly kind: "compared"; readonly comparison: Comparison }
  | { readonly kind: "failed"; readonly error: PlainError };

export function nothingKnown(subject: Subject): Inspection {
  return { subject, busy: undefined, error: undefined, lastRun: undefined, rows: [], comparison: undefined };
}

/** What is known after another event about `subject`; facts about another subject are dropped. */
export function afterEvent(former: Inspection, subject: Subject, event: InspectionEvent): Inspection {
  const known = of(former, subject);
  switch (event.kind) {
    case "began":
      return {
        ...known,
        busy: event.work,
        error: undefined,
        ...(event.work === "compare" ? { rows: [], comparison: undefined } : {}),
      };
    case "ran":
      return { ...known, busy: undefined, lastRun: event.run };
    case "row":
      return { ...known, rows: [...known.rows, event.row] };
    case "compared":
      return { ...known, busy: undefined, comparison: event.comparison };
    case "failed":
      return { ...known, busy: undefined, error: event.error };
  }
}

/** What is known about this subject. */
export function of(inspection: Inspection, subject: Subject): Inspection {
  const { text, dataSet } = inspection.subject;
  return text === subject.text && dataSet === subject.dataSet ? inspection : nothingKnown(subject);
}

/** A run whose kernels can be read, with its label in the menu. */
export interface NamedRun {
  readonly name: string;
  readonly run: RunSummary;
}

/** The runs of a subject, the computation first. */
export function runsOf(computed: RunSummary | undefined, { lastRun, rows }: Inspection): NamedRun[] {
  const compared = rows.flatMap((row) => (row.kind === "run" ? [{ name: row.strategy, run: row.run }] : []));
  return [
    ...(computed ? [{ name: "Computed", run: computed }] : []),
    ...(lastRun ? [{ name: `Run by ${lastRun.strategy}`, run: lastRun }] : []),
    ...compared.map(({ name, run }) => ({ name: `Compared: ${name}`, run })),
  ];
}

const unmeasured: RunSummary["nodes"] = [];

/** The last staged run's measurements of each value. */
export function measuredNodes({ lastRun, rows }: Inspection): RunSummary["nodes"] {
  if (lastRun && lastRun.nodes.length > 0) return lastRun.nodes;
  for (const row of rows) if (row.kind === "run" && row.run.nodes.length > 0) return row.run.nodes;
  return unmeasured;
}
