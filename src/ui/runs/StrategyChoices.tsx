import { useEffect, useId, useRef, useState } from "react";
import type { RunRequest } from "../../engine/api.ts";
import { useSession } from "../session-context.tsx";
import { MemoryLimitField } from "./MemoryLimitField.tsx";
import { readLimit, writeLimit } from "./memory-limit.ts";
import styles from "./StrategyMenu.module.css";
import { strategies } from "./strategies.ts";

interface Props {
  readonly request: RunRequest;
  readonly onDone: () => void;
}

/** What the menu of strategies offers. The chosen one has the focus when it appears. */
export default function StrategyChoices({ request: { strategy, budget }, onDone }: Props) {
  const { expressions } = useSession();
  const [limit, setLimit] = useState(() => writeLimit(budget));
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.querySelector<HTMLInputElement>(":checked")?.focus(), []);
  const changeLimit = (text: string): void => {
    setLimit(text);
    const read = readLimit(text);
    if (read.kind !== "unreadable") {
      expressions.setRequest({ strategy, ...(read.kind === "bytes" ? { budget: read.bytes } : {}) });
    }
  };
  return (
    <>
      <div ref={group} role="radiogroup" aria-label="Strategy">
        {strategies.map(({ value, label, about }) => (
          <label key={value} className={styles.option}>
            <input
              type="radio"
              name={id}
              className={styles.radio}
              aria-label={label}
              aria-describedby={`${id}-${value}`}
              checked={value === strategy}
              onChange={() =>
                expressions.setRequest({ strategy: value, ...(budget === undefined ? {} : { budget }) })
              }
            />
            <span>{label}</span>
            <span id={`${id}-${value}`} className={styles.about}>
              {about}
            </span>
          </label>
        ))}
      </div>
      <div className={styles.limit}>
        <MemoryLimitField text={limit} onText={changeLimit} onEnter={onDone} />
        <p className={styles.about}>GPU memory that the computation may hold</p>
      </div>
    </>
  );
}
