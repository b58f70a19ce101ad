/** Something that a person's pointer asked for: an isovalue, at a time in milliseconds. */
export interface Asked {
  readonly isovalue: number;
  readonly at: number;
}

/** A surface or picture as it was shown, at a time in milliseconds. */
export interface ShownPicture extends Asked {
  /** What the other ranks sent for it; undefined where the page made it. */
  readonly bytes: number | undefined;
}

/** What a drag was like for the person. */
export interface DragFigures {
  readonly pictures: number;
  readonly picturesPerSecond: number;
  /** Milliseconds from the event of the pointer to the first picture of its isovalue, of the isovalues that were shown. */
  readonly delayMedian: number;
  readonly delay95: number;
  /** Median of what a picture took. */
  readonly bytes: number | undefined;
}

/** The value below which a share of the values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The figures of a drag of `seconds`: of each isovalue, its first picture counts. */
export function dragFigures(
  asked: readonly Asked[],
  shown: readonly ShownPicture[],
  seconds: number,
): DragFigures {
  const delays = asked.flatMap(({ isovalue, at }) => {
    const first = shown.find((picture) => picture.isovalue === isovalue && picture.at >= at);
    return first ? [first.at - at] : [];
  });
  const bytes = shown.flatMap((picture) => (picture.bytes === undefined ? [] : [picture.bytes]));
  return {
    pictures: shown.length,
    picturesPerSecond: shown.length / seconds,
    delayMedian: quantile(delays, 0.5),
    delay95: quantile(delays, 0.95),
    bytes: bytes.length > 0 ? quantile(bytes, 0.5) : undefined,
  };
}
