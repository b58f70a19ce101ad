/** What is said where the ranks that have data are not in the room. */
import { CrinkleError } from "../../core/errors.ts";

export const groupIsGone = (data?: string): CrinkleError =>
  new CrinkleError({
    tag: "RankFailed",
    problem: `The ranks that have ${data === undefined ? "these data" : `“${data}”`} have left the room.`,
    remedy: "What is shown stays; start them again with crinkle run --room to go on.",
  });

export const noOtherRanks = (data: string): CrinkleError =>
  new CrinkleError({
    tag: "RankFailed",
    problem: `“${data}” is for the ranks of a room that this page hosts, and no other rank is there.`,
    remedy: "What is shown stays; share a room and have ranks join it to go on.",
  });
