import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import type { PlainError } from "../../core/errors.ts";
import type { NetworkSummary } from "../../engine/api.ts";
import { CopyButton } from "../controls/CopyButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { toPlainError } from "../store/plain-error.ts";
import shared from "./Inspector.module.css";
import { measuredNodes } from "./inspection.ts";
import { NetworkDrawing } from "./NetworkDrawing.tsx";
import styles from "./NetworkView.module.css";
import type { InspectionDeeds } from "./use-inspection.ts";

/** The dataflow network of the text, with what the last staged run has measured of each value. */
export function NetworkView({ deeds: { known, run } }: { deeds: InspectionDeeds }) {
  const { engine } = useSession();
  const { text, dataSet } = known.subject;
  const derived = useApp(({ data }) => data.derived);
  const measured = measuredNodes(known);
  const [network, setNetwork] = useState<NetworkSummary>();
  const [error, setError] = useState<PlainError>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the data set's fields and the derived ones are what names mean
  useEffect(() => {
    let isGone = false;
    engine.network(text, measured).then(
      (found) => {
        if (isGone) return;
        setNetwork(found);
        setError(undefined);
      },
      (thrown: unknown) => {
        if (!isGone) setError(toPlainError(thrown));
      },
    );
    return () => {
      isGone = true;
    };
  }, [engine, text, measured, dataSet, derived]);

  if (error) {
    return (
      <p className={styles.error}>
        {error.problem} {error.remedy}
      </p>
    );
  }
  return (
    <>
      <div className={shared.controls}>
        <Button
          size="xs"
          leftSection={<Icon name="play" size={14} />}
          disabled={known.busy !== undefined}
          onClick={() => run("staged")}
        >
          Measure each node
        </Button>
        <CopyButton label="Copy as DOT" text={network?.dot ?? ""} />
        <CopyButton label="Copy as script" text={network?.script ?? ""} />
        <p className={shared.aside}>
          {measured.length > 0
            ? "Bytes and GPU time of each value, by the last staged run; the bar in a box is its share of the longest time."
            : "A staged run, one kernel a filter, measures the bytes and the time of each value."}
        </p>
      </div>
      {network && <NetworkDrawing layout={network.layout} />}
    </>
  );
}
