import { useApp } from "../session-context.tsx";
import styles from "./StatusLine.module.css";

/** The message about the last action, and the counts of the layers; screen readers announce both. */
export function StatusLine() {
  const { message, layers } = useApp(({ status }) => status);
  return (
    <div role="status" className={styles.line}>
      <span title={message}>{message}</span> <span title={layers}>{layers}</span>
    </div>
  );
}
