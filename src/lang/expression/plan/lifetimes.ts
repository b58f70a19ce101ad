import { type Centering, type Grid, valueCount, valueDims } from "../../../core/grid.ts";
import type { Network, NodeId } from "../network/network.ts";
import { componentsOf } from "../types.ts";
import type { Binding, Kernel } from "./kernel.ts";
import type { RunCost } from "./report.ts";
import { centeringOf } from "./stages.ts";

/** An array on the device. */
export type ArrayName =
  | { readonly kind: "field"; readonly field: string }
  | { readonly kind: "tables"; readonly centering: Centering }
  | { readonly kind: "value"; readonly node: NodeId };

export function keyOf(name: ArrayName): string {
  switch (name.kind) {
    case "field":
      return `field ${name.field}`;
    case "tables":
      return `tables ${name.centering}`;
    case "value":
      return `value ${name.node}`;
  }
}

export function arrayOf(binding: Binding): ArrayName {
  switch (binding.kind) {
    case "tables":
      return { kind: "tables", centering: binding.centering };
    case "source":
      return { kind: "field", field: binding.field };
    case "temporary":
      return { kind: "value", node: binding.node };
    case "store":
      return { kind: "value", node: binding.store.node };
  }
}

/** A kernel, and which arrays come and go around it. */
export interface Step {
  readonly kernel: Kernel;
  /** Sent to the device before it. */
  readonly sent: readonly ArrayName[];
  /** Values that it writes. */
  readonly written: readonly NodeId[];
  /** Values that the host gets after it. */
  readonly returned: readonly NodeId[];
  /** What leaves the device after it. */
  readonly dead: readonly ArrayName[];
}

/**
 * Arrays are sent before the first kernel that reads them and leave after the last one, outputs to the host. Without
 * `isKept` everything leaves after each kernel: what it wrote goes to the host, and is sent again to whoever reads it.
 */
export function stepsOf(kernels: readonly Kernel[], isKept: boolean): Step[] {
  const lastUse = new Map<string, number>();
  const outputs = new Set<NodeId>();
  for (const [k, { bindings }] of kernels.entries()) {
    for (const binding of bindings) {
      lastUse.set(keyOf(arrayOf(binding)), k);
      if (binding.kind === "store" && binding.store.output !== undefined) outputs.add(binding.store.node);
    }
  }
  const present = new Set<string>();
  return kernels.map((kernel, k) => {
    const names = new Map(kernel.bindings.map((binding) => [keyOf(arrayOf(binding)), arrayOf(binding)]));
    const written = kernel.bindings.flatMap((binding) =>
      binding.kind === "store" ? [binding.store.node] : [],
    );
    const isWritten = (name: ArrayName) => name.kind === "value" && written.includes(name.node);
    const sent = [...names]
      .filter(([key, name]) => !present.has(key) && !isWritten(name))
      .map(([, name]) => name);
    for (const key of names.keys()) present.add(key);
    const dead = isKept
      ? [...names.values()].filter((name) => lastUse.get(keyOf(name)) === k)
      : [...names.values()];
    for (const name of dead) present.delete(keyOf(name));
    const leaving = dead.flatMap((name) => (name.kind === "value" ? [name.node] : []));
    const returned = isKept ? leaving.filter((node) => outputs.has(node)) : written;
    return { kernel, sent, written, returned, dead };
  });
}

/** Bytes of an array on a grid. */
export type ArrayBytes = (name: ArrayName) => number;

export function bytesOn(
  grid: Grid,
  network: Network,
  fields: (name: string) => { readonly components: number; readonly centering: Centering },
): ArrayBytes {
  return (name) => {
    switch (name.kind) {
      case "tables": {
        const [nx, ny, nz] = valueDims(grid, name.centering);
        return 3 * (nx + ny + nz) * 4;
      }
      case "field": {
        const { components, centering } = fields(name.field);
        return valueCount(grid, centering) * components * 4;
      }
      case "value": {
        const node = network.nodes[name.node];
        return valueCount(grid, centeringOf(node)) * componentsOf(node.type.value) * 4;
      }
    }
  };
}

/** What running these steps will cost. */
export function costOf(steps: readonly Step[], bytesOf: ArrayBytes): RunCost {
  const cost = { uploads: 0, downloads: 0, kernels: 0, uploadedBytes: 0, downloadedBytes: 0, peakBytes: 0 };
  let held = 0;
  for (const { sent, written, returned, dead } of steps) {
    for (const name of sent) {
      cost.uploads++;
      cost.uploadedBytes += bytesOf(name);
      held += bytesOf(name);
    }
    for (const node of written) held += bytesOf({ kind: "value", node });
    cost.kernels++;
    cost.peakBytes = Math.max(cost.peakBytes, held);
    for (const node of returned) {
      cost.downloads++;
      cost.downloadedBytes += bytesOf({ kind: "value", node });
    }
    for (const name of dead) held -= bytesOf(name);
  }
  return cost;
}
