import { type Centering, type Grid, valueCount, valueDims } from "../../../core/grid.ts";
import type { Network, NodeId } from "../network/network.ts";
import { componentsOf } from "../types.ts";
import type { CostLedger } from "./cost.ts";
import type { Binding, ExpressionKernel } from "./kernel.ts";
import type { Residency } from "./residency.ts";
import { centeringOf } from "./stages.ts";

/** An array on the device that is not computed: a field, or a table of coordinates. */
export type InputArray =
  | { readonly kind: "field"; readonly field: string }
  | { readonly kind: "tables"; readonly centering: Centering };

/** The array of a computed value. A value with several names has one array for each, so that each can be freed alone. */
export interface ValueArray {
  readonly kind: "value";
  readonly node: NodeId;
  /** The name of the output, where a kernel writes it. */
  readonly output?: string;
  /** Not the first of the value's arrays, which is the one that later kernels read. */
  readonly isCopy?: boolean;
}

export type DeviceArray = InputArray | ValueArray;

export function keyOf(array: DeviceArray): string {
  switch (array.kind) {
    case "field":
      return `field ${array.field}`;
    case "tables":
      return `tables ${array.centering}`;
    case "value":
      return array.isCopy ? `value ${array.node} as ${array.output}` : `value ${array.node}`;
  }
}

/** A kernel, and which arrays come and go around it. */
export interface KernelStep {
  readonly kernel: ExpressionKernel;
  /** Of the kernel's bindings, in their order. */
  readonly arrays: readonly DeviceArray[];
  /** Sent to the device before it. */
  readonly sent: readonly DeviceArray[];
  /** Values that it writes. */
  readonly written: readonly ValueArray[];
  /** Values that the host gets after it. */
  readonly returned: readonly ValueArray[];
  /** What leaves the device after it. */
  readonly dead: readonly DeviceArray[];
}

/** The lifetimes of all arrays: what is sent before each kernel, and what returns and is freed after it. */
export function stepsOf(kernels: readonly ExpressionKernel[], residency: Residency): KernelStep[] {
  const arrays = arraysOf(kernels);
  const lastUse = new Map<string, number>();
  const outputs = new Set<string>();
  for (const [k, { bindings }] of kernels.entries()) {
    for (const [b, binding] of bindings.entries()) {
      const key = keyOf(arrays[k][b]);
      lastUse.set(key, k);
      if (binding.kind === "store" && binding.store.output !== undefined) outputs.add(key);
    }
  }
  const leavesAfter = (array: DeviceArray, k: number): boolean => {
    const isLast = lastUse.get(keyOf(array)) === k;
    if (array.kind !== "value")
      return residency.inputs === "resent" || (residency.inputs === "sent" && isLast);
    if (residency.temporaries === "returned") return true;
    const stays = outputs.has(keyOf(array))
      ? residency.outputs === "resident"
      : residency.temporaries === "kept";
    return isLast && !stays;
  };
  const present = new Set<string>();
  return kernels.map((kernel, k) => {
    const unique = [...new Map(arrays[k].map((array) => [keyOf(array), array])).values()];
    const written = arrays[k].flatMap((array, b) =>
      array.kind === "value" && kernel.bindings[b].kind === "store" ? [array] : [],
    );
    for (const array of written) present.add(keyOf(array));
    const sent = unique.filter(
      (array) => !present.has(keyOf(array)) && !(array.kind !== "value" && residency.inputs === "resident"),
    );
    for (const array of sent) present.add(keyOf(array));
    const dead = unique.filter((array) => leavesAfter(array, k));
    for (const array of dead) present.delete(keyOf(array));
    const leaving = dead.flatMap((array) =>
      array.kind === "value" && outputs.has(keyOf(array)) ? [array] : [],
    );
    const returned = residency.temporaries === "returned" ? written : leaving;
    return { kernel, arrays: arrays[k], sent, written, returned, dead };
  });
}

/** What each kernel's bindings stand for. */
function arraysOf(kernels: readonly ExpressionKernel[]): DeviceArray[][] {
  const stored = new Set<NodeId>();
  const arrayOf = (binding: Binding): DeviceArray => {
    switch (binding.kind) {
      case "tables":
        return { kind: "tables", centering: binding.centering };
      case "source":
        return { kind: "field", field: binding.field };
      case "temporary":
        return { kind: "value", node: binding.node };
      case "store": {
        const { node, output } = binding.store;
        const isCopy = stored.has(node);
        stored.add(node);
        return { kind: "value", node, output, isCopy };
      }
    }
  };
  return kernels.map(({ bindings }) => bindings.map(arrayOf));
}

/** Bytes of an array on a grid. */
export type ArrayBytes = (array: DeviceArray) => number;

export function bytesOn(
  grid: Grid,
  network: Network,
  fields: (name: string) => { readonly components: number; readonly centering: Centering },
): ArrayBytes {
  return (array) => {
    switch (array.kind) {
      case "tables": {
        const [nx, ny, nz] = valueDims(grid, array.centering);
        return 3 * (nx + ny + nz) * 4;
      }
      case "field": {
        const { components, centering } = fields(array.field);
        return valueCount(grid, centering) * components * 4;
      }
      case "value": {
        const node = network.nodes[array.node];
        return valueCount(grid, centeringOf(node)) * componentsOf(node.type.value) * 4;
      }
    }
  };
}

/** Enters in the ledger what running these steps will cost. Inputs that no step sends are on the device from the start. */
export function predictCost(
  steps: readonly KernelStep[],
  bytesOf: ArrayBytes,
  ledger: CostLedger,
  isPresent: (input: InputArray) => boolean,
): void {
  const sentKeys = new Set(steps.flatMap(({ sent }) => sent.map(keyOf)));
  for (const array of steps.flatMap(({ arrays }) => arrays)) {
    if (array.kind === "value" || sentKeys.has(keyOf(array))) continue;
    ledger.readResident(keyOf(array), bytesOf(array), isPresent(array));
  }
  for (const { sent, written, returned, dead } of steps) {
    for (const array of sent) {
      ledger.upload(bytesOf(array));
      ledger.hold(bytesOf(array));
    }
    for (const array of written) ledger.hold(bytesOf(array));
    ledger.dispatch();
    for (const array of returned) ledger.download(bytesOf(array));
    for (const array of dead) ledger.free(bytesOf(array));
  }
}
