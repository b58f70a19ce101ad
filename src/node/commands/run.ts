import type { TriangleMesh } from "../../core/mesh.ts";
import { meshBounds, surfaceArea } from "../../core/mesh-measures.ts";
import { operationsOf } from "../../core/rank-trace.ts";
import { costOverDevices } from "../../core/run-cost.ts";
import type { ComputeOptions, RankedRaw } from "../../embed/ranks.ts";
import { titleOfExpression } from "../../engine/surface-mesh.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { usage } from "../command-line/arguments.ts";
import type { Command, Terminal } from "../command-line/command.ts";
import { deviceOption, wantedDevice } from "../device-option.ts";
import { expressionForms, expressionText } from "../expression-text.ts";
import { fieldPieces, loadJob, type RankedCalls, surfacePieces } from "../ranked-calls.ts";
import { traceOption, writeTrace } from "../trace-file.ts";
import { extensionOf, fieldExtensions, meshExtensions, meshWriter } from "../write-file.ts";
import {
  rankedSurfaceOptions,
  rankedSurfaceUsage,
  type WantedSurface,
  wantedSurface,
} from "./ranked-surface-options.ts";
import { rawOptions, rawUsage, wantedRaw } from "./raw-options.ts";
import { summarizeField, summarizeQuantity } from "./summaries.ts";
import { reportLoss, warningsTo, withJobRanks, withRanks } from "./with-ranks.ts";

const surfaceOutputs = [...meshExtensions, ...surfacePieces];
const fieldOutputs = [...fieldExtensions, ...fieldPieces];

const options = {
  ranks: { type: "string", help: "Ranks: this process, and others that it starts on this machine (2)" },
  field: {
    type: "string",
    help: "The statement to report; the last one for a surface (all results of the text)",
  },
  blocks: {
    type: "string",
    help: "XxYxZ: so many blocks of the grid along x, y and z, one for each rank, or layers: along z alone (chosen by the grid's extents)",
  },
  ...rankedSurfaceOptions,
  out: {
    type: "string",
    help: `File for the surface (${surfaceOutputs.join(", ")}) or for the values (${fieldOutputs.join(", ")})`,
  },
  room: {
    type: "string",
    help: "The address of a page, or the link of its room: the page sees the file and asks for what is computed",
  },
  trace: traceOption,
  device: deviceOption,
  ...rawOptions,
} as const;

/** Evaluates an expression over a file's fields by several ranks. */
export const runCommand: Command<typeof options> = {
  name: "run",
  usage:
    `run FILE ${expressionForms} [--ranks N] [--blocks XxYxZ|layers] [--field NAME] ${rankedSurfaceUsage} ` +
    `[--device gpu|cpu|auto] [--trace FILE.json] [--out FILE${[...surfaceOutputs, ...fieldOutputs].join("|")}] ${rawUsage}\n` +
    `  crinkle run FILE --room LINK [--ranks N] [--device gpu|cpu|auto] ${rawUsage}`,
  summary:
    "Computes an expression by several ranks, each its part of the grid, and prints what eval prints and what each rank did.",
  positionals: ["FILE", "EXPRESSION"],
  required: 1,
  options,
  async run({ positionals: [file, wanted], options: given }, terminal) {
    const device = wantedDevice(given.device);
    const raw = wantedRaw(given);
    if (given.room !== undefined) {
      checkRoomOptions(wanted, given);
      const { ranks } = given;
      const { pageRoom, runInRoom } = await import("./run-in-room.ts");
      const room = pageRoom(given.room);
      await withJobRanks({ device, file, given: ranks, usual: 2 }, terminal, (ranks) =>
        runInRoom(ranks, { file, raw, room, device }, terminal),
      );
      return undefined;
    }
    if (wanted === undefined)
      throw usage("The argument EXPRESSION is missing.", "It is left out with --room only.");
    const text = await expressionText(wanted);
    const surface = wantedSurface(given);
    const { out } = given;
    const extension = out === undefined ? undefined : extensionOf(out, [...surfaceOutputs, ...fieldOutputs]);
    const isSurface = surfaceOutputs.some((each) => each === extension);
    if (isSurface && !surface) {
      throw usage(
        `“${out}” is a file for a surface.`,
        "Give --isosurface, --threshold, --cut or --slice, too.",
      );
    }
    const work: Work = {
      file,
      raw,
      text,
      statement: given.field,
      blocks: wantedBlocks(given.blocks),
      surface,
      surfaceOut: isSurface ? out : undefined,
      fieldOut: isSurface ? undefined : out,
      trace: given.trace,
    };
    const load = work.fieldOut === undefined ? loadJob.statistics : loadJob.field;
    return withRanks({ load, device, file, out, given: given.ranks, usual: 2 }, terminal, (ranks) =>
      doWork(ranks, work, terminal),
    );
  },
};

/** Throws Usage for what a run in a room does not take. */
function checkRoomOptions(text: string | undefined, given: Arguments<typeof options>["options"]): void {
  const known = ["room", "ranks", "device", ...Object.keys(rawOptions)];
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (text === undefined && other === undefined) return;
  throw usage(
    `${text === undefined ? `--${other}` : "An expression"} is given together with --room.`,
    "With --room, the page asks for what is computed: leave it out.",
  );
}

/** "2x2x1", or "layers". Throws Usage. */
function wantedBlocks(text: string | undefined): ComputeOptions["blocks"] {
  if (text === undefined || text === "layers") return text;
  const [, x, y, z] = /^(\d+)x(\d+)x(\d+)$/.exec(text) ?? [];
  if (x === undefined)
    throw usage(`The option --blocks is ${text}.`, "Give blocks along x, y and z, such as 2x2x1, or layers.");
  return [Number(x), Number(y), Number(z)];
}

interface Work {
  readonly file: string;
  readonly raw: RankedRaw | undefined;
  readonly text: string;
  readonly statement: string | undefined;
  readonly blocks: ComputeOptions["blocks"];
  readonly surface: WantedSurface | undefined;
  readonly surfaceOut: string | undefined;
  readonly fieldOut: string | undefined;
  readonly trace: string | undefined;
}

/** What is printed; undefined on other ranks than the first. */
async function doWork(ranks: RankedCalls, work: Work, terminal: Terminal): Promise<object | undefined> {
  const start = performance.now();
  const { file, raw, text, statement, blocks, surface, fieldOut, trace } = work;
  const heard = { onLost: (lost: number) => reportLoss(lost, terminal), onWarning: warningsTo(terminal) };
  const found =
    fieldOut === undefined
      ? await ranks.statistics(file, text, { raw, statement, blocks, ...heard })
      : await ranks.writeField(file, text, fieldOut, { raw, statement, blocks, ...heard });
  const made = surface && (await makeSurface(ranks, work, { ...surface, raw, blocks, ...heard }));
  if (!found) return undefined;
  const { results, notes, origin } = found;
  for (const note of notes) terminal.err(note);
  const traces = made ? [found.trace, made.trace] : [found.trace];
  const devices = found.ranks.map(({ device }) => device);
  if (trace !== undefined) await writeTrace(trace, traces, devices);
  const summaries = results.map(({ name, value }) =>
    value.kind === "quantity"
      ? summarizeQuantity(name, value.quantity)
      : summarizeField({ ...value, name }, value.statistics),
  );
  const ms = performance.now() - start;
  const whole = {
    ...(summaries.length === 1 ? summaries[0] : { results: summaries }),
    data: origin,
    ...costOverDevices(made?.ranks ?? found.ranks),
    ms,
    operations: operationsOf(traces),
  };
  if (!made) return { ...whole, ranks: found.ranks };
  const { kind } = surface.shape;
  const of = kind === "isosurface" || kind === "threshold" ? made.name : undefined;
  return { ...whole, [kind]: { of, ...made.size }, ranks: made.ranks };
}

/** What is printed of the surface, which is gathered unless its file is an index of pieces. */
async function makeSurface(ranks: RankedCalls, { file, text, surfaceOut }: Work, wanted: WantedSurface) {
  const { shape, colorBy } = wanted;
  const scalarName = colorBy && titleOfExpression(colorBy);
  if (surfaceOut !== undefined && surfacePieces.includes(extensionOf(surfaceOut, surfaceOutputs))) {
    const made = await ranks.writeSurface(file, text, shape, surfaceOut, { ...wanted, scalarName });
    if (!made) return undefined;
    const { name, triangles, vertices, area, bounds } = made;
    return { name, ranks: made.ranks, trace: made.trace, size: { triangles, vertices, area, bounds } };
  }
  const write = surfaceOut === undefined ? undefined : meshWriter(surfaceOut, scalarName);
  const made = await ranks.surface(file, text, shape, wanted);
  if (!made) return undefined;
  await write?.(made.mesh);
  return { name: made.name, ranks: made.ranks, trace: made.trace, size: sizeOf(made.mesh) };
}

const sizeOf = (mesh: TriangleMesh) => ({
  triangles: mesh.indices.length / 3,
  vertices: mesh.positions.length / 3,
  area: surfaceArea(mesh),
  bounds: meshBounds(mesh) ?? null,
});
