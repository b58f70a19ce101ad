import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import type { PlainError } from "../../core/errors.ts";
import { formatCount } from "../../core/format.ts";
import type { NetworkSummary } from "../../engine/api.ts";
import { CopyButton } from "../controls/CopyButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { toPlainError } from "../store/plain-error.ts";
import shared from "./Inspector.module.css";
import { measuredNodes } from "./inspection.ts";
import { NetworkDrawing } from "./NetworkDrawing.tsx";
import styles from "./NetworkView.module.css";
import type { InspectionActions } from "./use-inspection.ts";

interface Props {
  readonly actions: InspectionActions;
  /** Whether this page has the values, and a GPU for a staged run. */
  readonly canMeasure: boolean;
}

/** The dataflow network of the text, with the last staged run's measurements of each value. */
export function NetworkView({ actions: { known, run }, canMeasure }: Props) {
  const { engine } = useSession();
  const { text, dataSet } = known.subject;
  const derived = useApp(({ data }) => data.derived);
  const quantities = useApp(({ data }) => data.quantities);
  const measured = measuredNodes(known);
  const [network, setNetwork] = useState<NetworkSummary>();
  const [error, setError] = useState<PlainError>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the data set's fields and all results are what names mean
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
  }, [engine, text, measured, dataSet, derived, quantities]);

  if (error) {
    return (
      <p className={styles.error}>
        {error.problem} {error.remedy}
      </p>
    );
  }
  return (
    <>
      <div className={shared.controls} data-unlabelled>
        {canMeasure && (
          <Button
            size="xs"
            leftSection={<Icon name="play" size={14} />}
            disabled={known.busy !== undefined}
            onClick={() => run({ strategy: "staged" })}
          >
            Measure each node
          </Button>
        )}
        <CopyButton label="Copy as DOT" text={network?.dot ?? ""} />
        <CopyButton label="Copy as script" text={network?.script ?? ""} />
        {canMeasure && (
          <p className={shared.aside}>
            {measured.length > 0
              ? "Bytes and GPU time from the last staged run; bars compare the times."
              : "A staged run measures the bytes and the GPU time of each filter."}
          </p>
        )}
      </div>
      {network?.layout && <NetworkDrawing layout={network.layout} />}
      {network && !network.layout && (
        <p className={shared.note}>
          The network has {formatCount(network.nodes)} nodes, too many to draw here. Copy it as DOT to view it
          in another program.
        </p>
      )}
    </>
  );
}
