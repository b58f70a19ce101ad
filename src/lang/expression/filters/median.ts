import type { StencilFilter, StencilInput, StencilLoop, StencilOverload, StencilText } from "./filter.ts";
import { forEachElement } from "./neighborhood.ts";
import { variantName } from "./parameters.ts";
import { nan } from "./special-values.ts";

const widths = [3, 5, 7];

/**
 * Statements that name the median of `names` (an odd number) without an array or a branch. Of any n/2 + 3/2 of n values
 * neither the least nor the greatest is the median: they are dropped, and one more value joins the rest
 * (A. W. Paeth, "Median finding on a 3×3 grid", Graphics Gems, 1990).
 */
function medianNetwork(names: readonly string[]): { lines: string[]; median: string } {
  const lines: string[] = [];
  let count = 0;
  const order = (held: string[], low: number, high: number) => {
    const [a, b] = [held[low], held[high]];
    held[low] = `s${count++}`;
    held[high] = `s${count++}`;
    lines.push(`  let ${held[low]} = min(${a}, ${b});`, `  let ${held[high]} = max(${a}, ${b});`);
  };
  const waiting = [...names];
  const held = waiting.splice(0, (names.length + 3) / 2);
  for (;;) {
    const last = held.length - 1;
    for (let i = 0; i < last - i; i++) order(held, i, last - i);
    for (let i = 1; i <= last / 2; i++) order(held, 0, i);
    for (let i = last - 1; i >= last / 2; i--) order(held, i, last);
    held.pop();
    held.shift();
    const next = waiting.shift();
    if (next === undefined) return { lines, median: held[0] };
    held.push(next);
  }
}

const offsets = [-1, 0, 1];

/** The value of each component that is not a number, if any, else the median. */
function medianText(): string {
  const reads = offsets.flatMap((k) => offsets.flatMap((j) => offsets.map((i) => `f(${i}, ${j}, ${k})`)));
  const names = reads.map((_, n) => `v${n}`);
  const { lines, median } = medianNetwork(names);
  return [
    ...reads.map((read, n) => `let v${n} = ${read};`),
    "var bad = v0;",
    ...names.slice(1).map((name) => `bad = select(bad, ${name}, isNan(${name}));`),
    ...lines,
    `out.median = select(${median}, bad, isNan(bad));`,
  ].join("\n");
}

/** Not a number where a value's bits are above those of an infinity, which costs less than testing and choosing each. */
function medianOfBits(): string {
  const reads = offsets.flatMap((k) => offsets.flatMap((j) => offsets.map((i) => `f(${i}, ${j}, ${k})`)));
  const names = reads.map((_, n) => `v${n}`);
  const { lines, median } = medianNetwork(names);
  const sizes = names.map((name) => `(bitcast<Bits>(${name}) & Bits(0x7fffffffu))`);
  return [
    ...reads.map((read, n) => `let v${n} = ${read};`),
    ...sizes.map((size, n) => `let worst${n} = ${n === 0 ? size : `max(worst${n - 1}, ${size})`};`),
    ...lines,
    `out.median = select(${median}, T(${nan}), worst${names.length - 1} > Bits(0x7f800000u));`,
  ].join("\n");
}

/**
 * Bit by bit from the highest, the least key that half of the window's keys do not exceed. Keys are bits of f32, turned
 * so that their order as whole numbers is that of the values. Reads the window 33 times, but needs no memory for it.
 */
function countingText(radius: number): string {
  const half = ((2 * radius + 1) ** 3 + 1) / 2;
  const along = (axis: string, letter: string) =>
    `for (var ${letter} = -${radius}; ${letter} <= ${radius}; ${letter}++) {
let ${axis} = clamp(p.${axis} + ${letter}, 0, constants.dims.${axis} - 1);`;
  const eachValue = (statement: string) => `${along("z", "k")}
${along("y", "j")}
${along("x", "i")}
let value = bitcast<Bits>(f(x, y, z));
${statement}
}
}
}`;
  return `let p = vec3i(at);
let sign = Bits(0x80000000u);
var worst = Bits(0u);
${eachValue("worst = max(worst, value & Bits(0x7fffffffu));")}
var key = Bits(0u);
for (var digit = 31; digit >= 0; digit--) {
let bit = 1u << u32(digit);
let limit = key | Bits(bit - 1u);
var count = Bits(0u);
${eachValue(
  "count += select(Bits(0u), Bits(1u), (value ^ select(sign, Bits(0xffffffffu), (value & sign) != Bits(0u))) <= limit);",
)}
key = select(key | Bits(bit), key, count >= Bits(${half}u));
}
let median = bitcast<T>(key ^ select(Bits(0xffffffffu), sign, (key & sign) != Bits(0u)));
out.median = select(median, T(${nan}), worst > Bits(0x7f800000u));`;
}

/** Selects from a window in memory: 125 and 343 values are too many for a network, and kernel text has no loops of open length. */
function selectionLoop(radius: number): StencilLoop {
  const width = 2 * radius + 1;
  const window = new Float64Array(width ** 3);
  const steps = [0, 1, 2].map(() => new Int32Array(width));
  return (input, first, count, out) => {
    const { dims, values, components, stride = components, offset = 0 } = input;
    const sizes = [stride, dims[0] * stride, dims[0] * dims[1] * stride];
    const [x, y, z] = steps;
    forEachElement(dims, first, count, (at, index, e) => {
      for (let axis = 0; axis < 3; axis++) {
        const i = index[axis];
        for (let k = 0; k < width; k++) {
          const near = Math.min(Math.max(i + k - radius, 0), dims[axis] - 1);
          steps[axis][k] = (near - i) * sizes[axis];
        }
      }
      for (let c = 0; c < components; c++) {
        const here = at * stride + offset + c;
        let n = 0;
        for (let k = 0; k < width; k++) {
          for (let j = 0; j < width; j++) {
            for (let i = 0; i < width; i++) window[n++] = values[here + x[i] + y[j] + z[k]];
          }
        }
        out[e * components + c] = middleOf(window);
      }
    });
  };
}

/** The middle one of an odd number of values, which are reordered; NaN where one of them is (Hoare's selection). */
function middleOf(window: Float64Array): number {
  const middle = (window.length - 1) / 2;
  for (let i = 0; i < window.length; i++) if (Number.isNaN(window[i])) return Number.NaN;
  let from = 0;
  let until = window.length - 1;
  while (from < until) {
    const pivot = window[middle];
    let i = from;
    let j = until;
    while (i <= j) {
      while (window[i] < pivot) i++;
      while (window[j] > pivot) j--;
      if (i > j) break;
      const larger = window[i];
      window[i++] = window[j];
      window[j--] = larger;
    }
    if (j < middle) from = i;
    if (i > middle) until = j;
  }
  return window[middle];
}

const medianOf = (width: number): StencilFilter => {
  const radius = (width - 1) / 2;
  const loop = selectionLoop(radius);
  const results: StencilText["results"] = [{ name: "median", first: 0, step: 1 }];
  const overload = (type: StencilInput): StencilOverload => {
    const signature = { inputs: [type], output: type, radius } as const;
    return radius > 1
      ? { ...signature, loop, shader: { text: countingText(radius), reach: radius, results } }
      : { ...signature, text: medianText(), results, shader: { text: medianOfBits(), results } };
  };
  return {
    kind: "stencil",
    name: width === 3 ? "median_filter" : variantName("median_filter", width),
    doc: {
      signature: "median_filter(f, width)",
      summary:
        "Median of the values in the cube of width × width × width points around each (default 3, or 5 or 7), for vectors component by component; not a number where one of them is not a number. Beyond the border the nearest values repeat.",
      example: "median_filter(p)",
      group: "Filters",
    },
    parameter: {
      rule: "needs a width of 3, 5 or 7",
      accepts: (given) => widths.includes(given),
      make: (given) => (given === 3 ? median : medianOf(given)),
    },
    overloads: [overload("scalar"), overload("vec2"), overload("vec3")],
  };
};

export const median: StencilFilter = medianOf(3);
