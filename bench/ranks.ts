// How algorithms scale over ranks, a GPU or a CPU core each, over TCP or MPI:
//
//   node dist/bench/ranks.js [--ranks 1,2,4] [OPTIONS]
//   mpirun -n 4 node dist/bench/ranks.js --over mpi [OPTIONS]
//
// Options: --device gpu|cpu, --quick, --filter TEXT, --limit SECONDS (60, of each size of a case), --out FILE, --about TEXT.
//
// Over TCP, each rank is a process that this one starts; over MPI, the ranks are those that it has launched. Where the machine has
// several GPUs, each rank takes one of its own; on CPUs, each computes in one thread. Prints what it measures, and writes it to the file
// as JSON, with what was left out and the text that says of what machine it is; rows that the file has already, of other cases or numbers of ranks, stay.
// `npm run bench -- ranks-figures FILE` draws it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { communicatorOf } from "../src/cluster/communicator/group-communicator.ts";
import { makeRoomKey, type RoomKey } from "../src/cluster/room-key.ts";
import { describeError } from "../src/core/errors.ts";
import { commandsOnGpus } from "../src/node/gpus/take.ts";
import { joinRoom, openTcp } from "./cluster-team.ts";
import { type MeasuringEvents, type MeasuringOptions, measureCases, openRankGpu } from "./ranks/measure.ts";
import type { LeftOut, Measured, MeasuredRanks } from "./ranks/measured.ts";
import { measureOverMpi } from "./ranks/over-mpi.ts";

const program = fileURLToPath(import.meta.url);

interface Order extends MeasuringOptions {
  readonly key: RoomKey;
  readonly size: number;
  /** The first rank's address; undefined for the first rank. */
  readonly host: string | undefined;
}

type Report =
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "row"; readonly row: Measured }
  | { readonly kind: "left out"; readonly leftOut: LeftOut }
  | { readonly kind: "failed"; readonly problem: string }
  | { readonly kind: "done" };

/** The life of a rank's process, which stays in the room until it is killed: the others may still be in the last barrier. */
function beRank(): void {
  const tell = (report: Report) => process.send?.(report);
  process.on("message", (order: Order) => {
    serve(order, tell).catch((error: unknown) => {
      tell({ kind: "failed", problem: describeError(error) });
      process.exit(1);
    });
  });
}

async function serve({ key, size, host, ...options }: Order, tell: (report: Report) => void) {
  const gpu = await openRankGpu(options);
  const { room, address, world } = await joinRoom(openTcp, key, size, host);
  if (host === undefined) tell({ kind: "address", address });
  const communicator = communicatorOf(await world);
  const sent = () => room.members.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  await measureCases(communicator, gpu, options, sent, {
    onRow: (row) => tell({ kind: "row", row }),
    onLeftOut: (leftOut) => tell({ kind: "left out", leftOut }),
  });
  await communicator.barrier();
  tell({ kind: "done" });
}

/** One run of all cases on so many ranks. */
async function measureOn(
  size: number,
  options: MeasuringOptions,
  { onRow, onLeftOut }: MeasuringEvents,
): Promise<void> {
  const key = makeRoomKey();
  const children: ChildProcess[] = [];
  const command = [process.execPath, program, "rank"];
  const { commands, problem } =
    options.device === "cpu"
      ? { commands: Array.from({ length: size }, () => command) }
      : commandsOnGpus(size, () => command);
  if (problem) console.error(problem);
  try {
    await new Promise<void>((resolve, reject) => {
      let done = 0;
      const begin = (k: number, host: string | undefined) => {
        const [file, ...args] = commands[k];
        const child = spawn(file, args, {
          stdio: ["ignore", "inherit", "inherit", "ipc"],
          serialization: "advanced",
        });
        children.push(child);
        child.on("error", reject);
        child.on("exit", (code) => {
          if (code !== 0) reject(new Error(`Rank process ${k} ended with ${code}.`));
        });
        child.on("message", (report: Report) => {
          if (report.kind === "address")
            for (let other = 1; other < size; other++) begin(other, report.address);
          else if (report.kind === "row") onRow(report.row);
          else if (report.kind === "left out") onLeftOut(report.leftOut);
          else if (report.kind === "failed") reject(new Error(report.problem));
          else if (++done === size) resolve();
        });
        child.send({ key, size, host, ...options } satisfies Order);
      };
      begin(0, undefined);
    });
  } finally {
    for (const child of children) if (child.exitCode === null) child.kill();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      over: { type: "string", default: "tcp" },
      ranks: { type: "string", default: "1,2" },
      device: { type: "string", default: "gpu" },
      filter: { type: "string", default: "" },
      limit: { type: "string", default: "60" },
      quick: { type: "boolean", default: false },
      out: { type: "string" },
      about: { type: "string", default: "" },
    },
  });
  const { over, ranks, device, filter, limit, quick: isQuick, out, about } = values;
  if (over !== "tcp" && over !== "mpi") throw new Error(`--over is ${over}; it must be tcp or mpi.`);
  if (device !== "gpu" && device !== "cpu") throw new Error(`--device is ${device}; it must be gpu or cpu.`);
  const options: MeasuringOptions = { filter, isQuick, device, maxMs: 1000 * Number(limit) };
  const rows: Measured[] = [];
  let leftOut: readonly LeftOut[] = [];
  if (out && existsSync(out)) {
    // The bench's own file.
    const former = JSON.parse(readFileSync(out, "utf8")) as MeasuredRanks;
    rows.push(...former.rows);
    leftOut = former.leftOut ?? [];
  }
  const write = () => {
    const measured: MeasuredRanks = { about, rows, leftOut };
    if (out) writeFileSync(out, JSON.stringify(measured, undefined, 1));
  };
  const events: MeasuringEvents = {
    onRow(row) {
      const { name, n, ranks, ms, sentBytes, updates } = row;
      const former = rows.findIndex((other) => other.name === name && other.n === n && other.ranks === ranks);
      if (former < 0) rows.push(row);
      else rows[former] = row;
      leftOut = leftOut.filter((one) => !(one.name === name && one.n === n && one.ranks === ranks));
      const alone = rows.find((other) => other.name === name && other.n === n && other.ranks === 1);
      const more = (updates ?? 1) / (alone?.updates ?? 1);
      const speedup =
        alone && alone.ms > 0 && ranks > 1
          ? `, ${((more * alone.ms) / ms).toFixed(2)} times one rank's rate`
          : "";
      const rate = updates ? `, ${(updates / ms / 1e6).toPrecision(4)} Gsites/s` : "";
      const sent = sentBytes > 0 ? `, ${sentBytes} B sent` : "";
      console.log(`${name}, ${n}, ${ranks} ranks: ${ms.toPrecision(4)} ms${rate}${sent}${speedup}`);
      write();
    },
    onLeftOut(one) {
      const { name, n, ranks, why } = one;
      const isSame = (other: LeftOut) => other.name === name && other.ranks === ranks;
      leftOut = [...leftOut.filter((other) => !isSame(other)), one];
      console.log(`${name}, ${n}, ${ranks} ranks: left out. ${why}`);
      write();
    },
  };
  if (over === "mpi") {
    await measureOverMpi(options, events);
    return;
  }
  for (const size of ranks.split(",").map(Number)) await measureOn(size, options, events);
}

if (process.argv[2] === "rank") beRank();
else {
  main().then(
    () => process.stdout.write("", () => process.exit(0)),
    (error: unknown) => {
      console.error(describeError(error));
      process.exit(1);
    },
  );
}
