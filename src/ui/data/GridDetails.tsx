import { useState } from "react";
import type { GridSummary } from "../../engine/api.ts";
import { FactList } from "../controls/FactList.tsx";
import { Icon } from "../controls/icons.tsx";
import { useSession } from "../session-context.tsx";
import styles from "./GridDetails.module.css";
import { gridFacts } from "./grid-facts.ts";

/** A grid in one line, which unfolds the rest of what is known of it. */
export function GridDetails({ grid }: { grid: GridSummary }) {
  const { isRoomy } = useSession();
  const [isOpen, setOpen] = useState(isRoomy);
  const [[name, value], ...facts] = gridFacts(grid);
  return (
    <details
      className={styles.details}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={styles.summary}>
        <span className={styles.name}>{name}</span>
        <span className={styles.value}>{value}</span>
        <Icon name="chevron" size={14} />
      </summary>
      <FactList facts={facts} />
    </details>
  );
}
