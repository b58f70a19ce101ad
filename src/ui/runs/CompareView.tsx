import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { CopyButton } from "../controls/CopyButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { parseNumber } from "../controls/numbers.ts";
import { CompareTable } from "./CompareTable.tsx";
import { comparisonTable } from "./counters.ts";
import shared from "./Inspector.module.css";
import type { InspectionDeeds } from "./use-inspection.ts";

const mebibyte = 2 ** 20;

/** Runs the text by every strategy on the open data, and draws what each takes. */
export function CompareView({ deeds: { known, compare } }: { deeds: InspectionDeeds }) {
  const [limit, setLimit] = useState("");
  const { rows, comparison, busy } = known;
  const mebibytes = parseNumber(limit);
  const isUnlimited = limit.trim() === "";
  const isLimit = mebibytes !== undefined && mebibytes > 0;
  return (
    <>
      <div className={shared.controls}>
        <TextInput
          label="Memory limit, MiB"
          size="xs"
          w={140}
          inputMode="decimal"
          autoComplete="off"
          placeholder="none"
          value={limit}
          error={!isUnlimited && !isLimit}
          disabled={busy !== undefined}
          onChange={({ currentTarget }) => setLimit(currentTarget.value)}
        />
        <Button
          size="xs"
          leftSection={<Icon name="play" size={14} />}
          disabled={busy !== undefined || !(isUnlimited || isLimit)}
          onClick={() => compare(isLimit ? mebibytes * mebibyte : undefined)}
        >
          Compare strategies
        </Button>
        <CopyButton label="Copy as a table" text={rows.length > 0 ? comparisonTable(rows) : ""} />
      </div>
      {rows.length > 0 ? (
        <CompareTable rows={rows} chosen={comparison?.chosen?.strategy} />
      ) : (
        <p className={shared.note}>
          Runs the expression by fusion, staged, streamed and roundtrip, each from host memory to host memory,
          and compares their time, memory and values. A limit shows which of them a smaller GPU could hold.
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
