/** The Ising model crinkled by 2 along axis 0: the sites of a colour lie together. */
import { countOf } from "../../hypercube/shape.ts";
import { brushPasses } from "../checkerboard/brush.ts";
import { type Colour, colours, type Halves, halfArrays, halvesOf } from "../checkerboard/halves.ts";
import { neighborMaps, neighborsText, usedText } from "../checkerboard/neighbors.ts";
import { showPass } from "../checkerboard/show.ts";
import type { LatticePlan, Pass } from "../model.ts";
import { philoxText } from "../philox.ts";
import { bits, blockText, checkAxes, decideText, halfOf, isingSites, ones, streams } from "./decide.ts";

const words = (block: string): string[] => ["x", "y", "z", "w"].map((word) => `${block}.${word}`);
const eight = Array.from({ length: 8 }, (_, k) => k);

function updatePass(halves: Halves, colour: Colour): Pass {
  const axes = halves.lengths.length;
  const number = 2 * colours.indexOf(colour);
  const drawn = (block: string, n: number) => `let ${block} = block_of(element, ${n}u, ${streams.update}u);`;
  return {
    name: `Ising, crinkled: ${colour} sites`,
    reads: { [colour]: "own", [colours[1 - colours.indexOf(colour)]]: "all" },
    writes: [colour],
    maps: neighborMaps(halves),
    text: `${neighborsText(halves, colour)}
let counts = ${Array.from({ length: 2 * axes }, (_, n) => `neighbor_${n}`).join(" + ")};
${drawn("first", number)}
${decideText(
  axes,
  eight.map((k) => `${bits * k}u`),
  words("first"),
  words("second"),
  drawn("second", number + 1),
)}
out.${colour} = (own ^ flips) & used;
${blockText("constants.sweep")}
${philoxText}`,
  };
}

const startPass = (halves: Halves, colour: Colour, isRandom: boolean): Pass => ({
  name: `Ising, crinkled: ${isRandom ? "random" : "ordered"} ${colour} sites`,
  reads: {},
  writes: [colour],
  maps: {},
  text: `${usedText(halves)}
${
  isRandom
    ? `let block = block_of(element, ${2 * colours.indexOf(colour)}u, ${streams.start}u);
out.${colour} = used & (${eight.map((k) => `((${halfOf(words("block"), k)} & 1u) << ${bits * k}u)`).join(" | ")});
${blockText("0u")}
${philoxText}`
    : `out.${colour} = used & ${ones};`
}`,
});

export function crinkledPlan(lengths: readonly number[]): LatticePlan {
  checkAxes(lengths);
  const halves = halvesOf(lengths, bits);
  const axes = lengths.length;
  return {
    lengths,
    arrays: halfArrays,
    length: countOf(halves.words),
    starts: {
      ordered: colours.map((colour) => startPass(halves, colour, false)),
      random: colours.map((colour) => startPass(halves, colour, true)),
    },
    sweep: colours.map((colour) => updatePass(halves, colour)),
    // The black sites have an end of every bond.
    sums: {
      name: "Ising, crinkled: sums",
      reads: { black: "own", white: "all" },
      writes: ["agreeing", "up"],
      maps: neighborMaps(halves),
      text: `${neighborsText(halves, "black")}
let sites = used & ${ones};
out.agreeing = ${Array.from({ length: 2 * axes }, (_, n) => `countOneBits(sites & ~(own ^ neighbor_${n}))`).join(" + ")};
out.up = countOneBits(own) + countOneBits(neighbor_0);`,
    },
    ...isingSites(axes, countOf(lengths)),
    show: showPass("Ising, crinkled: spins", halves, { spin: "2.0 * f32(bits) - 1.0" }),
    brush: {
      min: -1,
      max: 1,
      isWhole: true,
      passes: brushPasses("Ising, crinkled: brush", halves, `select(0u, ${ones}, constants.value > 0.0)`),
    },
  };
}
