// Times by the number of ranks, as seed 000's Figures 6, 7 and 10 have them.
import type { Figure, Panel, Series } from "../../evaluation/chart.ts";
import type { Measured } from "../measured.ts";
import { lookOf, looks, powerOfTwo, rankCounts, ticksAt } from "./looks.ts";

type Rows = readonly Measured[];

/** The share of the rate that so many ranks would have if each kept up with one alone; empty for one rank. */
export function efficiency(rows: Rows, { ms, ranks }: Measured, kind: "strong" | "weak"): string {
  const single = rows.find((row) => row.ranks === 1);
  return single && ranks > 1 ? (single.ms / ms / (kind === "strong" ? ranks : 1)).toFixed(2) : "";
}

/** The rows of a case at one size, by the number of ranks. */
const atSize = (rows: Rows, name: string, n: number): Rows =>
  rows.filter((row) => row.name === name && row.n === n).toSorted((a, b) => a.ranks - b.ranks);

const sizesOf = (rows: Rows, name: string): readonly number[] => [
  ...new Set(rows.filter((row) => row.name === name).map(({ n }) => n)),
];

const points = (rows: Rows) => rows.map(({ ranks, ms }) => [ranks, ms] as const);

const axes = { xLabel: "ranks", xTicks: ticksAt(rankCounts) };

/** What is added to the names of the cases of fused kernels. */
interface Added {
  readonly isosurface: string;
  readonly q: string;
}

function fusedPanels(rows: Rows, added: Added): Panel[] {
  const panel = (title: string, kind: "strong" | "weak"): Panel => {
    const names = [`isosurface, fused, ${kind}${added.isosurface}`, `Q-criterion, fused, ${kind}${added.q}`];
    const keys = names.flatMap((name) => sizesOf(rows, name).map((n) => ({ name, n })));
    const series = keys.map(({ name, n }, k): Series => {
      const own = atSize(rows, name, n);
      return {
        name: `${name.split(",")[0]} ${n}³${kind === "weak" ? " a rank" : ""}`,
        ...lookOf(k),
        dash: name.startsWith("Q") ? "6 4" : undefined,
        points: points(own),
        labels: {
          side: name.startsWith("Q") ? "above" : "below",
          texts: own.map((row) => efficiency(own, row, kind)),
        },
      };
    });
    return { title, series };
  };
  return [panel("the same grid (strong scaling)", "strong"), panel("a grid a rank (weak scaling)", "weak")];
}

/** What ranks compute alone, by their number; each point with its parallel efficiency. */
export const computingFigure = (rows: Rows): Figure => ({
  title: "What each rank computes alone, in its layers with ghosts",
  description:
    "Milliseconds of fused kernels by the number of ranks, with parallel efficiency at each point.",
  ...axes,
  xLabel: "ranks, a GPU each",
  yLabel: "milliseconds on the GPU",
  panels: fusedPanels(rows, { isosurface: "", q: "" }),
});

/** The same from start to end, with what ranks exchange. */
export const endToEndFigure = (rows: Rows): Figure => ({
  title:
    "The same from barrier to barrier: a further isovalue with its counts, Q of a new field with its ghosts",
  description:
    "Milliseconds from barrier to barrier by the number of ranks, with parallel efficiency at each point.",
  ...axes,
  xLabel: "ranks, a GPU each",
  yLabel: "milliseconds",
  panels: fusedPanels(rows, { isosurface: ", end to end", q: ", end to end, new field" }),
});

/** Algorithms, each over all ranks and, where there is such a case, by each rank alone. */
const scaled = [
  {
    title: "composed isosurface",
    largest: 512,
    curves: [
      { name: "isosurface, composed, manual", text: "manual", look: looks.manual },
      { name: "isosurface, composed, distributed", text: "distributed", look: looks.distributed },
      {
        name: "isosurface, composed, further isovalue",
        text: "distributed, a further isovalue",
        look: looks.further,
      },
    ],
  },
  {
    title: "composed Q-criterion",
    largest: 512,
    curves: [
      { name: "Q-criterion, composed, manual", text: "manual", look: looks.manual },
      { name: "Q-criterion, composed, distributed", text: "distributed", look: looks.distributed },
      { name: "Q-criterion, composed, kept halos", text: "distributed, kept halos", look: looks.further },
    ],
  },
  {
    title: "sort of u32",
    largest: Number.POSITIVE_INFINITY,
    curves: [
      { name: "sort, manual", text: "manual", look: looks.manual },
      { name: "sort", text: "distributed", look: looks.distributed },
    ],
  },
  {
    title: "KD-tree",
    largest: Number.POSITIVE_INFINITY,
    curves: [
      { name: "KD-tree, manual", text: "manual", look: looks.manual },
      { name: "KD-tree, subtrees fused", text: "distributed", look: looks.distributed },
    ],
  },
] as const;

/**
 * The same problem on more and more ranks: the largest that any number of them had, up to 512³ nodes; each point with its parallel
 * efficiency.
 */
export function scalingFigure(rows: Rows): Figure {
  const panels = scaled.map(({ title, largest, curves }): Panel => {
    const counts = (n: number) =>
      new Set(rows.filter((row) => named(row) && row.n === n).map(({ ranks }) => ranks)).size;
    const named = ({ name }: Measured) => curves.some((curve) => curve.name === name);
    const sizes = [...new Set(rows.filter((row) => named(row) && row.n <= largest).map(({ n }) => n))];
    const n = sizes.toSorted((a, b) => counts(b) - counts(a) || b - a)[0];
    const size = largest === 512 ? `${n}³` : powerOfTwo(n);
    const series = curves.map(({ name, text, look }): Series => {
      const own = atSize(rows, name, n);
      const texts = own.map((row) => efficiency(own, row, "strong"));
      return {
        name: text,
        ...look,
        points: points(own),
        labels: { side: look === looks.manual ? "below" : "above", texts },
      };
    });
    return { title: n === undefined ? title : `${title}, ${size}`, series };
  });
  return {
    title: "The same problem on more ranks, from barrier to barrier",
    description: "Milliseconds by the number of ranks, with parallel efficiency at each point.",
    ...axes,
    yLabel: "milliseconds",
    panels,
  };
}
