import { CrinkleError } from "../errors.ts";
import { nearestName } from "../names.ts";
import { badArgument } from "../primitives/checks.ts";
import { cahnHilliard } from "./cahn-hilliard/cahn-hilliard.ts";
import { ginzburgLandau } from "./ginzburg-landau/ginzburg-landau.ts";
import { grayScott } from "./gray-scott/gray-scott.ts";
import { heisenberg } from "./heisenberg/heisenberg.ts";
import { ising, isingHeatBath } from "./ising/ising.ts";
import { isingCrinkled, isingPlain } from "./ising-sites/models.ts";
import { kawasakiBodyCentred } from "./kawasaki/body-centred.ts";
import { kawasaki } from "./kawasaki/cubic.ts";
import { lotkaVolterra } from "./lotka-volterra/lotka-volterra.ts";
import type { LatticeField, LatticeModel, LatticePlan, Numbers, Pass } from "./model.ts";
import { usualOn } from "./parameters.ts";
import { potts } from "./potts/potts.ts";
import { prisonersDilemma } from "./prisoners-dilemma/prisoners-dilemma.ts";
import { isingSwendsenWang, pottsSwendsenWang } from "./swendsen-wang/swendsen-wang.ts";

export const latticeModels: readonly LatticeModel[] = [
  ising,
  isingHeatBath,
  isingPlain,
  isingCrinkled,
  potts,
  cahnHilliard,
  ginzburgLandau,
  lotkaVolterra,
  grayScott,
  kawasaki,
  kawasakiBodyCentred,
  heisenberg,
  prisonersDilemma,
  isingSwendsenWang,
  pottsSwendsenWang,
];

function unknown(what: string, name: string, known: readonly string[]): CrinkleError {
  const near = nearestName(name, known);
  return new CrinkleError({
    tag: "UnknownName",
    problem: `There is no ${what} “${name}”.`,
    remedy: near ? `Did you mean ${near}?` : `There is ${known.join(", ")}.`,
  });
}

/** Throws UnknownName. */
export function modelNamed(name: string): LatticeModel {
  const found = latticeModels.find((model) => model.name === name);
  if (found) return found;
  throw unknown(
    "model",
    name,
    latticeModels.map((model) => model.name),
  );
}

/**
 * All of a model's parameters on so many axes, with those that are given. Throws UnknownName, and BadArgument for what is out of
 * range.
 */
export function parametersOf(model: LatticeModel, given: Numbers, axes: number): Record<string, number> {
  const { parameters } = model;
  const values = Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, usualOn(parameter, axes)]),
  );
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(parameters, name))
      throw unknown(`parameter of ${model.name}`, name, Object.keys(parameters));
    const { min, max, isFixed } = parameters[name];
    const isWhole = Number.isInteger(value) || !isFixed;
    if (typeof value !== "number" || !(value >= min && value <= max) || !isWhole) {
      const what = isFixed ? "a whole number" : "a number";
      throw badArgument(`The parameter ${name} is ${value}.`, `It is ${what} from ${min} to ${max}.`);
    }
    values[name] = value;
  }
  return values;
}

/** A field of the plan's. Throws UnknownName. */
export function fieldNamed({ fields }: LatticePlan, name: string): LatticeField {
  if (Object.hasOwn(fields, name)) return fields[name];
  throw unknown("field", name, Object.keys(fields));
}

/** The passes of a start. Throws UnknownName. */
export function startNamed({ starts }: LatticePlan, name: string): readonly Pass[] {
  if (Object.hasOwn(starts, name)) return starts[name];
  throw unknown("start", name, Object.keys(starts));
}
