import type { Fragment } from "../../../shader/fragment.ts";
import { digitBits, digits, type SweepShape, sweepSize } from "../shape.ts";
import { ballotOf, firstLane } from "./rank-ballots.ts";

export const each = (count: number, code: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => code(k)).join("\n  ");

/** Workgroup memory of a tile that is ranked in registers. */
export const rankedTile = ({ threads, items, takesTurns, isInStep }: SweepShape): Fragment => ({
  name: "ranked tile",
  requires: [firstLane],
  code: /* wgsl */ `
/** Digit counts of subgroups first, then the tile's keys, then its values. */
var<workgroup> words: array<${isInStep ? "u32" : "atomic<u32>"}, ${threads * items}>;
var<workgroup> sums: array<u32, 128>;
${takesTurns ? "var<workgroup> sharers: u32;" : ""}
`,
});

/** WGSL that reads a word of a ranked tile, and that writes one. */
export const readWord = ({ isInStep }: SweepShape, at: string): string =>
  isInStep ? `words[${at}]` : `atomicLoad(&words[${at}])`;
export const writeWord = ({ isInStep }: SweepShape, at: string, value: string): string =>
  isInStep ? `words[${at}] = ${value};` : `atomicStore(&words[${at}], ${value});`;

/** Body that says how many subgroups share a row of counts. A barrier has to follow before `rankTile`. */
export const countSharers = ({ threads, rows, takesTurns }: SweepShape): string =>
  takesTurns ? `if (thread == 0u) { sharers = (${threads}u / lanes + ${rows - 1}u) / ${rows}u; }` : "";

/** Body that clears the counts, which are 0 when a kernel begins. A barrier has to follow before `rankTile`. */
export const clearRanks = (shape: SweepShape): string => /* wgsl */ `
  for (var k = thread; k < ${shape.rows * digits}u; k += ${shape.threads}u) { ${writeWord(shape, "k", "0u")} }`;

/**
 * Body that finds place0, place1, … of a thread's items in the tile, stable by the digits that `digitOf` gives, and
 * `start`, where the thread's digit starts, of which the tile has `own`: `counted` follows when that is known.
 */
export function rankTile(shape: SweepShape, digitOf: (k: number) => string, counted = ""): string {
  const { threads, items, rows, takesTurns } = shape;
  const eachItem = (code: (k: number) => string) => each(items, code);
  if (rows * digits > sweepSize(shape))
    throw new Error(`${rows} rows of counts exceed a tile of ${threads * items}.`);
  return /* wgsl */ `
  ${takesTurns ? "let turns = workgroupUniformLoad(&sharers);" : ""}
  let subgroup = thread / lanes;
  let row = ${takesTurns ? "(subgroup / turns)" : "subgroup"} * ${digits}u;
  ${eachItem((k) => `var place${k} = 0u;`)}
  ${takesTurns ? "for (var turn = 0u; turn < turns; turn++) { if (subgroup % turns == turn) {" : ""}
  ${rankItems(shape, digitOf)}
  ${takesTurns ? "} workgroupBarrier(); }" : "workgroupBarrier();"}
  ${placeItems(shape, rows, "row", digitOf, counted)}`;
}

/** Lanes with the same digit find each other bit by bit; the first adds their number to its row's count. */
function rankItems(shape: SweepShape, digitOf: (k: number) => string): string {
  const ballot = ballotOf(shape.ballotWords);
  const number = ballot.count("peers");
  // In step, each lane reads the count before its first peer writes the next.
  const place = (k: number) =>
    shape.isInStep
      ? /* wgsl */ `let before = words[row + digit];
    if (earlier == 0u) { words[row + digit] = before + ${number}; }
    place${k} = earlier + before;`
      : /* wgsl */ `var before = 0u;
    if (earlier == 0u) { before = atomicAdd(&words[row + digit], ${number}); }
    place${k} = earlier + subgroupShuffle(before, ${ballot.first});`;
  return /* wgsl */ `let everyone = ${ballot.all};
  let below = ${ballot.below};
  ${each(
    shape.items,
    (k) => /* wgsl */ `{
    let digit = ${digitOf(k)};
    var peers = everyone;
    ${each(
      digitBits,
      (b) =>
        `{ let is_set = (digit & ${1 << b}u) != 0u; let votes = ${ballot.of("is_set")}; peers &= select(~votes, votes, is_set); }`,
    )}
    let earlier = ${ballot.count("peers & below")};
    ${place(k)}
  }`,
  )}`;
}

/**
 * Body that turns so many rows of counts into where the rows' digits start, and adds that to the places; `row` is the
 * thread's own.
 */
export function placeItems(
  shape: SweepShape,
  rows: number,
  row: string,
  digitOf: (k: number) => string,
  counted: string,
): string {
  return /* wgsl */ `
  var own = 0u;
  ${each(rows, (r) => `var count${r} = 0u;`)}
  if (thread < ${digits}u) {
    ${each(rows, (r) => `count${r} = ${readWord(shape, `${r * digits}u + thread`)};`)}
    own = ${Array.from({ length: rows }, (_, r) => `count${r}`).join(" + ")};
    ${counted}
  }
  let through = subgroupInclusiveAdd(own);
  if (lane == lanes - 1u) { sums[subgroup] = through; }
  workgroupBarrier();
  var start = through - own;
  if (thread < ${digits}u) {
    for (var k = 0u; k < subgroup; k++) { start += sums[k]; }
    var running = start;
    ${each(rows, (r) => `${writeWord(shape, `${r * digits}u + thread`, "running")} running += count${r};`)}
  }
  workgroupBarrier();
  ${each(shape.items, (k) => `place${k} += ${readWord(shape, `${row} + ${digitOf(k)}`)};`)}
  workgroupBarrier();`;
}
