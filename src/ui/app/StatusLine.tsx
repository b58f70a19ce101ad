import { useApp } from "../session-context.tsx";
import styles from "./StatusLine.module.css";

/** The last deed and the layers' counts, as people read them and screen readers say them. */
export function StatusLine() {
  const { deed, layers } = useApp(({ status }) => status);
  return (
    <div role="status" className={styles.line}>
      <span title={deed}>{deed}</span> <span title={layers}>{layers}</span>
    </div>
  );
}
