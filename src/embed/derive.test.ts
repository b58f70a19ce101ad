import { describe, expect, it } from "vitest";
import type { DeriveEvent } from "./api.ts";
import { derive } from "./crinkle.ts";

const dims = [4, 3, 2];
const grid = { dims, spacing: [0.5, 1, 2] };
const count = 24;
const ramp = Float32Array.from({ length: count }, (_, i) => i);
/** Untyped, as a host program in JavaScript calls it. */
const loosely = derive as (...args: unknown[]) => Promise<unknown>;

describe("derive on the CPU", () => {
  it("computes what no later statement builds on, from arrays of any type", async () => {
    const velocity = Float64Array.from({ length: 3 * count }, (_, i) =>
      i % 3 === 0 ? 3 : i % 3 === 1 ? 4 : 0,
    );
    const { fields, report, notes } = await derive(
      "s = magnitude(velocity)\ndouble = 2 * s\nshifted = level + 1",
      { grid, fields: { velocity, level: Int16Array.from(ramp) } },
      { device: "cpu" },
    );
    expect(Object.keys(fields)).toEqual(["double", "shifted"]);
    expect(fields.double).toEqual({
      data: new Float64Array(count).fill(10),
      components: 1,
      centering: "node",
    });
    expect(fields.shifted.data).toEqual(ramp.map((value) => value + 1));
    expect(report).toMatchObject({
      device: "cpu",
      strategy: undefined,
      uploads: 0,
      kernels: 0,
      peakBytes: 0,
    });
    expect(notes).toEqual([]);
  });

  it("keeps the digits of doubles and of large integers, and says where doubles cannot", async () => {
    const t = Float64Array.from(ramp, (i) => 1.7e9 + 10 * i);
    const id = BigInt64Array.from(ramp, (i) => 2n ** 60n + BigInt(i));
    const small = Int32Array.from(ramp);
    const { fields, numbers, histograms, notes } = await derive(
      "later = t + 0.25; spread = max(t) - min(t); dev = stddev(t); h = histogram(t, 3); q = median(2 * t); far = id; near = 2 * small; is_late = t > 1.7e9",
      { grid, fields: { t, id, small } },
      { device: "cpu" },
    );
    expect(fields.later.data).toEqual(t.map((value) => value + 0.25));
    // statistics.pstdev and statistics.median of 1.7e9 + 10 * range(24).
    expect(numbers.spread).toBe(230);
    expect(numbers.dev).toBeCloseTo(69.22186552431729, 9);
    expect(numbers.q).toBe(3.4e9 + 230);
    expect(histograms.h.counts).toEqual([8, 8, 8]);
    expect(fields.far.data).toEqual(new Float64Array(count).fill(2 ** 60));
    expect(fields.near.data).toEqual(ramp.map((value) => 2 * value));
    expect(fields.is_late.data).toEqual(ramp.map((value) => Number(value > 0)));
    expect(notes).toEqual([
      "“id” has integers beyond 2⁵³, of which double precision keeps the first 15 to 16 digits.",
    ]);
  });

  it("differentiates on the grid given, uniform or rectilinear", async () => {
    const axes = [[0, 0.5, 1, 1.5], new Float64Array([0, 1, 2]), [0, 2]] as const;
    for (const given of [grid, { axes }]) {
      const { fields } = await derive("g = grad(f)", { grid: given, fields: { f: ramp } }, { device: "cpu" });
      expect(fields.g.components).toBe(3);
      expect([...fields.g.data.slice(0, 3)]).toEqual([2, 4, 6]);
    }
  });

  it("keeps cells apart from nodes, and gives the outputs asked for, in their order", async () => {
    const rho = { data: new Float32Array([1, 2, 3, 4, 5, 6]), centering: "cell" } as const;
    const data = { grid, fields: { rho } };
    const { fields } = await derive("a = rho * 2\nb = a + 1", data, { device: "cpu", outputs: ["b", "a"] });
    expect(Object.keys(fields)).toEqual(["b", "a"]);
    expect(fields.a).toEqual({
      data: new Float32Array([2, 4, 6, 8, 10, 12]),
      components: 1,
      centering: "cell",
    });
  });

  it("gives numbers, vectors and histograms apart from fields", async () => {
    const text =
      "p90 = quantile(f, 0.9); at = max_position(f); h = histogram(f, 3, 0, 24); above = f > p90; two = 1 + 1";
    const result = await derive(text, { grid, fields: { f: ramp } }, { device: "cpu" });
    expect(Object.keys(result.fields)).toEqual(["above"]);
    // numpy.quantile(numpy.arange(24), 0.9) = 20.7
    expect([...result.fields.above.data].reduce((a, b) => a + b)).toBe(3);
    expect(result.numbers).toEqual({ two: 2 });
    expect(result.vectors).toEqual({ at: [1.5, 2, 2] });
    expect(result.histograms).toEqual({ h: { edges: [0, 8, 16, 24], counts: [8, 8, 8] } });
    const asked = await derive(
      text,
      { grid, fields: { f: ramp } },
      { device: "cpu", outputs: ["p90", "above"] },
    );
    expect(asked.numbers.p90).toBeCloseTo(20.7, 12);
    expect([Object.keys(asked.numbers), asked.vectors, asked.histograms]).toEqual([["p90"], {}, {}]);
  });

  it("takes a bare expression, and leaves its input alone", async () => {
    const { fields } = await derive("f", { grid, fields: { f: ramp } }, { device: "cpu" });
    expect(fields.result.data).toEqual(ramp);
    expect(fields.result.data.buffer).not.toBe(ramp.buffer);
  });

  it("reports its progress, what it decided, and why there is no GPU", async () => {
    const events: DeriveEvent[] = [];
    const onEvent = (event: DeriveEvent) => void events.push(event);
    const { report, notes } = await derive(
      "f",
      { grid, fields: { f: ramp } },
      { onEvent, strategy: "staged" },
    );
    expect(report.device).toBe("cpu");
    expect(notes[0]).toMatch(/^Computed on the CPU, for want of a GPU: .*WebGPU/);
    expect(notes[1]).toBe("The CPU has one way to compute; the strategy staged is the GPU's.");
    expect(events.filter(({ kind }) => kind === "note")).toHaveLength(2);
  });

  it("stops when its signal says so", async () => {
    const options = { device: "cpu", signal: AbortSignal.abort() } as const;
    await expect(derive("f", { grid, fields: { f: ramp } }, options)).rejects.toMatchObject({
      tag: "Cancelled",
    });
  });
});

describe("bad input to derive", () => {
  const f = ramp;
  const cases: readonly [string, unknown[], string, RegExp][] = [
    ["no text", [7, { grid, fields: { f } }], "BadArgument", /expression is 7/],
    ["an empty text", ["", { grid, fields: { f } }], "SyntaxError", /no expression/],
    ["an unknown field", ["g", { grid, fields: { f } }], "UnknownName", /g/],
    ["no data", ["f"], "BadArgument", /data of derive is undefined/],
    ["a misspelt part", ["f", { grid, field: { f } }], "BadArgument", /no “field”\. Did you mean “fields”/],
    ["no grid", ["f", { fields: { f } }], "BadArgument", /grid is undefined/],
    ["no dims", ["f", { grid: {}, fields: { f } }], "BadArgument", /neither dims nor axes/],
    ["two dims", ["f", { grid: { dims: [4, 6] }, fields: { f } }], "BadArgument", /dims has 2 numbers/],
    [
      "NaN dims",
      ["f", { grid: { dims: [4, Number.NaN, 6] }, fields: { f } }],
      "BadArgument",
      /NaN points along y/,
    ],
    [
      "half a node",
      ["f", { grid: { dims: [4.5, 1, 6] }, fields: { f } }],
      "BadArgument",
      /4.5 points along x/,
    ],
    ["words", ["f", { grid: { dims: ["4", 3, 2] }, fields: { f } }], "BadArgument", /dims holds “4”/],
    [
      "no spacing",
      ["f", { grid: { dims, spacing: [1, 0, 1] }, fields: { f } }],
      "BadArgument",
      /spacing 0 along y/,
    ],
    [
      "falling axes",
      [
        "f",
        {
          grid: {
            axes: [
              [0, 1, 1, 2],
              [0, 1, 2],
              [0, 1],
            ],
          },
          fields: { f },
        },
      ],
      "BadArgument",
      /coordinate 1 at position 2 along x/,
    ],
    [
      "axes and dims",
      ["f", { grid: { dims, axes: [[0], [0], [0]] }, fields: { f } }],
      "BadArgument",
      /both axes and dims/,
    ],
    ["a vast grid", ["x", { grid: { dims: [1e5, 1e5, 1] }, fields: {} }], "TooLarge", /nodes/],
    ["a list", ["f", { grid, fields: { f: [...f] } }], "BadArgument", /“f” is a value of type Array/],
    ["nothing", ["f", { grid, fields: { f: null } }], "BadArgument", /“f” is null/],
    [
      "clamped bytes",
      ["f", { grid, fields: { f: new Uint8ClampedArray(24) } }],
      "BadArgument",
      /Uint8ClampedArray/,
    ],
    [
      "too short",
      ["f", { grid, fields: { f: f.slice(1) } }],
      "BadArgument",
      /23 values where the nodes.*multiple of 24/,
    ],
    ["empty", ["f", { grid, fields: { f: new Float32Array(0) } }], "BadArgument", /0 values/],
    ["cells unsaid", ["f", { grid, fields: { f: f.slice(0, 6) } }], "BadArgument", /Say centering: “cell”/],
    [
      "components",
      ["f", { grid, fields: { f: { data: f, components: 3 } } }],
      "BadArgument",
      /24 values where the nodes of the grid need 72/,
    ],
    [
      "no components",
      ["f", { grid, fields: { f: { data: f, components: 0 } } }],
      "BadArgument",
      /0 components/,
    ],
    [
      "a misspelt centring",
      ["f", { grid, fields: { f: { data: f, centering: "nodes" } } }],
      "BadArgument",
      /centering is “nodes”\. Did you mean “node”/,
    ],
    [
      "a misspelt key",
      ["f", { grid, fields: { f: { data: f, centring: "node" } } }],
      "BadArgument",
      /“centering”/,
    ],
    [
      "no buffer",
      ["f", { grid, fields: { f: { buffer: f } } }],
      "BadArgument",
      /the buffer a value of type Float32Array/,
    ],
    [
      "a misspelt option",
      ["f", { grid, fields: { f } }, { stratgey: "fusion" }],
      "BadArgument",
      /Did you mean “strategy”/,
    ],
    [
      "an unknown strategy",
      ["f", { grid, fields: { f } }, { strategy: "fused" }],
      "BadArgument",
      /strategy is “fused”/,
    ],
    [
      "an unknown device",
      ["f", { grid, fields: { f } }, { device: "cuda" }],
      "BadArgument",
      /auto, gpu, cpu/,
    ],
    ["no memory", ["f", { grid, fields: { f } }, { memory: -1 }], "BadArgument", /memory is -1/],
    ["an unknown output", ["q = f", { grid, fields: { f } }, { outputs: ["p"] }], "UnknownName", /“p”/],
    ["no outputs", ["q = f", { grid, fields: { f } }, { outputs: [] }], "BadArgument", /outputs is empty/],
    [
      "an output's name alone",
      ["q = f", { grid, fields: { f } }, { outputs: "q" }],
      "BadArgument",
      /outputs is “q”/,
    ],
    ["no listener", ["f", { grid, fields: { f } }, { onEvent: 1 }], "BadArgument", /onEvent is 1/],
    [
      "no signal",
      ["f", { grid, fields: { f } }, { signal: {} }],
      "BadArgument",
      /signal is a value of type Object/,
    ],
  ];

  it.each(cases)("%s is refused by name", async (_, [text, data, options], tag, message) => {
    const call = loosely(text, data, { device: "cpu", ...(options as object) });
    await expect(call).rejects.toMatchObject({ tag, message: expect.stringMatching(message) });
  });

  it("a GPU that must be and is not is named", async () => {
    await expect(derive("f", { grid, fields: { f } }, { device: "gpu" })).rejects.toMatchObject({
      tag: "NoWebGPU",
    });
  });
});
