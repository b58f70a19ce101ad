import { reachesOf } from "../footprint.ts";
import { interpretKernel, type WatchedLoad } from "../interpret/interpret.ts";
import { clamped, placeInGrid } from "../interpret/position.ts";
import type { KernelProgram } from "../ir.ts";
import type { KernelCall } from "../layout.ts";

/** What a call read, and each read that was farther from its element than the kernel declares. */
export interface WatchedCall {
  readonly loads: number;
  /** A sentence for each: the kernel, the input, the position read, and the element that the kernel was at. */
  readonly violations: readonly string[];
}

/** Runs a call by interpretation, and holds its reads to the footprints that the kernel declares. */
export function watchAccess(program: KernelProgram, call: KernelCall): WatchedCall {
  const reaches = reachesOf(program, call.constants);
  const violations: string[] = [];
  let loads = 0;
  const run = interpretKernel(program, (load) => {
    loads++;
    const { access } = program.inputs[load.input];
    const reach = reaches[load.input];
    if (access.kind !== "footprint" || !reach) return;
    const { read, home } = placesOf(load, call, access.stride ?? 1);
    const isNear = read.every(
      (position, axis) =>
        position >= home[axis] - reach.before[axis] && position <= home[axis] + reach.after[axis],
    );
    if (isNear) return;
    violations.push(
      `${program.name} reads ${load.input} at ${read.join(", ")}, beyond its footprint around ${home.join(", ")}, for element ${load.position.element}.`,
    );
  });
  run(call);
  return { loads, violations };
}

/** The position that was read, as it counts after being moved into the whole, and the kernel's own in the same input. */
function placesOf(
  { input, indices, position }: WatchedLoad,
  call: KernelCall,
  stride: number,
): { readonly read: readonly number[]; readonly home: readonly number[] } {
  const { part } = call.inputs[input];
  if (indices.length === 3 && part.kind === "grid") {
    return { read: indices.map((at, axis) => clamped(at, part.whole[axis] - 1)), home: position.at };
  }
  const whole = part.kind === "row" ? part.whole : part.whole[0] * part.whole[1] * part.whole[2];
  const flat = clamped(indices[0], whole - 1);
  if (part.kind === "row") return { read: [flat], home: [position.element * stride] };
  return { read: placeInGrid(part.whole, flat), home: position.at };
}
