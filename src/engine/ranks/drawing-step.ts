/**
 * What is made anew: the picture alone, of the surface that was drawn last; another surface of the same scalars, such as the next
 * isovalue of a drag, by the ranks that drew the last one; or the surface, for which it is chosen who draws it. Nobody waits for a
 * turn but for the last.
 */
export type DrawingStep = (typeof drawingSteps)[number];

export const drawingSteps = ["picture", "step", "surface"] as const;
