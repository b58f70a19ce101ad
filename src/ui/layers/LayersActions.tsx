import { Menu } from "@mantine/core";
import { kindTitles } from "../../engine/layers/titles.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { kindsFor } from "../store/layers/kinds-for.ts";
import styles from "./LayersActions.module.css";
import { layerIcons } from "./layer-icons.ts";

/** The buttons beside the section's title: undo, redo, and the menu of new layers. */
export function LayersActions() {
  const { layers, history } = useSession();
  const undone = useApp(({ history }) => history.past.at(-1)?.action.name);
  const redone = useApp(({ history }) => history.future.at(-1)?.action.name);
  const kinds = useApp(({ data }) => kindsFor(data.dataSet));
  const draws = useApp(({ device, data }) => device.summary?.kind === "gpu" && data.dataSet !== undefined);
  return (
    <div className={styles.actions}>
      <IconButton
        label={undone ? `Undo ${undone} (Ctrl+Z)` : "Undo"}
        icon="undo"
        size={26}
        disabled={undone === undefined}
        onClick={() => void history.undo()}
      />
      <IconButton
        label={redone ? `Redo ${redone} (Ctrl+Shift+Z)` : "Redo"}
        icon="redo"
        size={26}
        disabled={redone === undefined}
        onClick={() => void history.redo()}
      />
      <Menu position="bottom-end" withInitialFocusPlaceholder={false} disabled={!draws}>
        <Menu.Target>
          <IconButton data-adds-layers label="Add layer" icon="plus" size={26} disabled={!draws} />
        </Menu.Target>
        <Menu.Dropdown>
          {kinds.map((kind) => (
            <Menu.Item
              key={kind}
              leftSection={<Icon name={layerIcons[kind]} />}
              onClick={() => void layers.add(kind)}
            >
              {kindTitles[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
