import { describe, expect, test } from "vitest";
import { type Scale, scaleOver, scalePosition, scaleValue } from "./scale.ts";

/**
 * matplotlib's formulas, computed in NumPy. LogNorm: (ln v − ln vmin) / (ln vmax − ln vmin). SymLogNorm with linscale 1 and base 10:
 * T(v) = sign(v) linthresh (1/(1 − 1/10) + log10(|v|/linthresh)) beyond linthresh, v/(1 − 1/10) within; (T(v) − T(vmin)) / (T(vmax) − T(vmin)).
 */
const positions: readonly (readonly [Scale, readonly (readonly [value: number, position: number])[]])[] = [
  [
    { kind: "log", low: 1e-6, high: 0.00034 },
    [
      [1e-9, -1.1850780110407393],
      [1e-6, 0.0],
      [3e-6, 0.18847530252281305],
      [0.0001, 0.7900520073604929],
      [0.00034, 1.0],
      [0.01, 1.5801040147209857],
    ],
  ],
  [
    { kind: "log", low: 2, high: 7 },
    [
      [2, 0.0],
      [3, 0.3236566839097652],
      [5, 0.7314158822675504],
      [7, 1.0],
    ],
  ],
  [
    { kind: "symlog", low: -2, high: 50 },
    [
      [-10, -0.10242395939431642],
      [-2, 0.0],
      [-0.3, 0.12073192684036115],
      [-0.05, 0.23475875428289555],
      [-0.02, 0.33244912607656846],
      [0, 0.39757604060568374],
      [0.05, 0.560393326928472],
      [0.7, 0.7283418378213106],
      [50, 1.0],
      [100, 1.0441115982961933],
    ],
  ],
  [
    { kind: "symlog", low: 0, high: 1 },
    [
      [0, 0.0],
      [0.0005, 0.13513513513513514],
      [0.001, 0.2702702702702703],
      [0.03, 0.6295700349318099],
      [1, 1.0],
    ],
  ],
  [
    { kind: "symlog", low: 10, high: 1000 },
    [
      [10, 0.0],
      [30, 0.23856062735983113],
      [1000, 1.0],
    ],
  ],
];

describe("scales", () => {
  test.each(positions)("place numbers as matplotlib does: %o", (scale, expected) => {
    for (const [value, position] of expected) {
      expect(scalePosition(scale, value), String(value)).toBeCloseTo(position, 12);
      if (position >= 0 && position <= 1)
        expect(scaleValue(scale, position) / scale.high).toBeCloseTo(value / scale.high, 12);
    }
  });

  test("a log scale has 0 and less below its lower end, and NaN nowhere", () => {
    const scale = scaleOver("log", [0.1, 10]);
    expect(scalePosition(scale, 0)).toBe(-Infinity);
    expect(scalePosition(scale, -3)).toBe(-Infinity);
    expect(scalePosition(scale, Number.NaN)).toBeNaN();
  });

  test("a range that reaches 0 begins at a millionth of its upper end, and one without numbers above 0 is linear", () => {
    expect(scaleOver("log", [0, 3.4e-4])).toEqual({ kind: "log", low: 3.4e-10, high: 3.4e-4 });
    expect(scaleOver("log", [-5, 2])).toEqual({ kind: "log", low: 2e-6, high: 2 });
    expect(scaleOver("log", [1e-40, 1])).toEqual({ kind: "log", low: 1e-30, high: 1 });
    expect(scaleOver("log", [-5, 0])).toEqual({ kind: "linear", low: -5, high: 0 });
    expect(scaleOver("symlog", [-5, 0])).toEqual({ kind: "symlog", low: -5, high: 0 });
  });

  test("a single number lies in the middle", () => {
    for (const kind of ["linear", "log", "symlog"] as const) {
      const scale = scaleOver(kind, [3, 3]);
      expect(scale.kind).toBe("linear");
      expect(scalePosition(scale, 7)).toBe(0.5);
    }
  });
});
