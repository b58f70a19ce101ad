import type { Fragment } from "../../../shader/fragment.ts";
import { digitBits, digits, type SweepShape, sweepSize } from "../shape.ts";
import { ballotOf, firstLane } from "./rank-ballots.ts";

export const each = (count: number, code: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => code(k)).join("\n  ");

/** Workgroup memory of a tile that is ranked in registers. */
export const rankedTile = ({ threads, items, takesTurns }: SweepShape): Fragment => ({
  name: "ranked tile",
  requires: [firstLane],
  code: /* wgsl */ `
/** Digit counts of subgroups and masks of lanes first, then the tile's keys, then its values. */
var<workgroup> words: array<atomic<u32>, ${threads * items}>;
var<workgroup> sums: array<u32, 128>;
${takesTurns ? "var<workgroup> sharers: u32;" : ""}
`,
});

/** Body that clears what ranking counts in; a barrier has to follow, which `rankTile` begins with. */
export const clearRanks = ({ threads, rows, takesTurns, usesMasks }: SweepShape): string => /* wgsl */ `
  for (var k = thread; k < ${rows * digits * (usesMasks ? 2 : 1)}u; k += ${threads}u) { atomicStore(&words[k], 0u); }
  ${takesTurns ? `if (thread == 0u) { sharers = (${threads}u / lanes + ${rows - 1}u) / ${rows}u; }` : ""}`;

/**
 * Body that finds place0, place1, … of a thread's items in the tile, stable by the digits that `digitOf` gives, and
 * where each thread's digit starts. `counted` follows when the tile's `own` count of the thread's digit is known.
 */
export function rankTile(shape: SweepShape, digitOf: (k: number) => string, counted: string): string {
  const { threads, items, rows, takesTurns, usesMasks } = shape;
  const ballot = ballotOf(shape.ballotWords);
  const eachItem = (code: (k: number) => string) => each(items, code);
  const masks = rows * digits;
  if (masks > sweepSize(shape))
    throw new Error(`${rows} rows of counts exceed a tile of ${threads * items}.`);
  const peersByMasks = /* wgsl */ `let mask_at = row + digit + ${masks}u;
    atomicOr(&words[mask_at], 1u << lane);
    let present = subgroupBallot(true).x;
    let peers = atomicLoad(&words[mask_at]) & present;`;
  const peersByBallots = /* wgsl */ `var peers = everyone;
    ${each(digitBits, (b) => `{ let bit = (digit >> ${b}u) & 1u; peers &= ${ballot.vote("bit")}; }`)}`;
  return /* wgsl */ `
  ${takesTurns ? "let turns = workgroupUniformLoad(&sharers);" : "workgroupBarrier();"}
  // Lanes with the same digit find each other, bit by bit or in a mask; the first adds their number to its row's count.
  let subgroup = thread / lanes;
  let row = ${takesTurns ? "(subgroup / turns)" : "subgroup"} * ${digits}u;
  let everyone = ${ballot.all};
  let below = ${ballot.below};
  ${eachItem((k) => `var place${k} = 0u;`)}
  ${takesTurns ? "for (var turn = 0u; turn < turns; turn++) { if (subgroup % turns == turn) {" : ""}
  ${eachItem(
    (k) => /* wgsl */ `{
    let digit = ${digitOf(k)};
    ${usesMasks ? peersByMasks : peersByBallots}
    let earlier = ${ballot.count("peers & below")};
    var before = 0u;
    if (earlier == 0u) {
      before = atomicAdd(&words[row + digit], ${ballot.count("peers")});
      ${usesMasks ? "atomicStore(&words[mask_at], 0u);" : ""}
    }
    place${k} = earlier + subgroupShuffle(before, ${ballot.first});
  }`,
  )}
  ${takesTurns ? "} workgroupBarrier(); }" : "workgroupBarrier();"}

  var own = 0u;
  if (thread < ${digits}u) {
    ${each(rows, (r) => `own += atomicLoad(&words[${r * digits}u + thread]);`)}
    ${counted}
  }
  let through = subgroupInclusiveAdd(own);
  if (lane == lanes - 1u) { sums[subgroup] = through; }
  workgroupBarrier();
  var start = through - own;
  if (thread < ${digits}u) {
    for (var k = 0u; k < subgroup; k++) { start += sums[k]; }
    var running = start;
    ${each(
      rows,
      (r) => /* wgsl */ `{
      let number = atomicLoad(&words[${r * digits}u + thread]);
      atomicStore(&words[${r * digits}u + thread], running);
      running += number;
    }`,
    )}
  }
  workgroupBarrier();
  ${eachItem((k) => `place${k} += atomicLoad(&words[row + ${digitOf(k)}]);`)}
  workgroupBarrier();`;
}
