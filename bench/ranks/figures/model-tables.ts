import { number, table } from "../../cluster/table.ts";
import { breakEven, computeMs, type ExchangeCosts } from "../model.ts";
import type { Model } from "../prediction.ts";
import { beyond, type Compared, predictionOf } from "./model-figures.ts";

/** Edges beyond which nobody has a grid: 2¹⁷ nodes along each. */
const maxEdge = 2 ** 17;
const asked = [2, 64, 1024];

/** What the model is made of, what it says beside measurements, and beyond them, in Markdown. */
export function tablesOf(
  model: Model,
  compared: readonly Compared[],
  carriers: readonly ExchangeCosts[],
): string {
  return [
    constants(carriers),
    counts(model),
    comparison(compared),
    times(model, carriers),
    edges(model, carriers),
  ].join("\n\n");
}

const constants = (carriers: readonly ExchangeCosts[]): string =>
  table(
    ["", "a call, ms", "a message, ms", "GB/s"],
    carriers.map(({ name, callMs, latencyMs, bytesPerMs }) => [
      name,
      ...[callMs, latencyMs, bytesPerMs / 1e6].map(number),
    ]),
  );

/** Of 2²⁴ elements: an isosurface of 256³ nodes. */
const counts = ({ predictions }: Model): string =>
  table(
    ["exchanges, and MB that a rank sends", ...asked.map((ranks) => `${ranks} ranks`)],
    predictions.map(({ algorithm, exchanges }) => [
      algorithm,
      ...asked.map((ranks) => {
        const n = algorithm.startsWith("isosurface") ? 2 ** 8 : 2 ** 24;
        const { allgathers, alltoalls, halos, gathered, exchanged } = exchanges(n, ranks);
        const megabytes = ((ranks - 1) * gathered + exchanged) / 1e6;
        return `${[allgathers, alltoalls, halos].map(Math.round).join(" + ")}, ${number(megabytes)}`;
      }),
    ]),
  );

const comparison = (compared: readonly Compared[]): string =>
  table(
    ["", "n", "ranks", "measured, ms", "predicted, ms", "predicted / measured"],
    compared.map(({ name, n, ranks, measuredMs, predictedMs }) => [
      name,
      String(n),
      String(ranks),
      number(measuredMs),
      number(predictedMs),
      (predictedMs / measuredMs).toFixed(2),
    ]),
  );

const times = (model: Model, carriers: readonly ExchangeCosts[]): string =>
  table(
    ["ms", "one GPU", ...carriers.flatMap(({ name }) => asked.map((ranks) => `${name}, ${ranks}`))],
    beyond.map(({ algorithm, n, title }) => {
      const one = predictionOf(model, algorithm);
      const over = carriers.flatMap((costs) => asked.map((ranks) => one.ms(costs, n, ranks)));
      return [title, ...[computeMs(one.compute, one.elements(n)), ...over].map(number)];
    }),
  );

/** From which edge on the distributed isosurface is faster than one GPU would be that holds the grid. */
function edges(model: Model, carriers: readonly ExchangeCosts[]): string {
  const one = predictionOf(model, "isosurface");
  const single = (n: number) => computeMs(one.compute, one.elements(n));
  return table(
    ["isosurface: edge from which ranks are faster", ...asked.map((ranks) => `${ranks} ranks`)],
    carriers.map((costs) => [
      costs.name,
      ...asked.map((ranks) =>
        String(breakEven((n) => one.ms(costs, n, ranks) < single(n), maxEdge) ?? "none"),
      ),
    ]),
  );
}
