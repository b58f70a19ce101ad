/** The temperature of the models that have one, and which it is on so many axes where none is given. */
import type { Parameter } from "./model.ts";

/** T in units of J / k of a model, with the coupling J and Boltzmann's constant k; `byAxes` has the usual one on 1, 2, … axes. */
export const temperatureParameter = (byAxes: readonly number[]): Parameter => ({
  label: "Temperature",
  meaning: "T in units of J / k, with the coupling J and Boltzmann's constant k",
  unit: "J / k",
  default: byAxes[1],
  defaultByAxes: byAxes,
  min: 0.01,
  max: 1000,
});

/**
 * At the critical temperature of the Ising model on hypercubic lattices, or a little below: 2 / ln(1 + √2) on two axes (Onsager, Phys. Rev.
 * 65, 117, 1944), 4.51152 on three (Ferrenberg, Xu and Landau, Phys. Rev. E 97, 043301, 2018), 6.6803 on four (Lundow and Markström, Phys. Rev. E
 * 80, 031104, 2009), and q·(1 − 1/q − 4/(3q²) − 13/(3q³) − 979/(45q⁴) − …), with q = 2d, on d > 4 (Fisher and Gaunt, Phys. Rev. 133, A224, 1964).
 * One axis has no transition: there the correlation length is 27 sites.
 */
export const isingTemperatures = [0.5, 2.269, 4.5, 6.65, 8.75, 10.8, 12.8, 14.8, 16.9, 18.9];

/**
 * A little below the transition of three states: at 1 / ln(1 + √3) on two axes (Potts, Proc. Camb. Phil. Soc. 48, 106, 1952), 1.8163 on three
 * (Janke and Villanova, Nucl. Phys. B 489, 679, 1997). On d > 3 axes it is that of mean fields, d / (2 ln 2), times what the Ising model's is of
 * its own, 2d; on one axis half of the Ising model's.
 */
export const pottsTemperatures = [0.25, 0.99, 1.8, 2.4, 3.1, 3.9, 4.6, 5.3, 6.1, 6.8];

/**
 * A little below the transition, which is at 1.4429 on three axes (Chen, Ferrenberg and Landau, Phys. Rev. B 48, 3249, 1993); on d > 3 axes
 * at about that of mean fields, 2d / 3, times what the Ising model's is of its own, 2d. One and two axes have no transition: there the
 * correlation length is about 10 sites, and 30.
 */
export const heisenbergTemperatures = [0.1, 0.6, 1.44, 2.15, 2.85, 3.5, 4.2, 4.9, 5.5, 6.2];

/** Two thirds of the Ising model's, where mixtures separate fast, into nearly pure domains. */
export const kawasakiTemperatures = [0.5, 1.5, 3, 4.4, 5.8, 7.2, 8.5, 9.9, 11.2, 12.6];

/**
 * The same on body-centred lattices of 1 to 6 axes, whose critical temperature is that of the square lattice on two axes, 6.354 on three (Butera and
 * Comi, Phys. Rev. B 62, 14837, 2000), and less than 2^d on more.
 */
export const bodyCentredTemperatures = [0.5, 1.5, 4.2, 9.8, 20, 42];
