interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * How scalar bars are drawn so that they stay beside a fitted box: one alone stands where there is room; several lie above
 * each other in the same column, or, in small views, in compact rows of two below the box.
 */
export type BarLayout = "standing" | "lying" | "compact";

/** The layout of `count` bars in a view of CSS pixels. */
export function barLayout({ width, height }: Size, count: number): BarLayout {
  const hasColumn = width >= 760 && height >= 330;
  if (count < 2) return hasColumn ? "standing" : "lying";
  return hasColumn ? "lying" : "compact";
}
