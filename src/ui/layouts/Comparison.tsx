import { useMemo } from "react";
import styles from "./Comparison.module.css";
import { Cube } from "./Cube.tsx";
import { type CubeColors, colorsOf } from "./colors.ts";
import type { Result, Source } from "./examine.ts";
import { Picture } from "./Picture.tsx";
import { Rows } from "./Rows.tsx";

interface Props {
  readonly source: Source;
  readonly shape: string;
  /** Left out where the transform makes none. */
  readonly result: Result | undefined;
  readonly cubeColors: CubeColors;
}

/** An array before a transform and after it. */
export function Comparison({ source, shape, result, cubeColors }: Props) {
  const colors = useMemo(() => colorsOf(source, cubeColors), [source, cubeColors]);
  if (source.kind === "row") {
    const rowLength = result?.lengths.length === 2 ? result.lengths[0] : (result?.sources.length ?? 1);
    return <Rows colors={colors} sources={result?.sources} rowLength={rowLength} />;
  }
  return (
    <div className={styles.pair}>
      <figure className={styles.figure}>
        <figcaption className={styles.caption}>
          Before <code>{shape}</code>
        </figcaption>
        <Drawing label="Before" source={source} colors={colors} />
      </figure>
      {result && (
        <figure className={styles.figure}>
          <figcaption className={styles.caption}>
            After <code>{result.shape}</code>
            {result.lengths.length !== source.lengths.length && (
              <span> in rows of {rowOf(source)}, as it lies in memory</span>
            )}
          </figcaption>
          <Drawing label="After" source={source} colors={colors} result={result} />
        </figure>
      )}
    </div>
  );
}

/** Elements of a row where an array is shown as it lies in memory: as many as in one of the source's, or in one of its layers. */
const rowOf = ({ kind, lengths: [x, y = 1] }: Source): number => (kind === "cube" ? x * y : x);

interface DrawingProps {
  readonly label: string;
  readonly source: Source;
  readonly colors: Uint8ClampedArray;
  readonly result?: Result;
}

/** A source, or a result: of as many axes as its source has as such, of others as it lies in memory. */
function Drawing({ label, source, colors, result }: DrawingProps) {
  const lengths = result?.lengths ?? source.lengths;
  const isAlike = lengths.length === source.lengths.length;
  const values = { label, colors, sources: result?.sources };
  if (isAlike && source.kind === "cube") return <Cube {...values} lengths={lengths} />;
  const count = lengths.reduce((product, length) => product * length, 1);
  const width = isAlike ? lengths[0] : Math.min(count, rowOf(source));
  return <Picture {...values} width={width} height={Math.ceil(count / width)} />;
}
