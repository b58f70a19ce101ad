/** A run from t = 0 with its checks; keeps the state of one time. */
import { diagnose, earlyEnstrophy } from "./diagnostics.mjs";
import { copyVectorSpectrum, createSolver, createVectorSpectrum, taylorGreen } from "./solver.mjs";

/**
 * @typedef {{ time: number, energy: number, dissipation: number, resolution: number, balance: number }} Moment
 *   dissipation: −dE/dt = 2ν·enstrophy; resolution: k_max·η, η the Kolmogorov length;
 *   balance: (E(0) − E(t) − ∫ dissipation dt) / E(0), the integral by Simpson's rule
 */

/**
 * Runs to time `end`, an even number of steps, and keeps the state at time `at`, or else at the largest dissipation.
 * @param {{ modes: number, reynolds: number, timeStep: number, end: number, at?: number,
 *   report?: (moment: Moment) => void }} options
 */
export function run({ modes, reynolds, timeStep, end, at, report }) {
  const viscosity = 1 / reynolds;
  const solver = createSolver({ modes, viscosity, timeStep });
  const velocity = taylorGreen(modes);
  const kept = createVectorSpectrum(modes);
  const start = diagnose(velocity, modes);
  const keepStep = at === undefined ? undefined : Math.round(at / timeStep);

  let peak = { time: 0, dissipation: 0 };
  let keptAt = { time: 0, energy: 0, dissipation: 0, resolution: 0, tail: 0 };
  let [balance, divergence, early] = [0, 0, 0];
  let resolution = Number.POSITIVE_INFINITY;
  let lost = 0;
  let [before, between] = [2 * viscosity * start.enstrophy, 0];

  const steps = 2 * Math.round(end / timeStep / 2);
  for (let step = 1; step <= steps; step++) {
    solver.step(velocity);
    const time = step * timeStep;
    const now = diagnose(velocity, modes);
    const dissipation = 2 * viscosity * now.enstrophy;
    const moment = {
      time,
      energy: now.energy,
      dissipation,
      resolution: (modes / 2 - 1) * (viscosity ** 3 / dissipation) ** 0.25,
    };
    divergence = Math.max(divergence, now.divergence);
    resolution = Math.min(resolution, moment.resolution);
    if (time <= 0.2) early = Math.max(early, Math.abs(now.enstrophy / earlyEnstrophy(time, reynolds) - 1));
    const strongest = dissipation > peak.dissipation;
    if (strongest) peak = { time, dissipation };
    if (keepStep === undefined ? strongest : step === keepStep) {
      copyVectorSpectrum(velocity, kept);
      keptAt = { ...moment, tail: now.shells[modes / 2 - 1] / Math.max(...now.shells) };
    }
    if (step % 2 === 1) {
      between = dissipation;
      continue;
    }
    lost += (timeStep / 3) * (before + 4 * between + dissipation);
    before = dissipation;
    const residual = (start.energy - now.energy - lost) / start.energy;
    balance = Math.max(balance, Math.abs(residual));
    report?.({ ...moment, balance: residual });
  }
  return {
    velocity: kept,
    pressure: solver.pressure(kept),
    kept: keptAt,
    peak,
    checks: { initialEnergy: start.energy, balance, divergence, early, resolution },
  };
}
