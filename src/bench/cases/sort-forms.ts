import type { FixedForm, FixedForms } from "../../gpu/primitives/sort/shape.ts";
import type { BenchCase } from "../case.ts";
import { sortCase } from "./primitives-sort.ts";

const shape: FixedForm = {
  ...{ ranking: "ballots", threads: 512, items: 23, window: 8 },
  ...{ hasOwnKernels: false, packsPlaces: false },
};
const arrival: FixedForm = { ...shape, ranking: "arrival" };
const pairs: FixedForm = { ...shape, items: 22, window: 4, hasOwnKernels: true, packsPlaces: true };

const ofKeys: Readonly<Record<string, FixedForm | undefined>> = {
  k0_today: undefined,
  k1_ballots: shape,
  k2_ballots_own: { ...shape, hasOwnKernels: true },
  k3_ballots_768x15: { ...shape, threads: 768, items: 15 },
  k4_arrival: arrival,
  k5_arrival_own: { ...arrival, hasOwnKernels: true },
  k6_arrival_768x15: { ...arrival, threads: 768, items: 15 },
  k7_arrival_window4: { ...arrival, window: 4 },
};

const ofPairs: Readonly<Record<string, FixedForm | undefined>> = {
  p0_today: undefined,
  p1_own_packed: pairs,
  p2_packed: { ...pairs, hasOwnKernels: false },
  p3_own: { ...pairs, packsPlaces: false },
  p4_own_packed_window8: { ...pairs, window: 8 },
  p5_own_packed_18: { ...pairs, items: 18 },
  p6_own_packed_23_window8: { ...pairs, items: 23, window: 8 },
};

const formsOf = (form: FixedForm | undefined, name: "keys" | "pairs"): FixedForms =>
  form ? { [name]: form } : {};

/** Forms of sorts side by side, to be chosen from. `few`: keys of 16 bits, whose upper digits are all the same. */
export const sortFormCases: readonly BenchCase[] = [
  ...Object.entries(ofKeys).map(([name, form]) =>
    sortCase(`sort_form_${name}`, { forms: formsOf(form, "keys") }),
  ),
  ...Object.entries(ofPairs).map(([name, form]) =>
    sortCase(`sort_form_${name}`, { pairs: true, forms: formsOf(form, "pairs") }),
  ),
  ...["k0_today", "k1_ballots", "k4_arrival", "k5_arrival_own"].flatMap((name) => [
    sortCase(`sort_form_few_${name}`, { few: true, forms: formsOf(ofKeys[name], "keys") }),
    sortCase(`sort_form_f32_${name}`, { type: "f32", forms: formsOf(ofKeys[name], "keys") }),
  ]),
];
