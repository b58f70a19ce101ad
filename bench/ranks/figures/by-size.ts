// Times by size, as seed 000's Figures 3 and 4 have them.
import type { Figure, Panel } from "../../evaluation/chart.ts";
import type { Measured } from "../measured.ts";
import { rowsOf } from "../prediction.ts";
import { elementTicks, lookOf, looks, powerOfTwo, ticksAt } from "./looks.ts";

type Rows = readonly Measured[];

const ranksIn = (rows: Rows): readonly number[] =>
  [...new Set(rows.map(({ ranks }) => ranks))].sort((a, b) => a - b);

const bySize = (rows: Rows, name: string, ranks: number) =>
  rowsOf(rows, name, ranks).map(({ n, ms }) => [n, ms] as const);

/** The cases of an algorithm on a grid, which begin with its name. */
interface OnGrid {
  readonly name: string;
  readonly title: string;
  /** Where ranks have kept the halos of the case before. */
  readonly kept: { readonly name: string; readonly text: string };
}

/** An algorithm on a grid by size: one GPU without ranks, ranks with a block each, ranks with one long vector. */
function onGridFigure(rows: Rows, { name, title, kept }: OnGrid): Figure {
  const manual = `${name}, composed, manual`;
  const distributed = `${name}, composed, distributed`;
  const further = `${name}, composed, ${kept.name}`;
  const panels = ranksIn(rows.filter(({ name }) => name === distributed || name === further)).map(
    (ranks): Panel => ({
      title: ranks === 1 ? "1 rank" : `${ranks} ranks`,
      series: [
        { name: "single: one rank alone", ...looks.one, points: bySize(rows, manual, 1) },
        {
          name: "manual: a block and ghosts a rank",
          ...looks.manual,
          points: ranks === 1 ? [] : bySize(rows, manual, ranks),
        },
        {
          name: "distributed: one long vector",
          ...looks.distributed,
          points: bySize(rows, distributed, ranks),
        },
        { name: `distributed, ${kept.text}`, ...looks.further, points: bySize(rows, further, ranks) },
      ],
    }),
  );
  return {
    title,
    xLabel: "nodes along an edge",
    yLabel: "milliseconds",
    xTicks: ticksAt([64, 128, 256, 512, 768, 1024]),
    panels,
  };
}

export const isosurfaceFigure = (rows: Rows): Figure =>
  onGridFigure(rows, {
    name: "isosurface",
    title: "Composed isosurface of the tangle, from barrier to barrier",
    kept: { name: "further isovalue", text: "a further isovalue" },
  });

export const qFigure = (rows: Rows): Figure =>
  onGridFigure(rows, {
    name: "Q-criterion",
    title: "Composed Q-criterion of a flow, from barrier to barrier",
    kept: { name: "kept halos", text: "halos that are kept" },
  });

const sized = [
  { name: "inclusive scan", title: "inclusive scan" },
  { name: "sort", title: "sort of u32" },
  { name: "KD-tree, subtrees fused", title: "KD-tree" },
] as const;

/** Algorithms that move elements, by their number; each panel says from where on ranks are faster than one. */
export function sizesFigure(rows: Rows): Figure {
  const panels = sized.map(({ name, title }): Panel => {
    const counts = ranksIn(rows.filter((row) => row.name === name));
    return {
      title: `${title}: ${breakEvenText(rows, name, counts)}`,
      series: counts.map((ranks, k) => ({
        name: ranks === 1 ? "1 rank" : `${ranks} ranks`,
        ...lookOf(k),
        points: bySize(rows, name, ranks),
      })),
    };
  });
  return {
    title: "Scan, sort and KD-tree by size, from barrier to barrier",
    xLabel: "elements",
    yLabel: "milliseconds",
    xTicks: elementTicks,
    panels,
  };
}

function breakEvenText(rows: Rows, name: string, counts: readonly number[]): string {
  const single = new Map(rowsOf(rows, name, 1).map(({ n, ms }) => [n, ms]));
  const faster = counts
    .filter((ranks) => ranks > 1)
    .flatMap((ranks) => rowsOf(rows, name, ranks))
    .filter(({ n, ms }) => ms < (single.get(n) ?? 0))
    .sort((a, b) => a.n - b.n);
  if (faster.length === 0) return "no break-even";
  return `${faster[0].ranks} ranks faster from ${powerOfTwo(faster[0].n)} on`;
}
