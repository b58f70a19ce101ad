// The model beside what was measured, and beyond it.
import type { Figure, Panel, Series } from "../../evaluation/chart.ts";
import type { Measured } from "../measured.ts";
import { computeMs, type ExchangeCosts } from "../model.ts";
import { type Model, type Prediction, rowsOf } from "../prediction.ts";
import { elementTicks, lookOf, looks, rankCounts, ticksAt } from "./looks.ts";

/** A row, and what the model says of it. */
export interface Compared {
  readonly name: string;
  readonly n: number;
  readonly ranks: number;
  readonly measuredMs: number;
  readonly predictedMs: number;
}

export function compare({ costs, barrierMs, predictions }: Model, rows: readonly Measured[]): Compared[] {
  return predictions.flatMap((one) => {
    const counts = [...new Set(rows.filter(({ name }) => name === one.name).map(({ ranks }) => ranks))];
    return counts
      .flatMap((ranks) => rowsOf(rows, one.name, ranks))
      .map(({ name, n, ranks, ms }) => ({
        name,
        n,
        ranks,
        measuredMs: ms,
        predictedMs: one.ms(costs, n, ranks) + (ranks > 1 ? barrierMs : 0),
      }));
  });
}

export function predictedFigure(compared: readonly Compared[], model: Model): Figure {
  const measured = model.predictions.filter((one) => compared.some(({ name }) => name === one.name));
  const panels = measured.map((one): Panel => {
    const own = compared.filter(({ name }) => name === one.name);
    const counts = [...new Set(own.map(({ ranks }) => ranks))];
    return {
      title: one.algorithm,
      series: counts.flatMap((ranks, k): Series[] => {
        const points = own.filter((row) => row.ranks === ranks);
        const at = (ms: (row: Compared) => number) =>
          points.map((row) => [one.elements(row.n), ms(row)] as const);
        const who = ranks === 1 ? "1 rank" : `${ranks} ranks`;
        return [
          { name: `${who}, measured`, ...lookOf(k), points: at((row) => row.measuredMs) },
          {
            name: `${who}, predicted`,
            ...lookOf(k),
            marker: "diamond",
            dash: "6 4",
            points: at((row) => row.predictedMs),
          },
        ];
      }),
    };
  });
  return {
    title: "Predicted from latency and rate, and measured",
    xLabel: "elements (of an isosurface: nodes)",
    yLabel: "milliseconds",
    xTicks: elementTicks.filter((_, k) => k % 2 === 0),
    panels,
  };
}

/** What the model is asked beyond what was measured; vectors have up to 2³¹ words over all ranks. */
export const beyond = [
  { algorithm: "isosurface", n: 1024, title: "isosurface of 1024³ nodes" },
  { algorithm: "sort", n: 2 ** 30, title: "sort of 2³⁰ keys" },
] as const;

export function predictionOf({ predictions }: Model, algorithm: Prediction["algorithm"]): Prediction {
  const found = predictions.find((one) => one.algorithm === algorithm);
  if (!found) throw new Error(`The model does not know ${algorithm}.`);
  return found;
}

export function beyondFigure(model: Model, carriers: readonly ExchangeCosts[]): Figure {
  const panels = beyond.map(({ algorithm, n, title }): Panel => {
    const one = predictionOf(model, algorithm);
    const over = (ms: (ranks: number) => number) => rankCounts.map((ranks) => [ranks, ms(ranks)] as const);
    const single = computeMs(one.compute, one.elements(n));
    return {
      title,
      series: [
        { name: "one GPU, if it held the data", ...looks.one, points: over(() => single) },
        {
          name: "computing alone, shared evenly",
          ...looks.manual,
          points: over((ranks) => computeMs(one.compute, one.elements(n) / ranks)),
        },
        ...carriers.map((costs, k) => ({
          name: costs.name,
          ...lookOf(2 + k),
          points: over((ranks) => one.ms(costs, n, ranks)).slice(1),
        })),
      ],
    };
  });
  return {
    title: "What the model says of up to 1,024 ranks",
    xLabel: "ranks, a GPU each",
    yLabel: "milliseconds",
    xTicks: ticksAt([1, 4, 16, 64, 256, 1024]),
    panels,
  };
}
