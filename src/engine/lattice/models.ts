import type { LatticeModel, LatticePlan } from "../../core/lattice/model.ts";
import { latticeModels, parametersOf } from "../../core/lattice/models.ts";
import type { Described, LatticeModelSummary } from "./api.ts";

/** Lengths that every model can have. */
const anyLengths = [48, 48];

const anyPlan = (model: LatticeModel) => model.on(anyLengths, parametersOf(model, {}, anyLengths.length));

const describedOf = ({ label, meaning, unit }: Described): Described => ({
  label,
  meaning,
  ...(unit && { unit }),
});

const described = (records: Readonly<Record<string, Described>>): Record<string, Described> =>
  Object.fromEntries(Object.entries(records).map(([name, record]) => [name, describedOf(record)]));

/** A quantity's own label, or that of the measure or field of the same name. */
function quantitiesOf({ measures }: LatticeModel, plan: LatticePlan): Record<string, Described> {
  const zeros = Object.fromEntries(plan.sums.writes.map((name) => [name, 0]));
  return Object.fromEntries(
    Object.keys(plan.quantitiesOf(zeros)).map((name) => {
      const known: Partial<Described> = measures[name] ?? plan.fields[name] ?? {};
      const label = plan.quantityLabels?.[name] ?? known.label ?? name;
      return [name, describedOf({ meaning: label, ...known, label })];
    }),
  );
}

/** What the page shows of a model: of one that is not open yet, what it has with its usual parameters. */
export function modelSummary(model: LatticeModel, plan: LatticePlan = anyPlan(model)): LatticeModelSummary {
  return {
    name: model.name,
    title: model.title,
    summary: model.summary,
    parameters: Object.entries(model.parameters).map(([name, parameter]) => ({
      name,
      ...describedOf(parameter),
      default: parameter.default,
      ...(parameter.defaultByAxes && { defaultByAxes: parameter.defaultByAxes }),
      min: parameter.min,
      max: parameter.max,
      isFixed: parameter.isFixed ?? false,
    })),
    starts: [model.start, ...Object.keys(plan.starts).filter((start) => start !== model.start)],
    fields: described(plan.fields),
    quantities: quantitiesOf(model, plan),
    measures: described(model.measures),
  };
}

/** The models that run between pictures: those whose sweeps wait for reductions, as clusters do, cannot. */
export const modelSummaries = (): LatticeModelSummary[] =>
  latticeModels.filter((model) => !anyPlan(model).clusters).map((model) => modelSummary(model));
