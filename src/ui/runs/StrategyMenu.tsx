import { Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { formatBytes } from "../../core/format.ts";
import type { RunRequest } from "../../engine/api.ts";
import { Icon } from "../controls/icons.tsx";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { useApp } from "../session-context.tsx";
import styles from "./StrategyMenu.module.css";
import { labelOf } from "./strategies.ts";

const choices = lazyPart("The choice of a strategy", () => import("./StrategyChoices.tsx"));

/** The menu beside the Compute button: the GPU's strategy and the limit of its memory, whose choices are loaded when it is first opened. */
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
        <LazyBoundary part={choices} wish={opened ? "open" : undefined} onGiveUp={close}>
          {({ default: StrategyChoices }) => <StrategyChoices request={request} onDone={close} />}
        </LazyBoundary>
      </Popover.Dropdown>
    </Popover>
  );
}

function requestWords({ strategy, budget }: RunRequest): string {
  const limit = budget === undefined ? "" : `, at most ${formatBytes(budget)}`;
  return `${labelOf(strategy)}${limit}`;
}
