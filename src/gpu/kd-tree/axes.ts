/** Nodes of which a word holds the axes: 2 bits each, the first node's lowest. */
export const axesPerWord = 16;

/** The axes of so many nodes, one each, of those that a build with the widest axes notes. */
export const axesOf = (words: Uint32Array, nodes: number): Uint32Array =>
  Uint32Array.from(
    { length: nodes },
    (_, i) => (words[Math.floor(i / axesPerWord)] >>> (2 * (i % axesPerWord))) & 3,
  );
