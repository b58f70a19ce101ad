// Runs the bench in Node on Dawn: `node dist/bench/node.js [filter] [--json] [--n N] [--quick] [--unsafe]`.

import { runBench } from "../src/bench/run.ts";
import { describeError } from "../src/core/errors.ts";
import { GpuContext } from "../src/gpu/device/context.ts";
import { openNodeGpu } from "../src/node/gpu.ts";
import { readOptions, uncheckedFeatures } from "./options.ts";
import { Printer } from "./printer.ts";

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const { gpu, reason } = await openNodeGpu(
    options.isUnsafe ? [`enable-dawn-features=${uncheckedFeatures}`] : [],
  );
  if (!gpu) throw new Error(`There is no WebGPU in this Node: ${reason}.`);
  const context = await GpuContext.open(gpu);
  const printer = new Printer(options.isJson);
  printer.head(
    `${context.adapter.description}, Node ${process.version} (Dawn${options.isUnsafe ? ", unchecked" : ""})`,
  );
  await runBench(context, options, {
    onRow: (row) => printer.row(row),
    onFailure: (name, error) => printer.failure(name, describeError(error)),
  });
  return printer.end();
}

main().then(
  (code) => process.stdout.write("", () => process.exit(code)),
  (error: unknown) => {
    console.error(describeError(error));
    process.exit(1);
  },
);
