/** Integral figures of a velocity spectrum, by Parseval's theorem; per unit volume. */
import { forEachMode } from "./spectral.mjs";

/**
 * energy ½⟨|u|²⟩; enstrophy ½⟨|ω|²⟩; divergence: r.m.s. of ∇·u over the r.m.s. of ω;
 * shells: energy of the modes with k − ½ ≤ |k| < k + ½, at k.
 * @param {import("./solver.mjs").VectorSpectrum} velocity @param {number} n modes in each direction
 */
export function diagnose(velocity, n) {
  const [u, v, w] = velocity;
  const shells = new Float64Array(n);
  let energy = 0;
  let enstrophy = 0;
  let divergence = 0;
  forEachMode(n, (i, kx, ky, kz) => {
    const k2 = kx * kx + ky * ky + kz * kz;
    const mode =
      (kx === 0 ? 0.5 : 1) *
      (u.re[i] ** 2 + u.im[i] ** 2 + v.re[i] ** 2 + v.im[i] ** 2 + w.re[i] ** 2 + w.im[i] ** 2);
    energy += mode;
    enstrophy += k2 * mode;
    shells[Math.round(Math.sqrt(k2))] += mode;
    const re = kx * u.re[i] + ky * v.re[i] + kz * w.re[i];
    const im = kx * u.im[i] + ky * v.im[i] + kz * w.im[i];
    divergence += (kx === 0 ? 0.5 : 1) * (re * re + im * im);
  });
  return { energy, enstrophy, divergence: Math.sqrt(divergence / enstrophy), shells };
}

/**
 * ½⟨|ω|²⟩ of the Taylor–Green vortex for small t, with R = 1/ν, up to O(t⁵)
 * (the series of Taylor & Green, Proc. R. Soc. Lond. A 158, 1937, for the mean dissipation).
 * @param {number} t @param {number} reynolds
 */
export function earlyEnstrophy(t, reynolds) {
  const r = reynolds;
  const series =
    1 -
    (6 / r) * t +
    (5 / 48 + 18 / r ** 2) * t ** 2 -
    ((5 / 3 + 36 / r ** 2) / r) * t ** 3 +
    (50 / (99 * 64) + 1835 / (9 * 16 * r ** 2) + 54 / r ** 4) * t ** 4;
  return 0.375 * series;
}
