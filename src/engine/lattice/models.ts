import type { LatticeModel } from "../../core/lattice/model.ts";
import { latticeModels, parametersOf } from "../../core/lattice/models.ts";
import type { LatticeModelSummary } from "./api.ts";

/** Lengths that every model can have. */
const anyLengths = [48, 48];

const anyPlan = (model: LatticeModel) => model.on(anyLengths, parametersOf(model, {}));

/** What the page shows of a model before one is opened: names of starts and fields do not depend on the lengths. */
export function modelSummary(model: LatticeModel): LatticeModelSummary {
  const { starts, fields } = anyPlan(model);
  return {
    name: model.name,
    summary: model.summary,
    parameters: Object.entries(model.parameters).map(([name, parameter]) => ({
      name,
      meaning: parameter.meaning,
      default: parameter.default,
      min: parameter.min,
      max: parameter.max,
      isFixed: parameter.isFixed ?? false,
    })),
    starts: [model.start, ...Object.keys(starts).filter((start) => start !== model.start)],
    fields: Object.fromEntries(Object.entries(fields).map(([name, { meaning }]) => [name, meaning])),
    measures: Object.fromEntries(
      Object.entries(model.measures).map(([name, { meaning }]) => [name, meaning]),
    ),
  };
}

/** The models that run between pictures: those whose sweeps wait for reductions, as clusters do, cannot. */
export const modelSummaries = (): LatticeModelSummary[] =>
  latticeModels.filter((model) => !anyPlan(model).clusters).map(modelSummary);
