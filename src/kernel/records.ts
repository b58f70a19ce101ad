/** Kernels, reductions and tallies of the primitives (core/primitives) as programs: made once for each record. */
import { CrinkleError } from "../core/errors.ts";
import type { Kernel, Signature, Slot, Slots } from "../core/primitives/kernel.ts";
import { noBin, type Reduction, type Tally } from "../core/primitives/reduction.ts";
import type { ScalarType } from "../core/primitives/vector.ts";
import { compileKernel } from "./compile-js.ts";
import { kernelError } from "./errors.ts";
import { loadsOf } from "./footprint.ts";
import type { KernelProgram, Statement } from "./ir.ts";
import type { KernelCall } from "./layout.ts";
import { simplifyKernel } from "./simplify/simplify.ts";
import { parseKernel } from "./text/parse.ts";
import { elementType, scalarOf } from "./types.ts";

function kept<O extends object, V>(make: (of: O) => V): (of: O) => V {
  const known = new WeakMap<O, V>();
  return (of) => {
    let value = known.get(of);
    if (value === undefined) {
      value = make(of);
      known.set(of, value);
    }
    return value;
  };
}

/** The program of a kernel. This and what follows throw a KernelError that names the record and the place in its text. */
export const kernelProgram: (kernel: Kernel) => KernelProgram = kept((kernel: Kernel) =>
  programOf(kernel, kernel.outputs),
);

const reductionProgram = kept((reduction: Reduction) => {
  const { terms } = reduction;
  const identities = Object.entries(terms).map(
    ([name, { type, operator }]) => [name, type, operator.identity(type)] as const,
  );
  return startingWith(programOf(reduction, terms), identities);
});

const tallyProgram = kept((tally: Tally) =>
  startingWith(programOf(tally, { bin: { type: "u32" } }), [["bin", "u32", noBin]]),
);

type Run = (call: KernelCall) => void;

const compiled = (program: KernelProgram): Run => compileKernel(simplifyKernel(program));

export const kernelRun: (kernel: Kernel) => Run = kept((kernel: Kernel) => compiled(kernelProgram(kernel)));
/** Writes the terms of each element. */
export const reductionRun: (reduction: Reduction) => Run = kept((reduction: Reduction) =>
  compiled(reductionProgram(reduction)),
);
/** Writes the bin of each element, `noBin` where it is left out. */
export const tallyRun: (tally: Tally) => Run = kept((tally: Tally) => compiled(tallyProgram(tally)));

function programOf({ name, inputs, constants, text, functions = "" }: Signature, outputs: Slots) {
  try {
    const program = parseKernel({
      name,
      inputs: mapped(inputs, ({ type, components, access }) => ({ scalar: type, components, access })),
      outputs: mapped(outputs, ({ type, components }) => ({ scalar: type, components })),
      constants: mapped(constants, ({ type, components }: Slot) => elementType(type, components)),
      text: `${text}\n${functions}`,
    });
    checkPositions(program);
    return program;
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    const { tag, problem, remedy, span } = error;
    throw new CrinkleError({ tag, problem: `“${name}”: ${problem}`, remedy, span });
  }
}

const mapped = <A, B>(record: Readonly<Record<string, A>>, make: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value)]));

/** Shaders take the text as it stands: their inputs are functions of u32. */
function checkPositions(program: KernelProgram): void {
  for (const { input, indices } of loadsOf(program)) {
    const signed = indices.find(({ type }) => scalarOf(type) === "i32");
    if (!signed) continue;
    throw kernelError(
      `The input “${input}” is read at a position of i32.`,
      "Convert it to u32.",
      signed.span,
    );
  }
}

/** The program with outputs that begin as other numbers than 0. */
function startingWith(
  program: KernelProgram,
  starts: readonly (readonly [name: string, type: ScalarType, value: number])[],
): KernelProgram {
  const assignments = starts.map(([name, scalar, value]): Statement => {
    const type = { kind: "scalar", scalar } as const;
    const target = { kind: "output", name, type } as const;
    return { kind: "assign", target, value: { kind: "literal", type, value } };
  });
  return { ...program, body: [...assignments, ...program.body] };
}
