/**
 * The binomial tree over numbers 0 … size − 1, whose root is 0: the parent of a number is that without its lowest bit,
 * and the subtree of one with lowest bit 2ᵏ is the 2ᵏ numbers from it on, as far as there are.
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

/** Numbers of ranks as a root sees them: itself 0, those after it 1, 2, …, and round. */
export function relativeTo(root: number, size: number) {
  return {
    toNode: (rank: number): number => (rank - root + size) % size,
    toRank: (node: number): number => (node + root) % size,
  };
}

/** Where each of `parts` parts of `count` groups of elements begins, and where the last ends, in elements. */
export function evenBounds(count: number, parts: number, group: number): number[] {
  const groups = count / group;
  return Array.from({ length: parts + 1 }, (_, k) => Math.floor((groups * k) / parts) * group);
}
