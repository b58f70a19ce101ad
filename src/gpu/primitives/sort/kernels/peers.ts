import { digitBits } from "../shape.ts";
import { each } from "./rank-tile.ts";

/** Statements that find `peers`, the lanes with the same `digit`. */
export const peersOf = (lanes: number): string => /* wgsl */ `var peers = ${2 ** lanes - 1}u;
    ${each(
      digitBits,
      (b) =>
        `{ let is_set = (digit & ${1 << b}u) != 0u; let votes = subgroupBallot(is_set).x; peers &= select(~votes, votes, is_set); }`,
    )}`;
