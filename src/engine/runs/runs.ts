import type { JobContext } from "../../core/job.ts";
import { numbersOf } from "../../core/quantity.ts";
import { PassTimer } from "../../gpu/device/timing.ts";
import { toDot } from "../../lang/expression/network/dot.ts";
import { layoutNetwork } from "../../lang/expression/network/layout.ts";
import type { Network } from "../../lang/expression/network/network.ts";
import { toScript } from "../../lang/expression/network/script.ts";
import { resultStatements } from "../../lang/expression/results.ts";
import type { Session } from "../session.ts";
import type { NetworkSummary, NodeMeasurement, RunRequest, RunSummary } from "./api.ts";
import { measuredNodes } from "./nodes.ts";

/** A text's network, and the results that are kept of it. */
export interface Program {
  readonly network: Network;
  readonly outputs: readonly string[];
}

/** Rejects with the first SyntaxError, UnknownName or TypeError of the text. */
export async function programOf(session: Session, text: string): Promise<Program> {
  const outputs = resultStatements(text).results.map(({ name }) => name);
  return { network: await session.compile(text, { outputs }), outputs };
}

/** Larger networks are not laid out: no one finds the way in them. */
const maxDrawnNodes = 1000;

/** The network of a text, with what has been measured of its values. Rejects with what `programOf` rejects with. */
export async function networkSummary(
  session: Session,
  text: string,
  measured: readonly NodeMeasurement[] = [],
): Promise<NetworkSummary> {
  const { network } = await programOf(session, text);
  const reports = new Map(measured.map(({ node, ...report }) => [node, report]));
  const nodes = network.nodes.length;
  return {
    nodes,
    layout: nodes <= maxDrawnNodes ? layoutNetwork(network, reports) : undefined,
    dot: toDot(network, reports),
    script: toScript(network),
  };
}

/** More passes than a set of timestamps holds are not measured. */
const maxPasses = 2048;

export interface MeasuredRun {
  /** The numbers of each result: a field's values, a quantity's components, a histogram's counts. */
  readonly values: ReadonlyMap<string, ArrayLike<number | bigint>>;
  readonly summary: RunSummary;
}

/** Runs a program from host memory to host memory, and measures its kernels. Throws what `Session.run` throws. */
export async function measuredRun(
  session: Session,
  { network, outputs }: Program,
  { strategy, budget }: RunRequest,
  job: JobContext,
): Promise<MeasuredRun> {
  const { gpu } = session.device;
  const timer = gpu && new PassTimer(gpu.device, Math.min(maxPasses, network.nodes.length));
  try {
    const options = { strategy, timer, ...(budget === undefined ? {} : { budget }) };
    const { fields, quantities, report } = await session.run(network, outputs, options, job);
    const nodes = measuredNodes(session, network, report);
    const values = new Map<string, ArrayLike<number | bigint>>();
    for (const [name, { data }] of fields) values.set(name, data);
    for (const [name, quantity] of quantities) values.set(name, numbersOf(quantity));
    return { values, summary: { ...report, nodes } };
  } finally {
    timer?.dispose();
  }
}
