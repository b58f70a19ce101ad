import { unattended } from "../../core/job.ts";
import { evaluateStatement } from "../../engine/evaluate.ts";
import type { Command } from "../command-line/command.ts";
import { deviceOption, openSession, wantedDevice } from "../device.ts";
import { readFile } from "../read-file.ts";
import { fieldWriter } from "../write-file.ts";

const options = {
  field: { type: "string", help: "The statement to report, or a name for a result without one (the last)" },
  device: deviceOption,
  out: { type: "string", help: "File for the field: .vti (uniform grids), .vtr (rectilinear grids) or .npy" },
} as const;

/** Evaluates an expression over a file's fields. */
export const evalCommand: Command<typeof options> = {
  name: "eval",
  usage: "eval FILE 'EXPRESSION' [--field NAME] [--device gpu|cpu|auto] [--out FILE.vti|.vtr|.npy]",
  summary: "Computes a field from those of a file, and tells its range and mean.",
  positionals: ["FILE", "EXPRESSION"],
  options,
  async run({ positionals: [path, text], options: { field: wanted, device, out } }, terminal) {
    const write = out === undefined ? undefined : fieldWriter(out);
    const where = wantedDevice(device);
    const dataSet = await readFile(path, terminal);
    const session = await openSession(where, terminal);
    await session.setDataSet(dataSet);
    const { gpu, summary } = session.device;

    const start = performance.now();
    const { name, value, kernels, notes } = await evaluateStatement(session, text, wanted, unattended);
    await gpu?.idle();
    const ms = performance.now() - start;
    const { uploads, downloads } = gpu?.counters ?? { uploads: 0, downloads: 0 };
    const peakBytes = gpu?.pool.use.peak ?? 0;

    for (const note of notes) terminal.err(note);
    const { min, max, mean, nan } = await session.statistics(value);
    const { components, centering } = value.field;
    if (write) await write(dataSet.grid, { ...(await session.download(value)), name });
    return {
      field: name,
      components,
      centering,
      min,
      max,
      mean,
      nan,
      device: summary.kind,
      kernels,
      uploads,
      downloads,
      peakBytes,
      ms,
    };
  },
};
