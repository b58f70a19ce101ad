import { useCallback, useMemo, useState } from "react";
import type { ComparisonRow, RunRequest } from "../../engine/api.ts";
import { useApp, useSession } from "../session-context.tsx";
import { toPlainError } from "../store/plain-error.ts";
import {
  afterEvent,
  type Inspection,
  type InspectionEvent,
  nothingKnown,
  of,
  type Subject,
} from "./inspection.ts";

export interface InspectionActions {
  readonly known: Inspection;
  run(request: RunRequest): void;
  /** Runs every strategy within `budget` bytes. */
  compare(budget: number | undefined): void;
}

/** What is known about the editor's text on the open data set, and the actions that measure more. */
export function useInspection(): InspectionActions {
  const { engine } = useSession();
  const text = useApp(({ expressions }) => expressions.text);
  const dataSet = useApp(({ data }) => data.dataSet);
  const subject = useMemo((): Subject => ({ text, dataSet }), [text, dataSet]);
  const [known, setKnown] = useState(() => nothingKnown(subject));

  const begin = useCallback(
    (work: "run" | "compare", todo: (tell: (event: InspectionEvent) => void) => Promise<InspectionEvent>) => {
      const tell = (event: InspectionEvent) => setKnown((former) => afterEvent(former, subject, event));
      tell({ kind: "began", work });
      void todo(tell)
        .catch((error: unknown) => ({ kind: "failed", error: toPlainError(error) }) as const)
        .then(tell);
    },
    [subject],
  );
  const run = useCallback(
    (request: RunRequest) =>
      begin("run", async () => ({ kind: "ran", run: await engine.run(text, request) })),
    [begin, engine, text],
  );
  const compare = useCallback(
    (budget: number | undefined) =>
      begin("compare", async (tell) => {
        const hear = (row: ComparisonRow) => tell({ kind: "row", row });
        return { kind: "compared", comparison: await engine.compare(text, budget, hear) };
      }),
    [begin, engine, text],
  );
  return { known: of(known, subject), run, compare };
}
