import { describe, expect, it } from "vitest";
import { makeField } from "../../core/field.ts";
import { type Grid, type Triple, valueCount } from "../../core/grid.ts";
import { compile } from "../../lang/expression/compile.ts";
import { cellsOfBlocks } from "./blocks.ts";
import {
  areGhostsNoticed,
  chosenExchanges,
  type ExchangeRates,
  exchangeable,
  expectedMs,
} from "./exchange-plan.ts";

const small: Grid = { kind: "uniform", dims: [2, 2, 2], origin: [0, 0, 0], spacing: [1, 1, 1] };
const fields = [makeField(small, "f", "node", 1, new Float32Array(valueCount(small, "node")))];

/** Ten means of three passes each reach ten layers far. */
const times = (n: number, of: string): string => (n === 0 ? "f" : `${of}(${times(n - 1, of)})`);

function taskOf(text: string, dims: Triple, blocks: Triple) {
  const network = compile(`r = ${text}`, fields);
  const grid: Grid = { kind: "uniform", dims, origin: [0, 0, 0], spacing: [1, 1, 1] };
  return { part: { network, names: ["r"] }, margin: 0, grid, shares: cellsOfBlocks(grid, blocks) };
}

/** Two processes of one machine, over TCP, each on a thread. */
const rates: ExchangeRates = { slowness: 1, latencyMs: 0.3, bytesPerMs: 500_000 };

const slabs = taskOf(times(10, "mean_filter"), [257, 257, 129], [1, 1, 16]);

describe("what ranks exchange", () => {
  it("are values after a stencil along all axes, with what is computed of them", () => {
    const { part } = taskOf("laplacian(2 * gaussian(gaussian(f, 1), 1) + f)", [9, 9, 9], [1, 1, 2]);
    const found = exchangeable(part).map((id) => {
      const node = part.network.nodes[id];
      return "filter" in node ? node.filter.name : node.kind;
    });
    // Of each smoothing the last pass, and the sum that the outer stencil reads.
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/along_z/);
    expect(found[1]).not.toMatch(/along/);
    expect(exchangeable(taskOf("gradient(f)[0]", [9, 9, 9], [1, 1, 2]).part)).toEqual([]);
  });

  it("is nothing where blocks are thick, and something in a long chain on thin slabs", () => {
    const cubes = taskOf(times(10, "mean_filter"), [257, 257, 257], [1, 1, 2]);
    expect(areGhostsNoticed(slabs)).toBe(true);
    expect(chosenExchanges(cubes, rates)).toEqual([]);
    expect(chosenExchanges(slabs, rates).length).toBeGreaterThan(0);
    const short = taskOf("laplacian(f)", [257, 257, 129], [1, 1, 16]);
    expect(chosenExchanges(short, rates)).toEqual([]);
  });

  it("follows the rates: a slow network and fast devices exchange less, and what is chosen is expected to be soonest", () => {
    const counts = [1e-5, 1e-3, 0.1, 1, 10].map(
      (slowness) => chosenExchanges(slabs, { ...rates, slowness }).length,
    );
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts[0]).toBe(0);
    expect(counts[4]).toBeGreaterThan(counts[1]);
    expect(chosenExchanges(slabs, { ...rates, latencyMs: 1e6 })).toEqual([]);
    expect(chosenExchanges(slabs, { ...rates, bytesPerMs: 10 })).toEqual([]);
    const chosen = chosenExchanges(slabs, rates);
    const ms = expectedMs(slabs, rates, chosen);
    expect(1.1 * ms).toBeLessThan(expectedMs(slabs, rates, []));
    for (const id of exchangeable(slabs.part)) {
      if (chosen.includes(id)) continue;
      const more = [...chosen, id].sort((a, b) => a - b);
      expect(1.1 * expectedMs(slabs, rates, more)).toBeGreaterThan(ms);
    }
  });

  it("costs what the ranks compute and send", () => {
    // A step of 1.2 ns a value and result besides a stencil of 2 ns, on 16 layers with 2 of the neighbours' on one side.
    const two = taskOf("laplacian(laplacian(f))", [101, 101, 33], [1, 1, 2]);
    const [cut] = exchangeable(two.part);
    const plane = 101 * 101;
    const [nsBoth, nsOne] = [1.2 + 2 * 2 + 1.2, 1.2 + 2 + 1.2];
    const wide = { ...rates, latencyMs: 7, bytesPerMs: 1000 };
    expect(expectedMs(two, wide, [])).toBeCloseTo((nsBoth * plane * (17 + 4)) / 1e6, 6);
    // Between two blocks the lower one has no plane of its own where they meet: it gets that and two more.
    const sent = 7 + (8 * plane * 3) / 1000;
    const computed = (nsOne * plane * (17 + 2)) / 1e6 + (nsOne * plane * (17 + 2)) / 1e6;
    expect(expectedMs(two, wide, [cut])).toBeCloseTo(1 + computed + sent, 6);
  });
});
