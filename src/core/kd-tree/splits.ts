/** How the points of a node are divided: a function of their number, for the host and as kernel text in `x` (u32). */
export interface SplitRule {
  readonly name: string;
  /** How many go left: the points of least rank on the node's axis. */
  left(points: number): number;
  readonly text: string;
  /** Whether the point of the next rank is the node itself, and goes neither way. */
  readonly hasPivot: boolean;
}

/** A point goes right iff its rank is at least the median, half the number of points (seed 000, § 3.2.2). */
export const halving: SplitRule = {
  name: "halving",
  left: (points) => points >>> 1,
  text: "(x >> 1u)",
  hasPivot: false,
};

/** All levels but the last are full, and the last is filled from the left. */
export const leftBalanced: SplitRule = {
  name: "left-balanced",
  left(points) {
    if (points < 2) return 0;
    const full = 2 ** (30 - Math.clz32(points));
    return full - 1 + Math.min(points + 1 - 2 * full, full);
  },
  text: `select(
    ((1u << firstLeadingBit(x)) >> 1u) - 1u +
      min(x + 1u - (1u << firstLeadingBit(x)), (1u << firstLeadingBit(x)) >> 1u),
    0u,
    x < 2u,
  )`.replace(/\s+/g, " "),
  hasPivot: true,
};
