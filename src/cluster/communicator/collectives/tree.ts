/**
 * The binomial tree over numbers 0 … size − 1 with root 0: the parent of a number is the number without its
 * lowest set bit; the subtree of a number whose lowest set bit is 2ᵏ is the 2ᵏ numbers from it on, as far
 * as they exist.
 */
export const parentOf = (node: number): number => node & (node - 1);

/** One past the last number of the subtree. */
export const endOf = (node: number, size: number): number =>
  node === 0 ? size : Math.min(size, node + (node & -node));

/** Largest subtrees first. */
export function childrenOf(node: number, size: number): number[] {
  const children: number[] = [];
  const low = node === 0 ? size : node & -node;
  for (let d = 1; d < low; d *= 2) if (node + d < size) children.unshift(node + d);
  return children;
}

/**
 * Converts between ranks and numbers relative to the root: the root is 0, the next rank 1, and so on,
 * wrapping around.
 */
export function relativeTo(root: number, size: number) {
  return {
    toNode: (rank: number): number => (rank - root + size) % size,
    toRank: (node: number): number => (node + root) % size,
  };
}

/**
 * Where each of `parts` parts of `count` elements begins, and where the last one ends; parts hold whole
 * groups.
 */
export function evenBounds(count: number, parts: number, group: number): number[] {
  const groups = count / group;
  return Array.from({ length: parts + 1 }, (_, k) => Math.floor((groups * k) / parts) * group);
}
