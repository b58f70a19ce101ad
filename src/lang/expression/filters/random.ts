import { overload } from "./elementwise.ts";
import type { CompositeFilter, CompositeOverload, ElementFilter, Filter } from "./filter.ts";

const group = "Mathematics";

/**
 * A hash of the bits of an element's indices and of the seed: each word is multiplied in and mixed as by the finalizer
 * of MurmurHash3 (A. Appleby). Its upper 24 bits are the number's, so that every value is exact in f32.
 */
const randomNumber = `fn mixed(word: u32) -> u32 {
  var h = word;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  return h ^ (h >> 16u);
}

fn random_number(place: vec3<real>, seed: real) -> real {
  var h = mixed(bitcast<u32>(f32(seed)) + 0x9e3779b9u);
  h = mixed(h ^ bitcast<u32>(f32(place.x))) + 0x9e3779b9u;
  h = mixed(h ^ bitcast<u32>(f32(place.y))) + 0x9e3779b9u;
  h = mixed(h ^ bitcast<u32>(f32(place.z)));
  return real(h >> 8u) * 5.9604644775390625e-8;
}`;

const randomOfPlace: ElementFilter = {
  kind: "element",
  name: "random_of_place",
  internal: true,
  doc: {
    signature: "random_of_place(place, seed)",
    summary: "A number from 0 up to 1 that depends on the element's indices and the seed alone.",
    example: "random_of_place(indices(), 1)",
    group,
  },
  overloads: [overload(["vec3", "scalar"], "scalar", "random_number(a, b)", { functions: randomNumber })],
};

const expand: CompositeOverload["expand"] = (network, [seed], span) =>
  network.apply("random_of_place", [network.apply("indices", [], span), seed ?? network.constant([0])], span);

const randomComposite: CompositeFilter = {
  kind: "composite",
  name: "random",
  aliases: ["rand"],
  doc: {
    signature: "random(seed)",
    summary:
      "A random number for each value, uniform from 0 up to 1; the same in every run for the same seed (default 0) and position in the grid.",
    example: "p + 0.01 * (random(7) - 0.5)",
    group,
  },
  overloads: [
    { inputs: ["scalar"], output: "scalar", expand },
    { inputs: [], output: "scalar", expand },
  ],
};

export const random: readonly Filter[] = [randomComposite, randomOfPlace];
