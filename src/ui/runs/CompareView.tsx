import { Button } from "@mantine/core";
import { useState } from "react";
import { CopyButton } from "../controls/CopyButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp } from "../session-context.tsx";
import { CompareTable } from "./CompareTable.tsx";
import { comparisonTable } from "./counters.ts";
import shared from "./Inspector.module.css";
import { MemoryLimitField } from "./MemoryLimitField.tsx";
import { readLimit, writeLimit } from "./memory-limit.ts";
import type { InspectionActions } from "./use-inspection.ts";

/** Runs the text by every strategy on the open data, and shows the cost of each. */
export function CompareView({ actions: { known, compare } }: { actions: InspectionActions }) {
  const budget = useApp(({ expressions }) => expressions.request.budget);
  const [limit, setLimit] = useState(() => writeLimit(budget));
  const { rows, comparison, busy } = known;
  const read = readLimit(limit);
  return (
    <>
      <div className={shared.controls}>
        <MemoryLimitField text={limit} disabled={busy !== undefined} onText={setLimit} />
        <Button
          size="xs"
          leftSection={<Icon name="play" size={14} />}
          disabled={busy !== undefined || read.kind === "unreadable"}
          onClick={() => compare(read.kind === "bytes" ? read.bytes : undefined)}
        >
          Compare strategies
        </Button>
        <CopyButton label="Copy as table" text={rows.length > 0 ? comparisonTable(rows) : ""} />
      </div>
      {rows.length > 0 ? (
        <CompareTable rows={rows} chosen={comparison?.chosen?.strategy} />
      ) : (
        <p className={shared.note}>
          Runs the expression with the strategies fusion, staged, streamed and roundtrip, each from host
          memory to host memory, and compares their time, memory and values. Set a limit to see which of them
          would fit on a smaller GPU.
        </p>
      )}
      {comparison && (
        <p className={shared.note}>
          <strong>Automatic choice:</strong>{" "}
          {comparison.chosen ? comparison.chosen.reason : "no strategy fits within the limit"}.
        </p>
      )}
    </>
  );
}
