import { valueCount } from "../../core/grid.ts";
import type { RunReport } from "../../lang/expression/execute/report.ts";
import type { Network, NodeId } from "../../lang/expression/network/network.ts";
import type { Session } from "../session.ts";
import type { NodeMeasurement } from "./api.ts";

/** What a staged run found out about each value; nothing of other runs, whose kernels hold several filters. */
export function measuredNodes(
  session: Session,
  { nodes }: Network,
  { strategy, kernelReports }: RunReport,
): NodeMeasurement[] {
  if (strategy !== "staged") return [];
  const measured = new Map<NodeId, NodeMeasurement>();
  const { grid } = session.data.dataSet;
  const fields = new Map(session.signatures().map((signature) => [signature.name, signature]));
  for (const [node, one] of nodes.entries()) {
    const field = one.kind === "source" ? fields.get(one.field) : undefined;
    if (field) measured.set(node, { node, bytes: valueCount(grid, field.centering) * field.components * 4 });
  }
  for (const { ms, written } of kernelReports) {
    for (const { node, bytes } of written) {
      const before = measured.get(node)?.milliseconds ?? 0;
      measured.set(node, { node, bytes, ...(ms === undefined ? {} : { milliseconds: before + ms }) });
    }
  }
  return [...measured.values()];
}
