import { Button } from "@mantine/core";
import { useShallow } from "zustand/react/shallow";
import { clickOpenButton } from "../app/OpenButton.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { firstChoice } from "../store/defaults.ts";
import { allFields } from "../store/select.ts";
import type { Session } from "../store/session.ts";
import styles from "./StageMessage.module.css";
import { type StageText, stageText } from "./stage-message.ts";

type Action = NonNullable<StageText["action"]>;

const labels: Record<Action, string> = {
  open: "Choose a file",
  show: "Show a surface",
  resetIsovalue: "Choose an isovalue inside",
  reload: "Reload the page",
};

/** A sentence in the middle of an empty picture that says why it is empty. */
export function StageMessage() {
  const session = useSession();
  const text = useApp(useShallow(stageText));
  if (!text) return null;
  const { sentence, detail, action } = text;
  return (
    <div className={styles.message}>
      <p className={styles.sentence}>{sentence}</p>
      {detail && <p className={styles.detail}>{detail}</p>}
      {action && (
        <Button size="xs" variant="default" onClick={() => act(session, action)}>
          {labels[action]}
        </Button>
      )}
    </div>
  );
}

function act({ store, layers }: Session, action: Action): void {
  switch (action) {
    case "open":
      clickOpenButton();
      break;
    case "show": {
      const choice = firstChoice(allFields(store.getState()));
      if (choice) void layers.showField(choice.expression);
      break;
    }
    case "resetIsovalue": {
      const { selected } = store.getState().layers;
      if (selected) layers.resetIsovalue(selected);
      break;
    }
    case "reload":
      window.location.reload();
  }
}
