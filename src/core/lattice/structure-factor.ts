/** The structure factor of a field on a periodic lattice, and the size of domains that follows from it. */
import { countOf } from "../hypercube/shape.ts";
import { transformInPlace } from "./fourier.ts";

export interface StructureFactor {
  /** Middles of shells of wave numbers, in radians a site: multiples of 2π / L, up to π, of the longest length L. */
  readonly wavenumbers: Float64Array<ArrayBuffer>;
  /**
   * The mean of S(k) = |Σ_x (f(x) − ⟨f⟩) exp(−ik·x)|² / N over the wave vectors of a shell, those nearer to its middle than to others;
   * NaN of shells that have none. Components of vectors add up.
   */
  readonly values: Float64Array<ArrayBuffer>;
  /** 2π Σ S(k) / Σ |k| S(k) over the wave vectors of all shells, in sites; NaN of a field that is the same everywhere. */
  readonly domainSize: number;
}

/** Of values whose components lie side by side, site by site, the fastest axis first. */
export function structureFactor(
  lengths: readonly number[],
  values: ArrayLike<number>,
  components = 1,
): StructureFactor {
  const sites = countOf(lengths);
  const power = new Float64Array(sites);
  for (let c = 0; c < components; c++) addPower(lengths, values, c, components, power);
  const longest = Math.max(...lengths);
  const unit = (2 * Math.PI) / longest;
  const shells = Math.floor(longest / 2);
  const [sums, counts] = [new Float64Array(shells + 1), new Float64Array(shells + 1)];
  let [total, first] = [0, 0];
  const place = lengths.map(() => 0);
  for (let k = 0; k < sites; k++) {
    const wavenumber = Math.hypot(
      ...place.map((j, axis) => (2 * Math.PI * Math.min(j, lengths[axis] - j)) / lengths[axis]),
    );
    const shell = Math.round(wavenumber / unit);
    if (shell > 0 && shell <= shells) {
      sums[shell] += power[k];
      counts[shell]++;
      total += power[k];
      first += wavenumber * power[k];
    }
    for (let axis = 0; axis < place.length; axis++) {
      if (++place[axis] < lengths[axis]) break;
      place[axis] = 0;
    }
  }
  return {
    wavenumbers: Float64Array.from({ length: shells }, (_, k) => (k + 1) * unit),
    values: Float64Array.from({ length: shells }, (_, k) => sums[k + 1] / counts[k + 1]),
    domainSize: (2 * Math.PI * total) / first,
  };
}

function addPower(
  lengths: readonly number[],
  values: ArrayLike<number>,
  component: number,
  components: number,
  power: Float64Array,
): void {
  const re = Float64Array.from(power, (_, i) => values[i * components + component]);
  const mean = re.reduce((sum, value) => sum + value, 0) / re.length;
  for (let i = 0; i < re.length; i++) re[i] -= mean;
  const im = new Float64Array(re.length);
  transformInPlace(lengths, { re, im });
  for (let k = 0; k < power.length; k++) power[k] += (re[k] ** 2 + im[k] ** 2) / re.length;
}
