import type { Statistics } from "../../core/statistics.ts";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./LogAxisButton.module.css";
import { spansDecades } from "./log-axis.ts";

interface Props {
  readonly field: string;
  readonly statistics: Statistics | undefined;
}

/** Gives a field's histogram and slider a logarithmic axis, where its values span decades. */
export function LogAxisButton({ field, statistics }: Props) {
  const { layers } = useSession();
  const isLog = useApp((state) => state.layers.logFields.includes(field));
  if (!isLog && !(statistics && spansDecades(statistics))) return null;
  return (
    <button
      type="button"
      className={styles.button}
      aria-pressed={isLog}
      title={
        isLog && statistics && statistics.min <= 0
          ? "Values of 0 and below are not on this axis"
          : "Equal steps of the logarithm, so that small values can be reached"
      }
      onClick={() => layers.setLogAxis(field, !isLog)}
    >
      Logarithmic axis
    </button>
  );
}
