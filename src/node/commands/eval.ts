import { CrinkleError } from "../../core/errors.ts";
import { noJob } from "../../core/job.ts";
import { zeroCost } from "../../core/run-cost.ts";
import { type Evaluated, evaluateStatement, strategyNames } from "../../engine/evaluate.ts";
import type { Session } from "../../engine/session.ts";
import { bytesOption, choiceOption } from "../command-line/arguments.ts";
import type { Command } from "../command-line/command.ts";
import { deviceOption, openSession, wantedDevice } from "../device.ts";
import { readFile } from "../read-file.ts";
import { fieldWriter } from "../write-file.ts";
import { rawOptions, rawUsage, wantedRaw } from "./raw-options.ts";
import { summarizeField, summarizeQuantity } from "./summaries.ts";

const options = {
  field: { type: "string", help: "The statement to report, or a name for a result without one (the last)" },
  device: deviceOption,
  strategy: {
    type: "string",
    help: "How the GPU computes it, from host memory to host memory: fusion, staged, streamed, roundtrip, or auto",
  },
  memory: { type: "string", help: "Bytes that a strategy may hold on the GPU, such as 512MiB (no limit)" },
  json: { type: "boolean", help: "One JSON object on standard output (the default)" },
  out: { type: "string", help: "File for the field: .vti (uniform grids), .vtr (rectilinear grids) or .npy" },
  ...rawOptions,
} as const;

/** Evaluates an expression over a file's fields. */
export const evalCommand: Command<typeof options> = {
  name: "eval",
  usage:
    "eval FILE 'EXPRESSION' [--field NAME] [--device gpu|cpu|auto] [--strategy NAME] [--memory BYTES] [--json] " +
    `[--out FILE.vti|.vtr|.npy] ${rawUsage}`,
  summary:
    "Computes a field, a number or a histogram from the fields of a file, and prints a field's range and mean.",
  positionals: ["FILE", "EXPRESSION"],
  options,
  async run({ positionals: [path, text], options: given }, terminal) {
    const { field: wanted, device, strategy, memory, out } = given;
    const write = out === undefined ? undefined : fieldWriter(out);
    const wantedKind = wantedDevice(device);
    const options =
      strategy === undefined && memory === undefined
        ? undefined
        : {
            strategy: choiceOption("strategy", strategy ?? "auto", ["auto", ...strategyNames]),
            budget: memory === undefined ? undefined : bytesOption("memory", memory),
          };
    const dataSet = await readFile(path, terminal, wantedRaw(given));
    const session = await openSession(wantedKind, terminal);
    await session.setDataSet(dataSet);
    const { gpu, summary } = session.device;
    const start = performance.now();
    const { name, value, report, threads, notes } = await evaluateStatement(
      session,
      text,
      wanted,
      options,
      noJob,
    );
    await gpu?.idle();
    const ms = performance.now() - start;

    for (const note of notes) terminal.err(note);
    if (write) await write(dataSet.grid, [{ ...(await session.download(fieldOf(value, name, out))), name }]);
    // A run by a strategy measures from the first byte sent to the last one received.
    const { kernelReports: _, ...counters } = report ?? { ...zeroCost, kernelReports: [], ms };
    const time = options && report ? report.ms : ms;
    const where = threads === undefined ? { device: summary.kind } : { device: "cpu", threads };
    return { ...(await summarize(session, name, value)), ...where, ...counters, ms: time };
  },
};

/** The field to write. Throws BadArgument for other results. */
function fieldOf(value: Evaluated, name: string, out = "") {
  if (value.kind !== "quantity") return value;
  const what = value.quantity.kind === "histogram" ? "a histogram" : "the same everywhere";
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `“${name}” is ${what}, not a field that “${out}” could hold.`,
    remedy: "Omit --out: its numbers are printed.",
  });
}

async function summarize(session: Session, name: string, value: Evaluated) {
  if (value.kind === "quantity") return summarizeQuantity(name, value.quantity);
  return summarizeField({ ...value.field, name }, await session.statistics(value));
}
