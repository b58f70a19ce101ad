import { useEffect, useRef } from "react";
import styles from "./Picture.module.css";

interface Props {
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** Elements along x and y. */
  readonly width: number;
  readonly height: number;
  /** The source's colours, and which of its elements each of the picture's is; −1 shows the ground. */
  readonly colors: Uint8ClampedArray;
  readonly sources: Int32Array | undefined;
}

/** Elements as pixels, x to the right and y down, as long as there are any. */
export function Picture({ label, width, height, colors, sources }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const image = context.createImageData(width, height);
    const count = Math.min(width * height, sources ? sources.length : colors.length / 3);
    for (let k = 0; k < count; k++) {
      const from = sources ? sources[k] : k;
      if (from < 0) continue;
      for (let c = 0; c < 3; c++) image.data[4 * k + c] = colors[3 * from + c];
      image.data[4 * k + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }, [width, height, colors, sources]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      width={width}
      height={height}
      className={styles.picture}
      style={{ aspectRatio: `${width} / ${height}` }}
    />
  );
}
