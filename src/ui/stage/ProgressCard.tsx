import { Button } from "@mantine/core";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./ProgressCard.module.css";

/** How far a long job is, and the way to end it. */
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
        {isKnown && <span>{Math.round(100 * job.fraction)} %</span>}
      </div>
      <progress {...(isKnown ? { value: job.fraction } : {})} aria-label={text} className={styles.progress} />
      <Button size="xs" variant="default" onClick={session.cancel}>
        Cancel
      </Button>
    </div>
  );
}
