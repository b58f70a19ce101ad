import { schemeTableau10 } from "d3-scale-chromatic";

/** The CSS colour of what a rank has made. */
export const rankColor = (rank: number): string => schemeTableau10[rank % schemeTableau10.length];
