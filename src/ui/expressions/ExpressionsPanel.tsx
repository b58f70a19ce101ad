import { Button } from "@mantine/core";
import { useMemo } from "react";
import { Icon } from "../controls/icons.tsx";
import { Notes } from "../controls/Notes.tsx";
import { InspectButton } from "../runs/InspectButton.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { DerivedList } from "./DerivedList.tsx";
import { Editor } from "./Editor.tsx";
import styles from "./ExpressionsPanel.module.css";
import { examplesFor } from "./examples.ts";
import { TextMenu } from "./TextMenu.tsx";

const shortcut = navigator.platform.startsWith("Mac") ? "⌘ Enter" : "Ctrl + Enter";

export function ExpressionsPanel() {
  const { expressions } = useSession();
  const dataSet = useApp(({ data }) => data.dataSet);
  const history = useApp(({ expressions }) => expressions.history);
  const error = useApp(({ expressions }) => expressions.error);
  const notes = useApp(({ expressions }) => expressions.notes);
  const examples = useMemo(() => examplesFor(dataSet?.fields ?? []), [dataSet]);
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
          leftSection={<Icon name="play" size={14} />}
          disabled={!dataSet}
          title={shortcut}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => void expressions.compute()}
        >
          Compute
        </Button>
        <InspectButton />
        <span className={styles.space} />
        <TextMenu
          name="Examples"
          empty="Examples appear with a data set."
          entries={examples}
          onChoose={expressions.setText}
        />
        <TextMenu
          name="History"
          empty="What you compute is listed here."
          entries={history.map((text) => ({ title: text, text }))}
          onChoose={expressions.setText}
          isCode
        />
      </div>
      <Notes notes={notes} />
      <DerivedList />
    </>
  );
}
