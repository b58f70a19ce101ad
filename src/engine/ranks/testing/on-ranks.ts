import type { Tuning } from "../../../cluster/communicator/collectives/tuning.ts";
import type { Communicator } from "../../../cluster/communicator/communicator.ts";
import { communicatorOf } from "../../../cluster/communicator/group-communicator.ts";
import { runWorkingRanks } from "../../../cluster/communicator/testing/run-ranks.ts";
import { wholeBox } from "../../../core/box.ts";
import { putValues } from "../../../core/box-values.ts";
import { arrayOf } from "../../../core/dtype.ts";
import type { DataSet } from "../../../core/field.ts";
import { valueCount, valueDims } from "../../../core/grid.ts";
import { noJob } from "../../../core/job.ts";
import { isPointSet, type PointSet } from "../../../core/point-set.ts";
import { storedInMemory } from "../../../data/stored.ts";
import { compile } from "../../../lang/expression/compile.ts";
import { type Results, resultsOf } from "../../../lang/expression/execute/testing/evaluate.ts";
import type { EngineDevice } from "../../device.ts";
import { openEngineDevice } from "../../device.ts";
import type { DataSource } from "../data-source.ts";
import type { Pace } from "../paces.ts";
import { OwnEngine } from "../rank-engine.ts";
import { openRankedData } from "../ranked-data.ts";
import { evaluateOnRanks } from "../ranked-evaluation.ts";
import { recordedRun } from "../recorded-run.ts";

/** Which ranks can read the data themselves: all of them, or the host alone. */
export type Readers = "all" | "host";

export const testSource: DataSource = { kind: "host", name: "test" };

/** An engine that has the data, if its rank is to read them. */
export const engineWith = (
  data: DataSet | PointSet,
  rank: number,
  readers: Readers = "all",
  openDevice: () => Promise<EngineDevice> = () => openEngineDevice("cpu", undefined),
): OwnEngine =>
  new OwnEngine({
    openDevice,
    read: async () => {
      if (readers === "host" && rank > 0) return undefined;
      return isPointSet(data) ? data : storedInMemory(data);
    },
  });

/** The results of a program on so many ranks in memory, each with an engine, all of which must succeed. */
export async function onRanks<R>(
  ranks: number,
  program: (communicator: Communicator) => Promise<R>,
  tuning?: Tuning,
): Promise<R[]> {
  const outcomes = await runWorkingRanks(ranks, { seed: ranks }, (world, { seen }) =>
    program(tuning ? communicatorOf(seen[world.rank].member.epoch.world, tuning) : world),
  );
  return outcomes.map((outcome) => {
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  });
}

/** What ranks choose by, and what tells of their choice. */
export interface RatesOfRanks {
  readonly tuning?: Tuning;
  /** Of each rank's former jobs. */
  readonly paces?: readonly Pace[];
  /** Is told the messages of each rank. */
  readonly onMessages?: (messages: number) => void;
}

/** The values of a text's outputs, computed by so many ranks or in blocks: whole fields, put together of the ranks' parts. */
export async function runOnRanks(
  ranks: number | readonly number[],
  text: string,
  dataSet: DataSet,
  readers: Readers = "all",
  openDevice?: () => Promise<EngineDevice>,
  { tuning, paces, onMessages = () => {} }: RatesOfRanks = {},
): Promise<Results> {
  const network = compile(text, dataSet.fields);
  const names = network.outputs.map(({ name }) => name);
  const blocks = typeof ranks === "number" ? [1, 1, ranks] : ranks;
  const parts = await onRanks(
    blocks[0] * blocks[1] * blocks[2],
    async (communicator) => {
      const engine = engineWith(dataSet, communicator.rank, readers, openDevice);
      engine.paces = paces;
      const run = recordedRun({ communicator, engine, context: noJob }, noJob, "Evaluate");
      const data = await openRankedData(run.communicator, engine, testSource, noJob, run.watch, { blocks });
      const results = await evaluateOnRanks({ ...run, data }, network, names);
      onMessages(run.watch.traffic.messages);
      return results;
    },
    tuning,
  );
  const [{ fields, quantities }] = parts;
  const whole = new Map(
    [...fields].map(([name, { field }]) => {
      const data = new (arrayOf(field.dtype))(valueCount(dataSet.grid, field.centering) * field.components);
      const all = wholeBox(valueDims(dataSet.grid, field.centering));
      for (const part of parts) {
        const own = part.fields.get(name);
        if (own) putValues(data, all, own.field.data, own.box, field.components);
      }
      return [name, { ...field, data }];
    }),
  );
  return resultsOf(whole, quantities);
}
