import { CloseButton } from "@mantine/core";
import { clickOpenButton } from "../app/OpenButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./ErrorBanner.module.css";

/**
 * The last error: what went wrong, and what to do. The region stays mounted, so that screen readers announce what
 * enters it.
 */
export function ErrorBanner() {
  const session = useSession();
  const alert = useApp(({ alert }) => alert);
  const awaited = useApp(({ awaited }) =>
    awaited?.source.kind === "file" ? awaited.source.name : undefined,
  );
  return (
    <div role="alert" className={styles.region}>
      {alert && (
        <div key={alert.id} className={styles.banner}>
          <Icon name="warning" />
          <p className={styles.text}>
            <strong>{alert.error.problem}</strong> {alert.error.remedy}
            {alert.rawFile && " "}
            {alert.rawFile && <RawButton file={alert.rawFile} />}
            {alert.again && (
              <button type="button" className={styles.action} onClick={alert.again}>
                Try again
              </button>
            )}
            {awaited !== undefined && alert.subject === "open" && (
              <button type="button" className={styles.action} onClick={clickOpenButton}>
                Choose {awaited}…
              </button>
            )}
          </p>
          <CloseButton size="sm" aria-label="Dismiss" onClick={session.dismissAlert} c="inherit" />
        </div>
      )}
    </div>
  );
}

function RawButton({ file }: { file: File }) {
  const { data } = useSession();
  return (
    <button type="button" className={styles.action} onClick={() => void data.askForLayout(file)}>
      Open as raw numbers…
    </button>
  );
}
