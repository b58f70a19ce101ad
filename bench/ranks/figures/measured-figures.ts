import type { Figure } from "../../evaluation/chart.ts";
import type { Measured } from "../measured.ts";
import { computingFigure, endToEndFigure, scalingFigure } from "./by-ranks.ts";
import { isosurfaceFigure, qFigure, sizesFigure } from "./by-size.ts";

const figures = {
  computing: computingFigure,
  "end-to-end": endToEndFigure,
  scaling: scalingFigure,
  isosurface: isosurfaceFigure,
  "q-criterion": qFigure,
  sizes: sizesFigure,
};

/** What can be drawn of the rows, by the ends of their files' names: panels that have points, of figures that have panels. */
export function measuredFigures(rows: readonly Measured[]): Readonly<Record<string, Figure>> {
  const drawn = Object.entries(figures).flatMap(([name, figureOf]) => {
    const figure = figureOf(rows);
    const panels = figure.panels.filter(({ series }) => series.some(({ points }) => points.length > 0));
    return panels.length > 0 ? [[name, { ...figure, panels }] as const] : [];
  });
  return Object.fromEntries(drawn);
}
