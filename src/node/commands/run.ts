import type { TriangleMesh } from "../../core/mesh.ts";
import { meshBounds, surfaceArea } from "../../core/mesh-measures.ts";
import { titleOfExpression } from "../../engine/surface-mesh.ts";
import type { Command, Terminal } from "../command-line/command.ts";
import { deviceOption, wantedDevice } from "../device.ts";
import { meshExtensions, meshWriter } from "../write-file.ts";
import {
  rankedSurfaceOptions,
  rankedSurfaceUsage,
  type WantedSurface,
  wantedSurface,
} from "./ranked-surface-options.ts";
import { summarizeField, summarizeQuantity } from "./summaries.ts";
import { usage } from "./surfaces/extract.ts";
import { type OpenedRanks, reportLoss, withRanks } from "./with-ranks.ts";

const options = {
  ranks: { type: "string", help: "Ranks: this process, and others that it starts on this machine (2)" },
  field: { type: "string", help: "The statement to report (the last)" },
  ...rankedSurfaceOptions,
  out: { type: "string", help: `File for the surface: ${meshExtensions.join(", ")}` },
  device: deviceOption,
} as const;

/** Evaluates an expression over a file's fields by several ranks. */
export const runCommand: Command<typeof options> = {
  name: "run",
  usage:
    `run FILE 'EXPRESSION' [--ranks N] [--field NAME] ${rankedSurfaceUsage} ` +
    `[--device gpu|cpu|auto] [--out mesh${meshExtensions.join("|")}]`,
  summary:
    "Computes an expression by several ranks, each its part of the grid, and prints what eval prints and what each rank did.",
  positionals: ["FILE", "EXPRESSION"],
  options,
  async run({ positionals: [file, text], options: given }, terminal) {
    const device = wantedDevice(given.device);
    const surface = wantedSurface(given);
    const { out, "color-by": colorBy } = given;
    if (out !== undefined && !surface)
      throw usage("--out is for a surface.", "Give --isosurface, --threshold, --cut or --slice, too.");
    const write = out === undefined ? undefined : meshWriter(out, colorBy && titleOfExpression(colorBy));
    const work: Work = { file, text, statement: given.field, surface, write };
    const opened = { device, file, given: given.ranks, usual: 2 };
    return withRanks(opened, terminal, (ranks) => doWork(ranks, work, terminal));
  },
};

interface Work {
  readonly file: string;
  readonly text: string;
  readonly statement: string | undefined;
  readonly surface: WantedSurface | undefined;
  readonly write: ((mesh: TriangleMesh) => Promise<void>) | undefined;
}

/** What is printed; undefined on other ranks than the first. */
async function doWork(
  ranks: OpenedRanks,
  { file, text, statement, surface, write }: Work,
  terminal: Terminal,
): Promise<object | undefined> {
  const start = performance.now();
  const onLost = (lost: number) => reportLoss(lost, terminal);
  const found = await ranks.statistics(file, text, { statement, onLost });
  const made = surface && (await ranks.surface(file, text, surface.shape, { ...surface, onLost }));
  if (!found) return undefined;
  const { name, result, notes, origin } = found;
  for (const note of notes) terminal.err(note);
  if (made) await write?.(made.mesh);
  const summary =
    result.kind === "quantity"
      ? summarizeQuantity(name, result.quantity)
      : summarizeField({ ...result, name }, result.statistics);
  const whole = { ...summary, data: origin, ms: performance.now() - start };
  if (!made) return { ...whole, ranks: found.ranks };
  const { kind } = surface.shape;
  const of = kind === "isosurface" || kind === "threshold" ? made.name : undefined;
  return { ...whole, [kind]: { of, ...sizeOf(made.mesh) }, ranks: made.ranks };
}

const sizeOf = (mesh: TriangleMesh) => ({
  triangles: mesh.indices.length / 3,
  vertices: mesh.positions.length / 3,
  area: surfaceArea(mesh),
  bounds: meshBounds(mesh) ?? null,
});
