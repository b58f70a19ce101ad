import type { Network, NodeId } from "../../lang/expression/network/network.ts";
import type { Kernel } from "../../lang/expression/plan/kernel.ts";
import { bytesOn } from "../../lang/expression/plan/lifetimes.ts";
import { chosenOutputs } from "../../lang/expression/plan/outputs.ts";
import { staged } from "../../lang/expression/plan/per-filter.ts";
import { partsOf } from "../../lang/expression/plan/reductions.ts";
import type { RunReport } from "../../lang/expression/plan/report.ts";
import type { Session } from "../session.ts";
import type { NodeMeasurement } from "./api.ts";

/** What a staged run tells of each value; nothing of other runs, whose kernels hold several filters. */
export async function measuredNodes(
  session: Session,
  network: Network,
  outputs: readonly string[],
  { strategy, kernelReports }: RunReport,
): Promise<NodeMeasurement[]> {
  if (strategy !== "staged") return [];
  const signatures = new Map(session.signatures().map((signature) => [signature.name, signature]));
  const bytesOf = bytesOn(session.data.dataSet.grid, network, (name) => signatures.get(name)!);
  const kernels = await stagedKernels(network, outputs, (name) => signatures.get(name)!.components);
  const measured = new Map<NodeId, NodeMeasurement>();
  network.nodes.forEach((one, node) => {
    if (one.kind !== "source") return;
    measured.set(node, { node, bytes: bytesOf({ kind: "field", field: one.field }) });
  });
  kernels.forEach(({ bindings }, k) => {
    for (const binding of bindings) {
      if (binding.kind !== "store") continue;
      const { node } = binding.store;
      const ms = kernelReports[k]?.ms;
      const before = measured.get(node)?.milliseconds ?? 0;
      const bytes = bytesOf({ kind: "value", node });
      measured.set(node, { node, bytes, ...(ms === undefined ? {} : { milliseconds: before + ms }) });
    }
  });
  return [...measured.values()];
}

/** The kernels of a staged run in the order in which they ran: those of what reductions need come first. */
async function stagedKernels(
  network: Network,
  outputs: readonly string[],
  componentsOf: (field: string) => number,
): Promise<readonly Kernel[]> {
  const layoutOf = (name: string) => {
    const components = componentsOf(name);
    return { components, offsets: new Array<number>(components).fill(0) };
  };
  const limits = { storageBuffers: Number.POSITIVE_INFINITY };
  const parts = await partsOf(network, outputs);
  return parts.flatMap((part) =>
    staged.plan(part.network, chosenOutputs(part.network, part.names), layoutOf, limits),
  );
}
