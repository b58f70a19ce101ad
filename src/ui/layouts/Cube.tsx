import { useMemo } from "react";
import styles from "./Cube.module.css";
import { cubeBounds, facesOf } from "./cube-faces.ts";

interface Props {
  readonly label: string;
  readonly lengths: readonly number[];
  readonly colors: Uint8ClampedArray;
  readonly sources: Int32Array | undefined;
}

/** Elements as the cells of a block that stands on its edge, seen from where x, y and z grow. */
export function Cube({ label, lengths, colors, sources }: Props) {
  const [lx, ly, lz] = lengths;
  const faces = useMemo(() => facesOf([lx, ly, lz]), [lx, ly, lz]);
  const [left, top, width, height] = cubeBounds([lx, ly, lz]);
  const margin = 0.09 * Math.max(width, height);
  const fontSize = 0.55 * margin;
  const fill = (element: number, light: number): string => {
    const from = sources ? sources[element] : element;
    if (from < 0) return "var(--line)";
    const [r, g, b] = colors.subarray(3 * from, 3 * from + 3);
    return `rgb(${[r, g, b].map((c) => Math.round(c * light)).join(" ")})`;
  };
  // Beside the middles of the edges that meet at the bottom, and of the one on the left.
  const [right, bottom] = [left + width, top + height];
  const names = [
    { name: "x", at: [right - 0.25 * width + margin / 2, bottom - 0.22 * (lx + lz) * 0.5 + margin / 4] },
    { name: "y", at: [left - margin / 2, bottom - (lx / 2 + ly / 2)] },
    { name: "z", at: [left + 0.25 * width - margin / 2, bottom - 0.22 * (lx + lz) * 0.5 + margin / 4] },
  ] as const;
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.cube}
      viewBox={[left - margin, top - margin, width + 2 * margin, height + 2 * margin].join(" ")}
    >
      {faces.map(({ element, points, light }) => (
        <polygon key={points} points={points} fill={fill(element, light)} className={styles.face} />
      ))}
      {names.map(({ name, at: [x, y] }) => (
        <text key={name} x={x} y={y} fontSize={fontSize} className={styles.axis}>
          {name}
        </text>
      ))}
    </svg>
  );
}
