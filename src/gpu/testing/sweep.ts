/** Whether tests go through all that they can (`npm run sweep`), not through what `npm test` has the time for. */
export const isSweep = import.meta.env.CRINKLE_SWEEP === "1";
