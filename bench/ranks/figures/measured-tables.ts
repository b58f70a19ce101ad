import { number, table } from "../../cluster/table.ts";
import type { Measured } from "../measured.ts";
import { efficiency } from "./by-ranks.ts";
import { powerOfTwo } from "./looks.ts";

type Rows = readonly Measured[];

/** Each rank with its part alone, and one long vector over all. */
const algorithms = [
  {
    title: "composed isosurface",
    manual: "isosurface, composed, manual",
    distributed: "isosurface, composed, distributed",
  },
  {
    title: "a further isovalue",
    manual: "isosurface, composed, manual",
    distributed: "isosurface, composed, further isovalue",
  },
  {
    title: "composed Q-criterion",
    manual: "Q-criterion, composed, manual",
    distributed: "Q-criterion, composed, distributed",
  },
  {
    title: "the same with halos that are kept",
    manual: "Q-criterion, composed, manual",
    distributed: "Q-criterion, composed, kept halos",
  },
  { title: "inclusive scan", manual: "inclusive scan, manual", distributed: "inclusive scan" },
  { title: "sort", manual: "sort, manual", distributed: "sort" },
  { title: "KD-tree", manual: "KD-tree, manual", distributed: "KD-tree, subtrees fused" },
] as const;

/** What was measured, in Markdown; cells of what was not are empty. */
export function measuredTables(rows: Rows): string {
  const counts = [...new Set(rows.map(({ ranks }) => ranks))].sort((a, b) => a - b);
  const tables = [fusedTable(rows, counts), formsTable(rows, counts)];
  return tables.filter((text) => text !== undefined).join("\n\n");
}

const ranksText = (ranks: number) => (ranks === 1 ? "1 rank" : `${ranks} ranks`);
const msOf = (row: Measured | undefined) => (row ? number(row.ms) : "");
const sizesIn = (rows: Rows) => [...new Set(rows.map(({ n }) => n))].sort((a, b) => a - b);

/** Fused kernels, alone and end to end; undefined where there are none, as on CPUs. */
function fusedTable(rows: Rows, counts: readonly number[]): string | undefined {
  const several = counts.filter((ranks) => ranks > 1);
  const fused = rows.filter(({ name }) => name.includes("fused, "));
  if (fused.length === 0) return undefined;
  const names = [...new Set(fused.map(({ name }) => name))];
  return table(
    ["ms", ...counts.map(ranksText), ...several.map((ranks) => `efficiency, ${ranks}`)],
    names.flatMap((name) => {
      const of = fused.filter((row) => row.name === name);
      return sizesIn(of).map((n) => {
        const own = of.filter((row) => row.n === n);
        const at = (ranks: number) => own.find((row) => row.ranks === ranks);
        const kind = name.includes("weak") ? "weak" : "strong";
        const shares = several.map((ranks) => {
          const row = at(ranks);
          return row ? efficiency(own, row, kind) : "";
        });
        return [`${name}, ${n}³`, ...counts.map((ranks) => msOf(at(ranks))), ...shares];
      });
    }),
  );
}

/** From barrier to barrier: a GPU alone, then each number of ranks in both forms. */
function formsTable(rows: Rows, counts: readonly number[]): string {
  const several = counts.filter((ranks) => ranks > 1);
  const forms = several.flatMap((ranks) => [
    `${ranksText(ranks)}, manual`,
    `${ranksText(ranks)}, distributed`,
  ]);
  return table(
    ["from barrier to barrier, ms", "alone", "1 rank", ...forms],
    algorithms.flatMap(({ title, manual, distributed }) => {
      const at = (name: string, n: number, ranks: number) =>
        msOf(rows.find((row) => row.name === name && row.n === n && row.ranks === ranks));
      return sizesIn(rows.filter(({ name }) => name === distributed)).map((n) => [
        `${title}, ${manual.includes("composed") ? `${n}³` : powerOfTwo(n)}`,
        at(manual, n, 1),
        at(distributed, n, 1),
        ...several.flatMap((ranks) => [at(manual, n, ranks), at(distributed, n, ranks)]),
      ]);
    }),
  );
}
