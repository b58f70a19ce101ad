import { noJob } from "../../core/job.ts";
import { isPointSet, type PointSet } from "../../core/point-set.ts";
import { zeroCost } from "../../core/run-cost.ts";
import { evaluateText, type NamedValue, strategyNames } from "../../engine/evaluate.ts";
import type { Session } from "../../engine/session.ts";
import { bytesOption, choiceOption, usage } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { openSession } from "../device.ts";
import { deviceOption, wantedDevice } from "../device-option.ts";
import { expressionForms, expressionText } from "../expression-text.ts";
import { readAnyFile } from "../read-file.ts";
import { resultExtensions, resultWriter } from "../write-results.ts";
import { neighborhoodOption, neighborhoodOptions, neighborhoodUsage } from "./neighborhood-options.ts";
import { rawOptions, rawUsage, wantedRaw } from "./raw-options.ts";
import { summarizeField, summarizeQuantity } from "./summaries.ts";

const options = {
  field: {
    type: "string",
    help: "The statements to report, separated by commas, or a name for a result without one (all results of the text)",
  },
  keep: { type: "boolean", help: "With --out: the file's own fields or columns, too" },
  ...neighborhoodOptions,
  device: deviceOption,
  strategy: {
    type: "string",
    help: "How the GPU computes it, from host memory to host memory: fusion, staged, streamed, roundtrip, or auto",
  },
  memory: { type: "string", help: "Bytes that a strategy may hold on the GPU, such as 512MiB (no limit)" },
  json: { type: "boolean", help: "One JSON object on standard output (the default)" },
  out: {
    type: "string",
    help: "File for the results: .vti (uniform grids), .vtr (rectilinear grids), .vtp or .csv (points), or .npy (one of them)",
  },
  ...rawOptions,
} as const;

/** Evaluates expressions over a file's fields. */
export const evalCommand: Command<typeof options> = {
  name: "eval",
  usage:
    `eval FILE ${expressionForms} [--field NAME,…] [--keep] ${neighborhoodUsage} [--device gpu|cpu|auto] [--strategy NAME] [--memory BYTES] ` +
    `[--json] [--out FILE${resultExtensions.join("|")}] ${rawUsage}`,
  summary:
    "Computes fields, numbers and histograms from the fields of a file, or from the columns of points, and prints fields' ranges and means.",
  positionals: ["FILE", "EXPRESSION"],
  options,
  async run({ positionals: [path, given], options: { keep = false, ...options } }, terminal) {
    const { device, strategy, memory, out } = options;
    if (keep && out === undefined)
      throw usage("--keep is given without --out.", "It is for the file that --out names.");
    const write = out === undefined ? undefined : resultWriter(out, keep);
    const wantedKind = wantedDevice(device);
    const hood = neighborhoodOption(options);
    const request =
      strategy === undefined && memory === undefined
        ? undefined
        : {
            strategy: choiceOption("strategy", strategy ?? "auto", ["auto", ...strategyNames]),
            budget: memory === undefined ? undefined : bytesOption("memory", memory),
          };
    const text = await expressionText(given);
    const content = await readAnyFile(path, terminal, noJob, wantedRaw(options));
    write?.check(content);
    if (!isPointSet(content) && (options.k ?? options.radius) !== undefined)
      throw usage(`“${content.name}” holds a grid, and --k and --radius are for points.`, "Leave them out.");
    const session = await openSession(wantedKind, terminal);
    const source = isPointSet(content) ? await withSurroundings(content, text, hood) : content;
    await session.setData(await session.prepare(source, noJob));
    const { gpu, summary } = session.device;
    const start = performance.now();
    const wanted = options.field === undefined ? undefined : namesIn(options.field);
    const { results, report, threads, notes } = await evaluateText(session, text, wanted, request, noJob);
    await gpu?.idle();
    const ms = performance.now() - start;

    for (const note of notes) terminal.err(note);
    await write?.write(content, results, (value) => session.download(value));
    // A run by a strategy measures from the first byte sent to the last one received.
    const { kernelReports: _, ...counters } = report ?? { ...zeroCost, kernelReports: [], ms };
    const time = request && report ? report.ms : ms;
    const where = threads === undefined ? { device: summary.kind } : { device: "cpu", threads };
    const summaries = await Promise.all(results.map((result) => summarize(session, result)));
    return {
      ...(summaries.length === 1 ? summaries[0] : { results: summaries }),
      ...where,
      ...counters,
      ms: time,
    };
  },
};

const namesIn = (text: string): readonly string[] => text.split(",").map((name) => name.trim());

/** The points with those columns of what is around each that a text reads and the file has not. */
async function withSurroundings(
  points: PointSet,
  text: string,
  hood: ReturnType<typeof neighborhoodOption>,
): Promise<PointSet> {
  const { surroundings, surroundingsRead } = await import("../../engine/points/surroundings.ts");
  const names = surroundingsRead(points, text);
  if (names.length === 0) return points;
  const all = await surroundings(points, hood, noJob);
  const added = all.filter(({ name }) => names.includes(name));
  return { ...points, columns: [...points.columns, ...added] };
}

async function summarize(session: Session, { name, value }: NamedValue) {
  if (value.kind === "quantity") return summarizeQuantity(name, value.quantity);
  return summarizeField({ ...value.field, name }, await session.statistics(value));
}
