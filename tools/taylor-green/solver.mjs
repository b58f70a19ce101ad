/**
 * Direct numerical simulation of the incompressible Navier–Stokes equations on [0, 2π)³ with periodic borders:
 * Fourier–Galerkin in space (products on the 3/2 grid, so that no mode is aliased and the nonlinear term conserves
 * energy to round-off), rotational form, fourth-order Runge–Kutta in time with the viscous term integrated exactly
 * (Canuto, Hussaini, Quarteroni & Zang, Spectral Methods, 2007).
 */
import { createSpectrum, forEachMode, planTransforms } from "./spectral.mjs";

/** @typedef {import("./spectral.mjs").Spectrum} Spectrum */
/** @typedef {[Spectrum, Spectrum, Spectrum]} VectorSpectrum */

/** @param {number} n @returns {VectorSpectrum} */
export function createVectorSpectrum(n) {
  return [createSpectrum(n), createSpectrum(n), createSpectrum(n)];
}

/**
 * The Taylor–Green vortex at t = 0: u = (sin x cos y cos z, −cos x sin y cos z, 0).
 * @param {number} n @returns {VectorSpectrum}
 */
export function taylorGreen(n) {
  const velocity = createVectorSpectrum(n);
  forEachMode(n, (i, kx, ky, kz) => {
    if (kx !== 1 || Math.abs(ky) !== 1 || Math.abs(kz) !== 1) return;
    velocity[0].im[i] = -1 / 8;
    velocity[1].im[i] = ky / 8;
  });
  return velocity;
}

/** @param {VectorSpectrum} from @param {VectorSpectrum} to */
export function copyVectorSpectrum(from, to) {
  for (let c = 0; c < 3; c++) {
    to[c].re.set(from[c].re);
    to[c].im.set(from[c].im);
  }
}

/**
 * @param {{ modes: number, viscosity: number, timeStep: number }} options modes: n, even, with 3n/2 = 2^a·3^b
 */
export function createSolver({ modes: n, viscosity, timeStep }) {
  const grid = (3 * n) / 2;
  const size = (n * n * n) / 2;
  const { toField, toSpectrum } = planTransforms(n, grid);
  const fields = Array.from({ length: 6 }, () => new Float64Array(grid ** 3));
  const curl = createSpectrum(n);
  const decay = new Float64Array(size);
  forEachMode(n, (i, kx, ky, kz) => {
    decay[i] = Math.exp(-0.5 * viscosity * timeStep * (kx * kx + ky * ky + kz * kz));
  });

  /** Velocity and vorticity on the grid, in `fields` 0–2 and 3–5. @param {VectorSpectrum} velocity */
  function evaluate(velocity) {
    for (let c = 0; c < 3; c++) {
      const a = (c + 1) % 3;
      const b = (c + 2) % 3;
      const [ua, ub] = [velocity[a], velocity[b]];
      const k = [0, 0, 0];
      forEachMode(n, (i, kx, ky, kz) => {
        k[0] = kx;
        k[1] = ky;
        k[2] = kz;
        curl.re[i] = k[b] * ua.im[i] - k[a] * ub.im[i];
        curl.im[i] = k[a] * ub.re[i] - k[b] * ua.re[i];
      });
      toField(velocity[c], fields[c]);
      toField(curl, fields[c + 3]);
    }
  }

  /**
   * The Lamb vector u × ω; `fields` 3–5 are overwritten.
   * @param {VectorSpectrum} velocity @param {VectorSpectrum} out
   */
  function lambVector(velocity, out) {
    evaluate(velocity);
    const [u, v, w, p, q, r] = fields;
    for (let i = 0; i < u.length; i++) {
      const [a, b, c] = [p[i], q[i], r[i]];
      p[i] = v[i] * c - w[i] * b;
      q[i] = w[i] * a - u[i] * c;
      r[i] = u[i] * b - v[i] * a;
    }
    for (let c = 0; c < 3; c++) toSpectrum(fields[c + 3], out[c]);
  }

  /**
   * u × ω made free of divergence: the gradient of the total pressure p + |u|²/2 drops out.
   * @param {VectorSpectrum} velocity @param {VectorSpectrum} out
   */
  function nonlinear(velocity, out) {
    lambVector(velocity, out);
    const [x, y, z] = out;
    forEachMode(n, (i, kx, ky, kz) => {
      const k2 = kx * kx + ky * ky + kz * kz || 1;
      const re = (kx * x.re[i] + ky * y.re[i] + kz * z.re[i]) / k2;
      const im = (kx * x.im[i] + ky * y.im[i] + kz * z.im[i]) / k2;
      x.re[i] -= kx * re;
      x.im[i] -= kx * im;
      y.re[i] -= ky * re;
      y.im[i] -= ky * im;
      z.re[i] -= kz * re;
      z.im[i] -= kz * im;
    });
  }

  const [slope, stage, sum] = Array.from({ length: 3 }, () => createVectorSpectrum(n));

  /**
   * Calls visit(u, slope, stage, sum) for the real and the imaginary part of each component.
   * @param {VectorSpectrum} velocity
   * @param {(u: Float64Array, k: Float64Array, next: Float64Array, total: Float64Array) => void} visit
   */
  function forEachPart(velocity, visit) {
    for (let c = 0; c < 3; c++) {
      for (const part of /** @type {const} */ (["re", "im"])) {
        visit(velocity[c][part], slope[c][part], stage[c][part], sum[c][part]);
      }
    }
  }

  return {
    /** Advances the velocity by one time step, in place. @param {VectorSpectrum} velocity */
    step(velocity) {
      const h = timeStep;
      nonlinear(velocity, slope);
      forEachPart(velocity, (u, k, next, total) => {
        for (let i = 0; i < size; i++) {
          const e = decay[i];
          total[i] = e * e * (u[i] + (h / 6) * k[i]);
          next[i] = e * (u[i] + (h / 2) * k[i]);
        }
      });
      nonlinear(stage, slope);
      forEachPart(velocity, (u, k, next, total) => {
        for (let i = 0; i < size; i++) {
          const e = decay[i];
          total[i] += (h / 3) * e * k[i];
          next[i] = e * u[i] + (h / 2) * k[i];
        }
      });
      nonlinear(stage, slope);
      forEachPart(velocity, (u, k, next, total) => {
        for (let i = 0; i < size; i++) {
          const e = decay[i];
          total[i] += (h / 3) * e * k[i];
          next[i] = e * e * u[i] + h * e * k[i];
        }
      });
      nonlinear(stage, slope);
      forEachPart(velocity, (u, k, _, total) => {
        for (let i = 0; i < size; i++) u[i] = total[i] + (h / 6) * k[i];
      });
    },

    /**
     * The pressure over the density, of mean zero: ∇²(p + |u|²/2) = ∇·(u × ω).
     * @param {VectorSpectrum} velocity @returns {Spectrum}
     */
    pressure(velocity) {
      lambVector(velocity, stage);
      const [u, v, w] = fields;
      for (let i = 0; i < u.length; i++) u[i] = 0.5 * (u[i] * u[i] + v[i] * v[i] + w[i] * w[i]);
      const pressure = createSpectrum(n);
      toSpectrum(u, pressure);
      const [x, y, z] = stage;
      forEachMode(n, (i, kx, ky, kz) => {
        const k2 = kx * kx + ky * ky + kz * kz;
        const re = kx * x.im[i] + ky * y.im[i] + kz * z.im[i];
        const im = -(kx * x.re[i] + ky * y.re[i] + kz * z.re[i]);
        pressure.re[i] = k2 === 0 ? 0 : re / k2 - pressure.re[i];
        pressure.im[i] = k2 === 0 ? 0 : im / k2 - pressure.im[i];
      });
      return pressure;
    },
  };
}
