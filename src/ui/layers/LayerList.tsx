import { useApp } from "../session-context.tsx";
import { LayerItem } from "./LayerItem.tsx";
import styles from "./LayerList.module.css";

/** The list of layers, topmost first. */
export function LayerList() {
  const layers = useApp(({ layers }) => layers.list);
  const selected = useApp(({ layers }) => layers.selected);
  if (layers.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Layers">
      {layers.toReversed().map((layer) => (
        <LayerItem
          key={layer.id}
          layer={layer}
          isSelected={layer.id === selected}
          place={layers.indexOf(layer)}
          count={layers.length}
        />
      ))}
    </ul>
  );
}
