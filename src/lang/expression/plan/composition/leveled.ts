export const comparisons: ReadonlySet<string> = new Set(["lt", "le", "gt", "ge", "eq", "ne"]);

/** Filters whose value stays the same when both operands are shifted alike. */
export const comparedByDifference: ReadonlySet<string> = new Set(["subtract", ...comparisons]);
