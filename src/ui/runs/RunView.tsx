import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { formatBytes } from "../../core/format.ts";
import type { RunSummary } from "../../engine/api.ts";
import { Icon } from "../controls/icons.tsx";
import { useApp } from "../session-context.tsx";
import { countersOf } from "./counters.ts";
import shared from "./Inspector.module.css";
import styles from "./RunView.module.css";
import { type Strategy, strategies } from "./strategies.ts";
import type { InspectionActions } from "./use-inspection.ts";

/** The cost of the text's last computation, and of a run by a chosen strategy. */
export function RunView({
  actions,
  computed,
}: {
  actions: InspectionActions;
  computed: RunSummary | undefined;
}) {
  const { known, run } = actions;
  const chosen = useApp(({ expressions }) => expressions.request);
  const [strategy, setStrategy] = useState(chosen.strategy);
  const columns = [
    ...(computed ? [{ title: "Computed", run: computed }] : []),
    ...(known.lastRun ? [{ title: "Run", run: known.lastRun }] : []),
  ];
  return (
    <>
      <div className={shared.controls}>
        <NativeSelect
          label="Strategy"
          size="xs"
          data={strategies.map(({ value, label }) => ({ value, label }))}
          value={strategy}
          disabled={known.busy !== undefined}
          onChange={({ currentTarget }) => setStrategy(currentTarget.value as Strategy)}
        />
        <Button
          size="xs"
          leftSection={<Icon name="play" size={14} />}
          disabled={known.busy !== undefined}
          onClick={() => run({ ...chosen, strategy })}
        >
          Run
        </Button>
        <p className={shared.aside}>
          A run includes upload and download, and discards its results; Compute leaves fields and results on
          the GPU where they fit. The first run includes compiling the shaders.
          {chosen.budget !== undefined &&
            ` It may hold ${formatBytes(chosen.budget)}, as set beside Compute.`}
        </p>
      </div>
      {columns.length > 0 ? (
        <RunTable columns={columns} />
      ) : (
        <p className={shared.note}>Compute the expression, or run it here, to see what it moves and holds.</p>
      )}
      {columns.map(
        ({ title, run: { reason } }) =>
          reason && (
            <p key={title} className={shared.note}>
              <strong>{title}:</strong> {reason}.
            </p>
          ),
      )}
    </>
  );
}

interface TableProps {
  readonly columns: readonly { readonly title: string; readonly run: RunSummary }[];
}

function RunTable({ columns }: TableProps) {
  const facts = columns.map(({ run }) => countersOf(run));
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Cost of a run</caption>
      <thead>
        <tr>
          <td />
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {facts[0].map(([name], row) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {columns.map(({ title }, column) => (
              <td key={title}>{facts[column][row][1]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
