/** How kernels number a patch's first inner vertex, after the cell's edges: lower corner | axis << 3. */
export const firstInnerBits = 24;

/** Open cells are taken to have so many indices where they are not listed; each has six at least. */
export const indicesPerOpenCell = 12;
