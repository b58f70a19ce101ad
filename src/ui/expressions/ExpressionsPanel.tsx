import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { IconButton } from "../controls/IconButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { Notes } from "../controls/Notes.tsx";
import { RunLine } from "../runs/RunLine.tsx";
import { StrategyMenu } from "../runs/StrategyMenu.tsx";
import { useInspector } from "../runs/use-inspector.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { loadCode } from "../store/load-code.ts";
import { isOnRanks } from "../store/view-source.ts";
import { DerivedList } from "./DerivedList.tsx";
import { Editor } from "./Editor.tsx";
import styles from "./ExpressionsPanel.module.css";
import type { examplesFor } from "./examples.ts";
import { TextMenu } from "./TextMenu.tsx";

const shortcut = navigator.platform.startsWith("Mac") ? "⌘ Enter" : "Ctrl + Enter";

export function ExpressionsPanel() {
  const { expressions, notLoaded } = useSession();
  const dataSet = useApp(({ data }) => data.dataSet);
  const history = useApp(({ expressions }) => expressions.history);
  const error = useApp(({ expressions }) => expressions.error);
  const notes = useApp(({ expressions }) => expressions.notes);
  const computed = useApp(({ expressions }) => expressions.computed);
  // Ranks that have the values choose for themselves.
  const hasStrategies = useApp(
    ({ device, data }) => device.summary?.kind === "gpu" && !isOnRanks(data.source),
  );
  const { inspector, inspect } = useInspector();
  const [findExamples, setFindExamples] = useState<typeof examplesFor>();
  const examples = useMemo(
    () => (dataSet && findExamples ? findExamples(dataSet) : []),
    [dataSet, findExamples],
  );
  const loadExamples = (): void => {
    if (findExamples) return;
    loadCode(() => import("./examples.ts")).then(
      ({ examplesFor }) => setFindExamples(() => examplesFor),
      () => notLoaded("The examples", loadExamples),
    );
  };
  return (
    <>
      <div>
        <Editor />
        {error && (
          <p className={styles.error}>
            {error.problem} {error.remedy}
          </p>
        )}
      </div>
      <div className={styles.bar}>
        <Button
          size="xs"
          className={hasStrategies ? styles.half : undefined}
          leftSection={<Icon name="play" size={14} />}
          disabled={!dataSet}
          title={shortcut}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => void expressions.compute()}
        >
          Compute
        </Button>
        {hasStrategies && <StrategyMenu disabled={!dataSet} />}
        <IconButton label="Inspect how it runs" icon="network" size={28} onClick={inspect} />
        <span className={styles.space} />
        <TextMenu
          name="Examples"
          empty={dataSet ? "Loading…" : "Open a data set to see examples."}
          entries={examples}
          onOpen={loadExamples}
          onChoose={expressions.setText}
        />
        <TextMenu
          name="History"
          empty="Expressions you compute are listed here."
          entries={history.map((text) => ({ title: text, text }))}
          onChoose={expressions.setText}
          isCode
        />
      </div>
      {computed && computed.dataSet === dataSet && <RunLine run={computed.run} onInspect={inspect} />}
      <Notes notes={notes} />
      <DerivedList />
      {inspector}
    </>
  );
}
