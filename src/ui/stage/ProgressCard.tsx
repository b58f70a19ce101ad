import { Button } from "@mantine/core";
import { withUnit } from "../../core/format.ts";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./ProgressCard.module.css";

/** The progress of a long job, with a button that cancels it. */
export function ProgressCard() {
  const session = useSession();
  const job = useApp(({ job }) => job);
  if (!job?.isVisible) return null;
  const isKnown = job.fraction !== undefined;
  const text = job.step || job.name;
  return (
    <div className={styles.card}>
      <div className={styles.text}>
        <span className={styles.step}>{text}</span>
        {isKnown && <span>{withUnit(Math.round(100 * job.fraction), "%")}</span>}
      </div>
      <div
        role="progressbar"
        aria-label={text}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(isKnown ? { "aria-valuenow": Math.round(100 * job.fraction) } : {})}
        className={styles.progress}
      >
        <div
          className={styles.done}
          style={{ width: `${isKnown ? 100 * job.fraction : 100}%` }}
          data-unknown={!isKnown || undefined}
        />
      </div>
      <Button size="xs" variant="default" onClick={session.cancel}>
        Cancel
      </Button>
    </div>
  );
}
