import { digits, type KeysShape } from "../shape.ts";
import { peersOf } from "./peers.ts";
import { each } from "./rank-tile.ts";

/**
 * One atomic addition a key. Subgroups of a row take turns, but nothing promises that the lanes of one are served in their order:
 * `arrivalDisorder` looks whether they were. `swapsLanes` serves odd lanes first (for tests).
 */
export function rankByArrival(shape: KeysShape, digitOf: (k: number) => string): string {
  const { items, turns, swapsLanes } = shape;
  const add = (k: number) => `place${k} = atomicAdd(&words[row + ${digitOf(k)}], 1u);`;
  const addOf = (k: number) =>
    swapsLanes ? `if (lane % 2u == 1u) { ${add(k)} } if (lane % 2u == 0u) { ${add(k)} }` : add(k);
  return /* wgsl */ `
  ${turns > 1 ? `for (var turn = 0u; turn < ${turns}u; turn++) { if (subgroup % ${turns}u == turn) {` : ""}
  ${each(items, addOf)}
  ${turns > 1 ? "} workgroupBarrier(); }" : "workgroupBarrier();"}`;
}

/**
 * Body that sets \`disorder\` where the tile's keys are not sorted by this digit and the bits below. Each thread looks at neighbouring
 * keys: an odd number of them lies in as many banks of memory as there are lanes.
 */
export const arrivalDisorder = ({ threads, items }: KeysShape): string => /* wgsl */ `
  workgroupBarrier();
  {
    let compared = (sorting.mask << sorting.shift) | ((1u << sorting.shift) - 1u);
    let own_first = thread * ${items}u;
    var is_sorted = true;
    var former = atomicLoad(&words[own_first]) & compared;
    ${each(
      items,
      (k) =>
        `{ let next = atomicLoad(&words[min(own_first + ${k + 1}u, ${threads * items - 1}u)]) & compared; is_sorted &= former <= next; former = next; }`,
    )}
    if (!is_sorted) { atomicStore(&disorder, 1u); }
  }`;

/** Body that reads and ranks the tile's keys once more, by ballots, and puts them where they belong. Digits start as they did. */
export const rankAgain = (shape: KeysShape, digitOf: (key: string) => string): string => {
  const { threads, items, lanes, rows, turns } = shape;
  const eachKey = (code: string) => /* wgsl */ `for (var k = 0u; k < ${items}u; k++) {
      let source = first + k * lanes;
      let key = select(0xffffffffu, read_key(min(source, count - 1u)), source < count);
      let digit = ${digitOf("key")};
      ${code}
    }`;
  return /* wgsl */ `
    var places: array<u32, ${items}>;
    for (var k = thread; k < ${rows * digits}u; k += ${threads}u) { atomicStore(&words[k], 0u); }
    workgroupBarrier();
    ${eachKey("atomicAdd(&words[row + digit], 1u);")}
    workgroupBarrier();
    if (thread < ${digits}u) {
      var running = start;
      for (var r = 0u; r < ${rows}u; r++) {
        let number = atomicLoad(&words[r * ${digits}u + thread]);
        atomicStore(&words[r * ${digits}u + thread], running);
        running += number;
      }
    }
    workgroupBarrier();
    for (var turn = 0u; turn < ${turns}u; turn++) {
    if (subgroup % ${turns}u == turn) {
    ${eachKey(/* wgsl */ `${peersOf(lanes)}
      let earlier = countOneBits(peers & below);
      var before = 0u;
      if (earlier == 0u) { before = atomicAdd(&words[row + digit], countOneBits(peers)); }
      places[k] = earlier + subgroupShuffle(before, firstTrailingBit(peers));`)}
    }
    workgroupBarrier();
    }
    ${eachKey("atomicStore(&words[places[k]], key);")}`;
};
