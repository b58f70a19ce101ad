import type { ViewSize } from "../../core/projection.ts";
import { useBounds } from "../layers/use-bounds.ts";
import { useApp } from "../session-context.tsx";
import styles from "./ProbeOverlay.module.css";
import { hoverFacts } from "./probe-text.ts";

/** Fields beyond this number are shown only on a click. */
const maxFacts = 9;

/** The crosshair, and the values under it or under the pointer. */
export default function ProbeOverlay({ width, height }: ViewSize) {
  const cursor = useApp(({ probe }) => probe.cursor);
  const hover = useApp(({ probe }) => probe.hover);
  const bounds = useBounds();
  const facts = hover ? hoverFacts(hover.report, bounds) : [];
  const shown = facts.slice(0, maxFacts);
  const rest = facts.length - shown.length;
  return (
    <>
      {cursor && (
        <div className={styles.crosshair} style={{ left: cursor.x, top: cursor.y }} aria-hidden="true" />
      )}
      {hover && (
        <div
          className={styles.readout}
          style={{
            ...(hover.x > 0.5 * width ? { right: width - hover.x } : { left: hover.x }),
            ...(hover.y > 0.6 * height ? { bottom: height - hover.y } : { top: hover.y }),
          }}
          aria-hidden="true"
        >
          {shown.map(([name, value]) => (
            <p key={name} className={styles.fact}>
              <span className={styles.name}>{name}</span> <span className={styles.value}>{value}</span>
            </p>
          ))}
          {rest > 0 && <p className={styles.rest}>and {rest} more by a click</p>}
        </div>
      )}
      <p className="visually-hidden" aria-live="polite">
        {cursor && shown.map(([name, value]) => `${name} ${value}`).join(", ")}
      </p>
    </>
  );
}
