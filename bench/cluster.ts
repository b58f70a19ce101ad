// Latency and bandwidth between two ranks by message size, over each transport: in Node and, if the variable
// CHROMIUM names a browser, there; then collectives by size and number of ranks, and the time that joining
// takes. `node dist/bench/cluster.js [--quick] [--out FOLDER] [--only links|collectives] [--json]` prints tables, or with --json what was
// measured as JSON lines, and writes the tables, with figures, to the folder.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, type MessagePort as NodePort, Worker, workerData } from "node:worker_threads";
import type { World } from "../src/cluster/communicator/world.ts";
import type { FrameChannel } from "../src/cluster/transport/channel.ts";
import { FramedLink } from "../src/cluster/transport/framed-link.ts";
import { defaultLimits, type Link } from "../src/cluster/transport/link.ts";
import { type Port, PortChannel } from "../src/cluster/transport/port/port-channel.ts";
import { dialTcp } from "../src/cluster/transport/tcp/dial.ts";
import { listenTcp } from "../src/cluster/transport/tcp/listen.ts";
import type { TcpChannel } from "../src/cluster/transport/tcp/tcp-channel.ts";
import { describeError } from "../src/core/errors.ts";
import {
  algorithms,
  type CollectiveMeasurement,
  measureCollectives,
  type Operation,
} from "./cluster/collectives.ts";
import {
  drawCollectives,
  type JoinMeasurement,
  tableOfChoices,
  tableOfFigures,
  tableOfJoins,
  tableOfTimes,
} from "./cluster/collectives-report.ts";
import { drawRates, tableOf } from "./cluster/report.ts";
import { answer, fullTraffic, measurePath, type PathMeasurement, quickTraffic } from "./cluster/traffic.ts";
import { measureChromium } from "./cluster-chromium.ts";
import { runAsProcess, runAsThread, Team } from "./cluster-team.ts";

const program = fileURLToPath(import.meta.url);

interface TcpPeer {
  readonly key: string;
  readonly host: string;
  readonly port: number;
}

const linkOver = (channel: FrameChannel): Link =>
  new FramedLink(channel, defaultLimits, () => performance.now());

const portOf = (port: NodePort) => new PortChannel(port as unknown as Port);

async function betweenThreads(use: (link: Link) => Promise<PathMeasurement>): Promise<PathMeasurement> {
  const { port1, port2 } = new MessageChannel() as unknown as { port1: NodePort; port2: NodePort };
  const worker = new Worker(program, { workerData: port2, transferList: [port2] });
  try {
    return await use(linkOver(portOf(port1)));
  } finally {
    await worker.terminate();
  }
}

async function betweenProcesses(use: (link: Link) => Promise<PathMeasurement>): Promise<PathMeasurement> {
  const key = randomBytes(16);
  let accept: (channel: TcpChannel) => void = () => {};
  const accepted = new Promise<TcpChannel>((resolve) => {
    accept = resolve;
  });
  const { host, port, close } = await listenTcp({ key, onChannel: accept });
  const child = fork(program, ["peer"]);
  const peer: TcpPeer = { key: key.toString("hex"), host, port };
  child.send(peer);
  try {
    return await use(linkOver(await accepted));
  } finally {
    close();
    child.disconnect();
  }
}

function answerAsThread(port: NodePort): void {
  answer(linkOver(portOf(port)), () => {});
}

function answerAsProcess(): void {
  process.on("message", async ({ key, host, port }: TcpPeer) => {
    const channel = await dialTcp({ key: Buffer.from(key, "hex"), host, port });
    answer(linkOver(channel), () => process.exit(0));
  });
}

async function measureLinks(isQuick: boolean) {
  const { CHROMIUM } = process.env;
  const traffic = isQuick ? quickTraffic : fullTraffic;
  const measurements = [
    await betweenThreads((link) => measurePath("port, two threads of Node", link, traffic)),
    await betweenProcesses((link) => measurePath("tcp, two processes of Node", link, traffic)),
    ...(CHROMIUM ? await measureChromium(CHROMIUM, traffic) : []),
  ];
  return { table: tableOf(measurements), figure: drawRates(measurements), rows: measurements };
}

/** Ranks that join at once, besides the host. */
const joining = 8;

async function measureRanks(isQuick: boolean) {
  const sizes = Array.from({ length: 8 }, (_, k) => 2 ** 10 * 4 ** k).filter(
    (_, k) => !isQuick || k % 3 === 0,
  );
  const operations = Object.keys(algorithms) as Operation[];
  const options = { operations, sizes, budgetMs: isQuick ? 20 : 400, minRounds: isQuick ? 3 : 7 };
  const joins: JoinMeasurement[] = [];
  const collectives: CollectiveMeasurement[] = [];
  for (const path of ["tcp", "port"] as const) {
    const team = new Team(path, program);
    await team.grow(joining);
    try {
      const ms: number[] = [];
      const justJoin = async (world: World, joinMs: number) => {
        ms.push(joinMs);
        await measureCollectives(path, world, { ...options, sizes: [] });
      };
      for (let trial = 0; trial < (isQuick ? 1 : 7); trial++) await team.meet(joining, justJoin);
      joins.push({ path, ranks: joining, ms });
      for (const ranks of isQuick ? [2, 4] : [2, 4, 8]) {
        collectives.push(
          ...(await team.meet(ranks - 1, (world) => measureCollectives(path, world, options))),
        );
      }
    } finally {
      team.end();
    }
  }
  const drawn: Operation[] = ["allreduce", "alltoall"];
  const ofDrawn = collectives.filter(({ operation }) => drawn.includes(operation));
  const withChoice = collectives.filter(({ operation }) => operation !== "alltoall");
  return {
    table: [
      tableOfTimes(ofDrawn),
      tableOfFigures(collectives),
      tableOfChoices(withChoice),
      tableOfJoins(joins),
    ].join("\n\n"),
    figure: drawCollectives(collectives, drawn),
    rows: [...collectives, ...joins],
    collectives,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      out: { type: "string", default: "bench-results/cluster" },
      only: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const machine = `${cpus()[0].model}, ${cpus().length} processors, Node ${process.version}`;
  console.error(machine);
  await mkdir(values.out, { recursive: true });
  const tables = [machine];
  const keep = async (
    name: string,
    {
      table,
      figure,
      rows,
    }: { readonly table: string; readonly figure: string; readonly rows: readonly object[] },
  ) => {
    // Tables are for the eye only where rows are printed.
    (values.json ? console.error : console.log)(`${table}\n`);
    if (values.json) for (const row of rows) console.log(JSON.stringify(row));
    tables.push(table);
    await writeFile(join(values.out, name), figure);
  };
  if (values.only !== "collectives") await keep("rates.svg", await measureLinks(values.quick));
  if (values.only !== "links") {
    const measured = await measureRanks(values.quick);
    await keep("collectives.svg", measured);
    await writeFile(join(values.out, "collectives.json"), JSON.stringify(measured.collectives, undefined, 1));
  }
  await writeFile(join(values.out, "cluster.md"), `${tables.join("\n\n")}\n`);
}

if (!isMainThread && workerData) answerAsThread(workerData);
else if (!isMainThread) runAsThread();
else if (process.argv[2] === "rank") runAsProcess();
else if (process.argv[2] === "peer") answerAsProcess();
else {
  main().then(
    () => process.stdout.write("", () => process.exit(0)),
    (error: unknown) => {
      console.error(describeError(error));
      process.exit(1);
    },
  );
}
