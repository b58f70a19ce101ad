// Latency and bandwidth between two ranks by the size of messages, over each transport: in Node and, where the variable
// CHROMIUM names a browser, there. `node dist/bench/cluster.js [--quick] [--out FOLDER]` prints a table and writes it, with a
// figure, to the folder.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, type MessagePort as NodePort, Worker, workerData } from "node:worker_threads";
import { drawRates, tableOf } from "../src/bench/cluster/report.ts";
import {
  answer,
  fullTraffic,
  measurePath,
  type PathMeasurement,
  quickTraffic,
} from "../src/bench/cluster/traffic.ts";
import type { FrameChannel } from "../src/cluster/transport/channel.ts";
import { FramedLink } from "../src/cluster/transport/framed-link.ts";
import { defaultLimits, type Link } from "../src/cluster/transport/link.ts";
import { type Port, PortChannel } from "../src/cluster/transport/port/port-channel.ts";
import { dialTcp } from "../src/cluster/transport/tcp/dial.ts";
import { listenTcp } from "../src/cluster/transport/tcp/listen.ts";
import type { TcpChannel } from "../src/cluster/transport/tcp/tcp-channel.ts";
import { describeError } from "../src/core/errors.ts";
import { measureChromium } from "./cluster-chromium.ts";

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
  const { host, port, close } = await listenTcp({ key, channel: accept });
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

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      out: { type: "string", default: "bench-results/cluster" },
    },
  });
  const { CHROMIUM } = process.env;
  const traffic = values.quick ? quickTraffic : fullTraffic;
  const machine = `${cpus()[0].model}, ${cpus().length} processors, Node ${process.version}`;
  console.error(machine);
  const measurements = [
    await betweenThreads((link) => measurePath("port, two threads of Node", link, traffic)),
    await betweenProcesses((link) => measurePath("tcp, two processes of Node", link, traffic)),
    ...(CHROMIUM ? await measureChromium(CHROMIUM, traffic) : []),
  ];
  const table = tableOf(measurements);
  console.log(table);
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, "cluster.md"), `${machine}\n\n${table}\n`);
  await writeFile(join(values.out, "rates.svg"), drawRates(measurements));
}

if (!isMainThread) answerAsThread(workerData);
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
