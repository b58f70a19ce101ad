import qrcode from "qrcode-generator";
import { useMemo } from "react";
import styles from "./QrCode.module.css";

/** Modules around the code that must stay light. */
const quiet = 4;

/** A text for cameras: dark on light in every theme, as readers expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => modulesOf(text), [text]);
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size + 2 * quiet} ${size + 2 * quiet}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={path} transform={`translate(${quiet} ${quiet})`} />
    </svg>
  );
}

/** The dark modules as runs along the rows. */
function modulesOf(text: string): { size: number; path: string } {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const runs: string[] = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!code.isDark(row, column)) continue;
      const first = column;
      while (column + 1 < size && code.isDark(row, column + 1)) column++;
      runs.push(`M${first} ${row}h${column + 1 - first}v1h${first - column - 1}z`);
    }
  }
  return { size, path: runs.join("") };
}
