/** What accesses allow: how many indices a load has, and of which type. */
import type { Span } from "../core/errors.ts";
import { counted, kernelError } from "./errors.ts";
import type { Expression, KernelInput } from "./ir.ts";
import { elementType, type Type, typeText } from "./types.ts";

export const inputType = ({ scalar, components }: Pick<KernelInput, "scalar" | "components">): Type =>
  elementType(scalar, components);

/** The type of `name(indices)`; throws a KernelError where the input's access does not allow it. */
export function loadType(
  name: string,
  input: KernelInput,
  indices: readonly Expression[],
  span?: Span,
): Type {
  const { access } = input;
  checkCount(name, access.kind, indices.length, span);
  for (const index of indices) {
    if (index.type.kind !== "scalar" || (index.type.scalar !== "i32" && index.type.scalar !== "u32")) {
      throw kernelError(
        `An index of the input “${name}” cannot be ${typeText(index.type)}.`,
        "Indices are i32 or u32.",
        index.span ?? span,
      );
    }
    if (index.type.scalar !== (indices[0].type.kind === "scalar" ? indices[0].type.scalar : undefined)) {
      throw kernelError(
        `The indices of the input “${name}” are of two types, i32 and u32.`,
        "Convert them to one.",
        span,
      );
    }
    if (access.kind === "offsets" && (index.kind !== "literal" || index.type.scalar !== "i32")) {
      throw kernelError(
        `An offset into the input “${name}” is not a literal of i32.`,
        "Write the number itself, or declare a footprint and read at a position.",
        index.span ?? span,
      );
    }
  }
  if (access.kind === "map") {
    const [entry] = indices;
    if (entry.kind === "literal" && (Number(entry.value) < 0 || Number(entry.value) >= access.arity)) {
      throw kernelError(
        `The map “${access.map}” of the input “${name}” has no entry ${entry.value}.`,
        `Its entries are 0 to ${access.arity - 1}.`,
        entry.span ?? span,
      );
    }
  }
  return inputType(input);
}

const allowed: Readonly<Record<KernelInput["access"]["kind"], { counts: readonly number[]; form: string }>> =
  {
    own: { counts: [0], form: "()" },
    offsets: { counts: [1, 3], form: "(dx, dy, dz) in a grid, or (d) in a row" },
    footprint: { counts: [1, 3], form: "(x, y, z) in a grid, or (i)" },
    map: { counts: [1], form: "(k), the entry of the map" },
    all: { counts: [1], form: "(i)" },
  };

function checkCount(name: string, kind: KernelInput["access"]["kind"], count: number, span?: Span): void {
  const { counts, form } = allowed[kind];
  if (counts.includes(count)) return;
  throw kernelError(
    `The input “${name}” is read with ${counted(count, "index").replace("indexs", "indices")}, and its access is “${kind}”.`,
    `Write ${name}${form}.`,
    span,
  );
}
