import styles from "./Rows.module.css";

interface Props {
  /** The source's colours. */
  readonly colors: Uint8ClampedArray;
  /** Which of the source's elements each of the result's is, −1 for a 0; the result's elements in a row. */
  readonly sources: Int32Array | undefined;
  /** Elements of each of the result's rows. */
  readonly rowLength: number;
}

const size = 30;
const gap = 64;

/** A row of numbered elements, and below it what becomes of it, with a line for each element that is still there. */
export function Rows({ colors, sources, rowLength }: Props) {
  const given = Array.from({ length: colors.length / 3 }, (_, k) => ({ k, x: k * size, y: 0, from: k }));
  const made = Array.from(sources ?? [], (from, k) => ({
    k,
    from,
    x: (k % rowLength) * size,
    y: size + gap + Math.floor(k / rowLength) * size,
  }));
  const width = size * Math.max(given.length, Math.min(rowLength, made.length));
  const height = size + (sources ? gap + size * Math.ceil(made.length / rowLength) : 0);
  const before = `Before: ${given.map(({ from }) => from).join(" ")}.`;
  const after = `After: ${made.map(({ from }) => (from < 0 ? "none" : from)).join(" ")}.`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the window is scrolled by keys, too
    <section className={styles.scroll} tabIndex={0} aria-label="Rows of elements">
      <svg
        role="img"
        aria-label={sources ? `${before} ${after}` : before}
        viewBox={`-1 -1 ${width + 2} ${height + 2}`}
        style={{ width: width + 2, height: height + 2 }}
      >
        {made
          .filter(({ from }) => from >= 0)
          .map(({ k, from, x, y }) => (
            <path key={k} className={styles.way} d={way(given[from].x + size / 2, x + size / 2, y)} />
          ))}
        {given.map(({ k, ...element }) => (
          <Element key={k} {...element} colors={colors} />
        ))}
        {made.map(({ k, ...element }) => (
          <Element key={k} {...element} colors={colors} />
        ))}
      </svg>
    </section>
  );
}

/** From below an element of the first row to above one of the others. */
function way(start: number, end: number, y: number): string {
  const middle = size + gap / 2;
  return `M${start} ${size}C${start} ${middle} ${end} ${middle} ${end} ${y}`;
}

interface ElementProps {
  readonly x: number;
  readonly y: number;
  readonly from: number;
  readonly colors: Uint8ClampedArray;
}

function Element({ x, y, from, colors }: ElementProps) {
  const [r, g, b] = colors.subarray(3 * from, 3 * from + 3);
  return (
    <g className={from < 0 ? styles.none : styles.element}>
      <rect x={x} y={y} width={size} height={size} {...(from < 0 ? {} : { fill: `rgb(${r} ${g} ${b})` })} />
      <text x={x + size / 2} y={y + size / 2}>
        {Math.max(0, from)}
      </text>
    </g>
  );
}
