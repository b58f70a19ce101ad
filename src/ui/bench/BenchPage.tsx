import { Alert, Button, NativeSelect, Progress } from "@mantine/core";
import { useState } from "react";
import type { BenchGroup } from "../../bench/api.ts";
import { formatTable } from "../../bench/report.ts";
import { formatCount, formatMilliseconds } from "../../core/format.ts";
import { CopyButton } from "../controls/CopyButton.tsx";
import { FullPage } from "../controls/FullPage.tsx";
import { Icon } from "../controls/icons.tsx";
import styles from "./BenchPage.module.css";
import { BenchTable } from "./BenchTable.tsx";
import { plainName } from "./plain-name.ts";
import { type BenchState, useBench } from "./use-bench.ts";

const sizes = [
  { value: "", label: "Automatic" },
  ...[16, 18, 20, 22, 24, 26, 28].map((power) => ({
    value: String(2 ** power),
    label: (2 ** power).toLocaleString("en-US"),
  })),
];

const groups: readonly { readonly value: BenchGroup; readonly label: string }[] = [
  { value: "all", label: "All" },
  { value: "elements", label: "Moves and compaction" },
  { value: "scans", label: "Scans and reductions" },
  { value: "searches", label: "Searches, merges, histograms" },
  { value: "sorts", label: "Sorts" },
  { value: "short", label: "Short vectors" },
];

/** Measures the data-parallel primitives on the visitor's GPU and compares their rates with that of a copy. */
export default function BenchPage({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { state, run, cancel } = useBench();
  const [size, setSize] = useState("");
  const [group, setGroup] = useState<BenchGroup>("all");
  const rows = state.lines.flatMap((line) => (line.kind === "row" ? [line.row] : []));
  const shaders = shaderSentence(state);
  return (
    <FullPage title="Bench" opened={opened} onClose={onClose}>
      <p className={styles.intro}>
        How fast this browser and GPU run the data-parallel primitives. Rates count the minimum bytes moved,
        and are compared with the rate of a plain copy in the same run.
      </p>
      <div className={styles.controls}>
        <NativeSelect
          label="Cases"
          size="xs"
          data={groups}
          value={group}
          disabled={state.isRunning}
          onChange={({ currentTarget }) => setGroup(currentTarget.value as BenchGroup)}
        />
        <NativeSelect
          label="Elements"
          size="xs"
          data={sizes}
          value={size}
          disabled={state.isRunning}
          onChange={({ currentTarget }) => setSize(currentTarget.value)}
        />
        {state.isRunning ? (
          <Button size="xs" variant="default" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <Button
            size="xs"
            leftSection={<Icon name="play" size={14} />}
            onClick={() => run({ n: size === "" ? undefined : Number(size), group })}
          >
            {rows.length > 0 ? "Run again" : "Run"}
          </Button>
        )}
        <CopyButton
          label="Copy as table"
          text={rows.length > 0 ? `${state.machine}\n${shaders ?? ""}\n\n${formatTable(rows)}\n` : ""}
        />
        <p className={styles.machine} role="status">
          {sentence(state)}
        </p>
      </div>
      <Progress
        value={state.total > 0 ? (100 * state.lines.length) / state.total : 0}
        size="sm"
        aria-label="Cases measured"
        className={styles.progress}
        data-hidden={!state.isRunning}
      />
      {state.error && (
        <Alert color="red" title={state.error.problem}>
          {state.error.remedy}
        </Alert>
      )}
      {state.lines.length > 0 && <BenchTable lines={state.lines} />}
      {shaders && <p className={styles.note}>{shaders}</p>}
    </FullPage>
  );
}

function sentence({ isRunning, machine, isSoftware, total, lines, current, error }: BenchState): string {
  if (error) return "";
  if (isRunning && !current) return "Opening the GPU…";
  const where = machine && `${machine}${isSoftware ? " (a software adapter: small sizes, slow)" : ""}`;
  if (isRunning && current)
    return `${current.index + 1} of ${total}: ${plainName(current.name)}, on ${where}`;
  if (total === 0) return "The open data set stays loaded and takes GPU memory from the bench.";
  const verb = lines.length < total ? "Cancelled after" : "Measured";
  return `${verb} ${lines.length} of ${total} cases on ${where}`;
}

/** How long shaders took to compile; empty before the first. */
function shaderSentence({ compiled }: BenchState): string | undefined {
  if (!compiled) return undefined;
  return `${formatCount(compiled.pipelines)} shader pipelines were compiled in ${formatMilliseconds(compiled.ms)}.`;
}
