import type { KernelProgram } from "../ir.ts";
import type { KernelCall } from "../layout.ts";
import { printKernel } from "./print.ts";
import { trackKernel } from "./track-kernel.ts";

/** How many numbers of a kernel's outputs there are, and how many of them have bounds to be held to. */
export interface Share {
  floats: number;
  boundedFloats: number;
  integers: number;
  knownIntegers: number;
}

export const newShare = (): Share => ({ floats: 0, boundedFloats: 0, integers: 0, knownIntegers: 0 });

/** Throws where an output of the call is beyond the bounds of what a GPU may compute; counts what has bounds. */
export function checkWithin(program: KernelProgram, call: KernelCall, share: Share, label: string): void {
  const bounds = trackKernel(program, call);
  for (const [name, { scalar }] of Object.entries(program.outputs)) {
    const isFloat = scalar === "f32" || scalar === "f64";
    call.outputs[name].forEach((got, k) => {
      const bound = bounds[name][k];
      if (isFloat) share.floats++;
      else share.integers++;
      if (bound.kind === "open") return;
      if (isFloat) share.boundedFloats++;
      else share.knownIntegers++;
      const isWithin =
        bound.kind === "range"
          ? got >= bound.low && got <= bound.high
          : got === bound.value || isSameFloat(got, Number(bound.value));
      if (isWithin) return;
      throw new Error(
        `${label}: ${name}[${k}] is ${got}, and should be ${JSON.stringify(bound)}\n${printKernel(program)}`,
      );
    });
  }
}

/** NaN and infinities that are just moved may become each other's like where compilers assume that there are none. */
const isSameFloat = (a: number, b: number): boolean =>
  !Number.isFinite(b) || (Math.abs(b) < 2 ** -126 && Math.abs(a) <= Math.abs(b));
