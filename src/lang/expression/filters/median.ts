import type { ValueType } from "../types.ts";
import type { StencilFilter, StencilOverload } from "./filter.ts";
import { forEachElement } from "./neighborhood.ts";
import { nan } from "./special-values.ts";

/** Points in the 3 × 3 × 3 window. */
const windowSize = 27;

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

const bitTypes = { f32: "u32", vec2f: "vec2u", vec3f: "vec3u" } as const;

function medianWgsl(type: keyof typeof bitTypes, fetch: string): string {
  const bits = bitTypes[type];
  const offsets = [-1, 0, 1];
  const side = (letter: string, offset: number) =>
    offset === 0 ? `p.${letter}` : `${offset < 0 ? "low" : "high"}.${letter}`;
  const reads = offsets.flatMap((k) =>
    offsets.flatMap((j) =>
      offsets.map((i) => `${fetch}(vec3i(${side("x", i)}, ${side("y", j)}, ${side("z", k)}))`),
    ),
  );
  const names = reads.map((_, n) => `v${n}`);
  const { lines, median } = medianNetwork(names);
  return [
    "  let low = max(p - 1, vec3i(0));",
    "  let high = min(p + 1, dims - 1);",
    ...reads.map((read, n) => `  let v${n} = ${read};`),
    `  var worst = ${bits}();`,
    ...names.map((name) => `  worst = max(worst, bitcast<${bits}>(${name}) & ${bits}(0x7fffffffu));`),
    ...lines,
    `  return select(${median}, ${type}(${nan.wgsl}), worst > ${bits}(0x7f800000u));`,
  ].join("\n");
}

const window = new Float64Array(windowSize);

const medianCpu: StencilOverload["cpu"] = (input, first, count, out) => {
  const { dims, values, components, stride = components, offset = 0 } = input;
  const steps = [stride, dims[0] * stride, dims[0] * dims[1] * stride];
  forEachElement(dims, first, count, (at, index, e) => {
    const [x, y, z] = index.map((i, axis) => [
      i > 0 ? -steps[axis] : 0,
      0,
      i < dims[axis] - 1 ? steps[axis] : 0,
    ]);
    for (let c = 0; c < components; c++) {
      const here = at * stride + offset + c;
      let n = 0;
      for (const k of z) for (const j of y) for (const i of x) window[n++] = values[here + i + j + k];
      // NaN comes last.
      window.sort();
      out[e * components + c] = Number.isNaN(window[windowSize - 1])
        ? Number.NaN
        : window[(windowSize - 1) / 2];
    }
  });
};

const medianOverload = (type: ValueType, wgslType: keyof typeof bitTypes): StencilOverload => ({
  inputs: [type],
  output: type,
  radius: 1,
  fragments: nan.fragments,
  wgsl: (fetch) => medianWgsl(wgslType, fetch),
  cpu: medianCpu,
});

export const median: StencilFilter = {
  kind: "stencil",
  name: "median_filter",
  doc: {
    signature: "median_filter(f, width)",
    summary:
      "The middle one of the 27 values in the cube of 3 × 3 × 3 points around each, of a vector component by component; not a number where one of them is none. Beyond the border its nearest values repeat. The width may be left out; 3 is the only one.",
    example: "median_filter(p)",
    group: "Filters",
  },
  parameter: {
    rule: "needs a width of 3",
    accepts: (width) => width === 3,
    make: () => median,
  },
  overloads: [
    medianOverload("scalar", "f32"),
    medianOverload("vec2", "vec2f"),
    medianOverload("vec3", "vec3f"),
  ],
};
