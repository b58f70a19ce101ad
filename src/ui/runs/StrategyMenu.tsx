import { Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId, useState } from "react";
import { formatBytes } from "../../core/format.ts";
import type { RunRequest } from "../../engine/api.ts";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { MemoryLimitField } from "./MemoryLimitField.tsx";
import { readLimit, writeLimit } from "./memory-limit.ts";
import styles from "./StrategyMenu.module.css";
import { labelOf, strategies } from "./strategies.ts";

/** The menu beside the Compute button: the GPU's strategy and the limit of its memory. */
export function StrategyMenu({ disabled }: { disabled: boolean }) {
  const request = useApp(({ expressions }) => expressions.request);
  const [opened, { toggle, close }] = useDisclosure(false);
  const name = `Strategy: ${requestWords(request)}`;
  return (
    <Popover
      opened={opened}
      onChange={close}
      position="bottom-start"
      width={340}
      middlewares={{ flip: { crossAxis: false }, shift: true }}
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <button
          type="button"
          className={styles.half}
          aria-label={name}
          title={name}
          disabled={disabled}
          data-chosen={request.strategy !== "auto" || request.budget !== undefined || undefined}
          onClick={toggle}
        >
          <Icon name="chevron" size={14} />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Strategy" p={6} className={styles.menu}>
        <Choices request={request} onDone={close} />
      </Popover.Dropdown>
    </Popover>
  );
}

function requestWords({ strategy, budget }: RunRequest): string {
  const limit = budget === undefined ? "" : `, at most ${formatBytes(budget)}`;
  return `${labelOf(strategy)}${limit}`;
}

function Choices({ request: { strategy, budget }, onDone }: { request: RunRequest; onDone: () => void }) {
  const { expressions } = useSession();
  const [limit, setLimit] = useState(() => writeLimit(budget));
  const id = useId();
  const changeLimit = (text: string): void => {
    setLimit(text);
    const read = readLimit(text);
    if (read.kind !== "unreadable") {
      expressions.setRequest({ strategy, ...(read.kind === "bytes" ? { budget: read.bytes } : {}) });
    }
  };
  return (
    <>
      <div role="radiogroup" aria-label="Strategy">
        {strategies.map(({ value, label, about }) => (
          <label key={value} className={styles.option}>
            <input
              type="radio"
              name={id}
              className={styles.radio}
              aria-label={label}
              aria-describedby={`${id}-${value}`}
              checked={value === strategy}
              data-autofocus={value === strategy || undefined}
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
