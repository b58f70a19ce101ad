import { brushConstants } from "../../core/lattice/brush.ts";
import type { LatticeModel, LatticePlan } from "../../core/lattice/model.ts";
import { modelNamed, parametersOf, startNamed } from "../../core/lattice/models.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { LatticeChange, LatticePlane, LatticeRequest, Numbers } from "./api.ts";
import { checkPlane, firstPlane } from "./plane.ts";

/** A lattice that was asked for, with what was left out. */
export interface LatticeSettings {
  readonly model: LatticeModel;
  readonly plan: LatticePlan;
  readonly size: readonly number[];
  readonly seed: number;
  readonly start: string;
  readonly parameters: Numbers;
  readonly sweeps: number;
  readonly changes: readonly LatticeChange[];
  readonly plane: LatticePlane;
}

/** Sweeps are numbered in 32 bits. */
const maxSweeps = 2 ** 32 - 1;

/** Throws UnknownName, BadArgument. */
export function settingsOf(request: LatticeRequest): LatticeSettings {
  const model = modelNamed(request.model);
  const { size, start = model.start, sweeps = 0, seed = 1, changes = [] } = request;
  const parameters = parametersOf(model, request.parameters ?? {}, size.length);
  const plan = model.on(size, parameters);
  startNamed(plan, start);
  plan.constantsOf(parameters);
  requireWhole("seed", seed, Number.MAX_SAFE_INTEGER);
  requireWhole("number of sweeps", sweeps, maxSweeps);
  checkChanges(model, plan, changes, sweeps);
  const plane = request.plane ?? firstPlane(size);
  checkPlane(size, plane);
  return { model, plan, size, seed, start, parameters, sweeps, changes, plane };
}

/** Throws BadArgument, UnknownName. */
function checkChanges(
  model: LatticeModel,
  plan: LatticePlan,
  changes: readonly LatticeChange[],
  sweeps: number,
): void {
  let former = 0;
  for (const change of changes) {
    if (!(change.sweep >= former && change.sweep <= sweeps)) {
      throw badArgument(
        `A change of the lattice is made after sweep ${change.sweep}, where one from ${former} to ${sweeps} is expected.`,
        "Give the changes in their order, and sweeps that reach the last of them.",
      );
    }
    former = change.sweep;
    if (change.kind === "stroke") brushConstants(plan, change.stroke);
    else plan.constantsOf(parametersOf(model, change.parameters, plan.lengths.length));
  }
}

function requireWhole(what: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= max) return;
  throw badArgument(`The ${what} of the lattice is ${value}.`, `Give a whole number from 0 to ${max}.`);
}
