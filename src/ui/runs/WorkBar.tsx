import { Button, Progress } from "@mantine/core";
import { useApp, useSession } from "../session-context.tsx";
import type { Inspection } from "./inspection.ts";
import styles from "./WorkBar.module.css";

const doing = { run: "Running…", compare: "Comparing strategies…" } as const;

/** The progress of the run or the comparison, and the error of the last one. */
export function WorkBar({ known: { busy, error } }: { known: Inspection }) {
  const session = useSession();
  const job = useApp(({ job }) => job);
  if (busy) {
    return (
      <div className={styles.bar}>
        <p className={styles.step}>{job?.step || doing[busy]}</p>
        <Progress
          className={styles.progress}
          size="sm"
          value={100 * (job?.fraction ?? 0)}
          aria-label={busy === "run" ? "Progress of the run" : "Progress of the comparison"}
        />
        <Button size="compact-xs" variant="default" onClick={session.cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  if (!error) return null;
  return (
    <p className={styles.error} role="alert">
      {error.problem} {error.remedy}
    </p>
  );
}
