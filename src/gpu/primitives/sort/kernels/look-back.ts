import { digits } from "../shape.ts";
import { each } from "./rank-tile.ts";

/** How often look-back reads the same tiles without finding a new one before it counts itself. */
const patience = 256;

/**
 * Where sweeps write, and how a tile posts its states: 30 bits of a count and, above, whether it is the tile's own (1) or that of
 * all up to it (2). `silent`: every so manyth tile never posts (for tests).
 */
export const sweepOutputs = (silent: number): string => /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
// Writable, as states are in the same buffer.
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> states: array<atomic<u32>>;

const own_state = 1u << 30u;
const whole_state = 2u << 30u;
const number_bits = own_state - 1u;

fn post(tile: u32, digit: u32, state: u32) {
  ${silent ? `if (tile % ${silent}u == ${silent - 1}u) { return; }` : ""}
  atomicMax(&states[tile * ${digits}u + digit], state);
}

fn write_key(index: u32, key: u32) {
  keys_out[sorting.sorted_lead + index] = word_of(key);
}
`;

/**
 * Body that adds what earlier tiles have of the thread's digit to \`prefix\`: tiles before \`at\` are still to be added, \`window\`
 * of them are read at a time. Whoever waits in vain has its workgroup count the missing tile.
 */
export const lookBack = (window: number): string => /* wgsl */ `
    var waited = 0u;
    while (at > 0u && waited < ${patience}u) {
      ${each(window, (k) => `let state${k} = atomicLoad(&states[(max(at, ${k + 1}u) - ${k + 1}u) * ${digits}u + thread]);`)}
      var is_on = true;
      ${each(
        window,
        (k) => /* wgsl */ `if (is_on && at > 0u) {
        if (state${k} == 0u) {
          is_on = false;
          ${k === 0 ? "waited++;" : ""}
        } else {
          prefix += state${k} & number_bits;
          at = select(at - 1u, 0u, state${k} >= whole_state);
          ${k === 0 ? "waited = 0u;" : ""}
        }
      }`,
      )}
    }
    if (at > 0u) { atomicMax(&furthest, at); }`;

/** Body that counts the digits of the \`wanted\` tile in \`counters\`, posts its states and adds them. */
export const countMissing = (counters: string, threads: number, size: number): string => /* wgsl */ `
    for (var k = thread; k < ${digits}u; k += ${threads}u) { atomicStore(&${counters}[k], 0u); }
    workgroupBarrier();
    for (var k = thread; k < ${size}u; k += ${threads}u) {
      atomicAdd(&${counters}[digit_of(read_key((wanted - 1u) * ${size}u + k))], 1u);
    }
    workgroupBarrier();
    if (at == wanted) {
      let number = atomicLoad(&${counters}[thread]);
      prefix += number;
      atomicMax(&states[(wanted - 1u) * ${digits}u + thread], number | select(own_state, whole_state, wanted == 1u));
      at--;
    }`;
