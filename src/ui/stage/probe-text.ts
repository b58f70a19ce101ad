import { formatCount, formatNumber, formatWithin } from "../../core/format.ts";
import { axisRange, type Bounds, type Triple } from "../../core/grid.ts";
import type { ProbeReport, ProbeValue } from "../../engine/api.ts";

type Fact = readonly [name: string, value: string];

/** "(0.5, 1, −2)", with the digits that distinguish positions within the bounds. */
export function describePosition(position: Triple, bounds: Bounds): string {
  return `(${position.map((x, axis) => formatWithin(x, axisRange(bounds, axis), 5)).join(", ")})`;
}

/** A scalar's value, or a vector's components and its magnitude. */
export function describeValue({ values }: ProbeValue): string {
  const texts = values.map((value) => formatNumber(value, 5));
  if (values.length === 1) return texts[0];
  const magnitude = values.length <= 3 ? `, |·|\u00a0${formatNumber(Math.hypot(...values), 5)}` : "";
  return `{${texts.join(", ")}}${magnitude}`;
}

/** Position and values, for the readout beside the pointer. */
export function hoverFacts({ position, values }: ProbeReport, bounds: Bounds): readonly Fact[] {
  return [
    ["at", describePosition(position, bounds)],
    ...values.map((value) => [value.name, describeValue(value)] as const),
  ];
}

/** The facts about what was picked; `title` is the layer's title. */
export function pickFacts(report: ProbeReport, title: string, bounds: Bounds): readonly Fact[] {
  const { position, triangle, cell, isovalue, values } = report;
  return [
    ["Layer", title],
    ["Position", describePosition(position, bounds)],
    ...(triangle === undefined ? [] : [["Triangle", formatCount(triangle)] as const]),
    ...(cell ? [["Cell", cell.join(", ")] as const] : []),
    ...(isovalue === undefined ? [] : [["Isovalue", formatNumber(isovalue, 6)] as const]),
    ...values.map((value) => [value.name, describeValue(value)] as const),
  ];
}

/**
 * The same as text: lines of a name, a tab and the value at full precision, and a point set's nearest points as a
 * table.
 */
export function pickText(report: ProbeReport, title: string): string {
  const { position, triangle, cell, isovalue, values, nearest } = report;
  const lines = [
    ["layer", title],
    ["position", ...position],
    ...(triangle === undefined ? [] : [["triangle", triangle]]),
    ...(cell ? [["cell", ...cell]] : []),
    ...(isovalue === undefined ? [] : [["isovalue", isovalue]]),
    ...values.map(({ name, values }) => [name, ...values]),
  ];
  const columns = nearest?.[0]?.values.map(({ name }) => name) ?? [];
  const table = nearest
    ? [
        ["index", "distance", "x", "y", "z", ...columns],
        ...nearest.map(({ index, distance, position, values }) => [
          index,
          distance,
          ...position,
          ...values.map(({ values }) => values.join(" ")),
        ]),
      ]
    : [];
  return [...lines, ...table].map((line) => line.join("\t")).join("\n");
}
