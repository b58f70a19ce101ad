import { useState } from "react";
import { FactList } from "../controls/FactList.tsx";
import { Icon } from "../controls/icons.tsx";
import { useSession } from "../session-context.tsx";
import styles from "./Details.module.css";
import type { Fact } from "./grid-facts.ts";

/** A grid or a point set in one line, which unfolds its details. */
export function Details({ facts: [[name, value], ...facts] }: { facts: readonly [Fact, ...Fact[]] }) {
  const { isRoomy } = useSession();
  const [isOpen, setOpen] = useState(isRoomy);
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
