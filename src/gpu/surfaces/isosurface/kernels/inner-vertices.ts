/** Open cells are taken to have so many indices where they are not listed; each has six at least. */
export const indicesPerAmbiguousCell = 12;
