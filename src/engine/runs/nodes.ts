import type { Network } from "../../lang/expression/network/network.ts";
import { chosenOutputs } from "../../lang/expression/strategies/outputs.ts";
import { staged } from "../../lang/expression/strategies/per-filter.ts";
import { bytesOn } from "../../lang/expression/strategies/run/lifetimes.ts";
import type { RunReport } from "../../lang/expression/strategies/run/report.ts";
import type { Session } from "../session.ts";
import type { NodeMeasurement } from "./api.ts";

/** What a staged run tells of each value; nothing of other runs, whose kernels hold several filters. */
export function measuredNodes(
  session: Session,
  network: Network,
  outputs: readonly string[],
  { strategy, kernelReports }: RunReport,
): NodeMeasurement[] {
  if (strategy !== "staged") return [];
  const { grid } = session.data.dataSet;
  const signatures = new Map(session.signatures().map((signature) => [signature.name, signature]));
  const bytesOf = bytesOn(grid, network, (name) => signatures.get(name)!);
  const kernels = staged.plan(
    network,
    chosenOutputs(network, outputs),
    (name) => {
      const { components } = signatures.get(name)!;
      return { components, offsets: new Array<number>(components).fill(0) };
    },
    { storageBuffers: Number.POSITIVE_INFINITY },
  );
  const measured = new Map<number, NodeMeasurement>();
  for (const [node, { kind, ...rest }] of network.nodes.entries()) {
    if (kind !== "source" || !("field" in rest)) continue;
    measured.set(node, { node, bytes: bytesOf({ kind: "field", field: rest.field }) });
  }
  kernels.forEach(({ bindings }, k) => {
    for (const binding of bindings) {
      if (binding.kind !== "store") continue;
      const { node } = binding.store;
      const milliseconds = kernelReports[k]?.ms;
      const bytes = bytesOf({ kind: "value", node });
      measured.set(node, { node, bytes, ...(milliseconds === undefined ? {} : { milliseconds }) });
    }
  });
  return [...measured.values()];
}
