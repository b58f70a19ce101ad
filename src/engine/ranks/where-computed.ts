import { namesRead } from "../../lang/expression/results.ts";
import type { RunRequest } from "../api.ts";
import type { Session } from "../session.ts";

/**
 * The fewest nodes of a grid for which a page asks its ranks, where it has a GPU, and where a CPU computes: on smaller grids a
 * job's messages take longer than what the ranks save.
 */
const fewestNodes = { gpu: 2 ** 24, cpu: 2 ** 18 } as const;

/**
 * Whether a text over what a page has open is for the ranks of its room: the grid is large, and no value that the text reads
 * lies on the page's device already. What a person asks of this page's GPU, by a strategy, stays here; a memory limit that
 * fields exceed sends a text to the ranks, whatever the grid's size. Throws SyntaxError.
 */
export function isForRanks(
  { data, derived, device }: Pick<Session, "data" | "derived" | "device">,
  text: string,
  { strategy, budget = Number.POSITIVE_INFINITY }: RunRequest,
): boolean {
  if (data.points || !data.hasValues || strategy !== "auto") return false;
  const read = namesRead(text);
  if (derived.all().some(({ name, value }) => read.has(name) && value.kind !== "ranks")) return false;
  const [nx, ny, nz] = data.dataSet.grid.dims;
  const nodes = nx * ny * nz;
  const sources = data.dataSet.fields.filter(({ name }) => read.has(name) && !derived.get(name));
  const largest = 4 * nodes * Math.max(1, ...sources.map(({ components }) => components));
  if (largest > Math.min(budget, device.gpu?.pool.largestBinding ?? Number.POSITIVE_INFINITY)) return true;
  if (!device.gpu || device.summary.isSoftware) return nodes >= fewestNodes.cpu;
  const isHere = sources.length > 0 && sources.every(({ name }) => data.hasSent(name));
  return nodes >= fewestNodes.gpu && !isHere;
}
