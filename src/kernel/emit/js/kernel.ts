import { scalarsOf } from "../../constants.ts";
import { loadsOf } from "../../footprint.ts";
import type { KernelProgram, Load } from "../../ir.ts";
import type { CallShape } from "../blocks.ts";
import { preamble } from "./algebra.ts";
import { BodyEmitter } from "./body.ts";
import { type Code, CodeWriter, withoutUnused } from "./code.ts";
import { KernelLoads } from "./kernel-loads.ts";
import { indexedVariables } from "./memory.ts";
import type { Operand } from "./operand.ts";

/** A kernel's loads by their inputs, and inputs that others are read through. */
export function loadsByInput(program: KernelProgram): Map<string, Load[]> {
  const found = new Map<string, Load[]>();
  const of = (name: string) => {
    const loads = found.get(name) ?? [];
    found.set(name, loads);
    return loads;
  };
  for (const load of loadsOf(program)) {
    of(load.input).push(load);
    const { access } = program.inputs[load.input];
    if (access.kind === "map") of(access.map);
  }
  return found;
}

/**
 * The statements of a function (library, blocks, call, constants) that runs a kernel on a call of the given shape; `constants` are
 * typed arrays by name, and numbers.
 */
export function emitJsKernel(program: KernelProgram, shape: CallShape): string {
  const writer = new CodeWriter();
  const loads = new KernelLoads(program, shape, writer);
  const once: string[] = [];
  const constants = constantOperands(program, once);
  const outputs = Object.entries(program.outputs).map(([name, { components = 1 }]) => ({
    name,
    words: writer.name(`out_${name}`),
    lead: writer.name(`lead_${name}`),
    layout: shape.results[name],
    scalars: Array.from({ length: components }, () => writer.name(name)),
  }));
  const indexed = indexedVariables([...program.functions.map(({ body }) => body), program.body]);
  const emitter = new BodyEmitter(writer, once, indexed, {
    constant: (name) => constants.get(name)!,
    position: (which) => (which === "at" ? positionCode(loads.isGrid) : [which]),
    load: (load, indices, ranges) => loads.load(load, indices, ranges),
    output: (name) => ({
      kind: "scalars",
      scalars: outputs.find((output) => output.name === name)?.scalars ?? [],
    }),
  });
  const body = writer.capture(() => {
    for (const { scalars } of outputs) writer.line(`let ${scalars.map((name) => `${name} = 0`).join(", ")};`);
    emitter.kernel(program.body);
    for (const { words, lead, layout, scalars } of outputs) {
      const { stride, componentStride } = layout ?? { stride: scalars.length, componentStride: 1 };
      const first = `${layout ? `${lead} + ` : ""}result${stride === 1 ? "" : ` * ${stride}`}`;
      scalars.forEach((scalar, c) => {
        writer.line(`${words}[${c === 0 ? first : `${first} + ${c * componentStride}`}] = ${scalar};`);
      });
    }
  });
  for (const { name, words, lead, layout } of outputs) {
    once.push(`const ${words} = call.outputs[${JSON.stringify(name)}];`);
    if (layout) once.push(`const ${lead} = call.layouts[${JSON.stringify(name)}].lead;`);
  }
  const lines = [...preamble, ...once, ...loads.perCall, ...loopLines(shape, loads, body)];
  return withoutUnused(lines, "").join("\n");
}

const positionCode = (isGrid: boolean): Code[] => (isGrid ? ["x", "y", "z"] : ["element", "0", "0"]);

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

function loopLines(shape: CallShape, { perRow, perElement }: KernelLoads, body: readonly string[]): string[] {
  switch (shape.space) {
    case "row":
      return [
        "const { first, length } = call.space;",
        "const end = first + length;",
        "for (let element = first; element < end; element++) {",
        ...indent(["const place = element;", "const result = element - first;", ...perElement, ...body]),
        "}",
      ];
    case "list":
    case "list in a grid":
      return [
        "const { first, length } = call.space;",
        "const { elements, grid } = call.at;",
        ...(shape.space === "list" ? [] : gridLines("grid")),
        "for (let result = 0; result < length; result++) {",
        ...indent([
          "const place = first + result;",
          "const element = elements[result];",
          ...(shape.space === "list" ? [] : placeLines),
          ...perRow,
          ...perElement,
          ...body,
        ]),
        "}",
      ];
    case "grid":
      return [
        "const { whole, origin, extents } = call.space;",
        ...gridLines("whole"),
        "const [beginx, beginy, beginz] = origin;",
        "const [countx, county, countz] = extents;",
        "const endx = beginx + countx;",
        "const endy = beginy + county;",
        "const endz = beginz + countz;",
        "for (let z = beginz; z < endz; z++) {",
        "  for (let y = beginy; y < endy; y++) {",
        ...indent(
          indent([
            "const resultRow = countx * (y - beginy + county * (z - beginz)) - beginx;",
            "const elementRow = nx * (y + ny * z);",
            ...perRow,
            "for (let x = beginx; x < endx; x++) {",
            ...indent([
              "const element = elementRow + x;",
              "const place = element;",
              "const result = resultRow + x;",
              ...perElement,
              ...body,
            ]),
            "}",
          ]),
        ),
        "  }",
        "}",
      ];
  }
}

const gridLines = (of: string): string[] => [
  `const nx = ${of}[0];`,
  `const ny = ${of}[1];`,
  `const lastx = ${of}[0] - 1;`,
  `const lasty = ${of}[1] - 1;`,
  `const lastz = ${of}[2] - 1;`,
];

const placeLines: readonly string[] = [
  "const line = floor(element / nx);",
  "const x = element - nx * line;",
  "const z = floor(line / ny);",
  "const y = line - ny * z;",
];

/** Scalars, vectors and matrices in constants of the code; arrays and structs in memory. */
function constantOperands(program: KernelProgram, once: string[]): Map<string, Operand> {
  return new Map(
    Object.entries(program.constants).map(([name, type], k): [string, Operand] => {
      const words = `constant$${k}`;
      once.push(`const ${words} = constants[${JSON.stringify(name)}];`);
      if (type.kind === "array" || type.kind === "struct")
        return [name, { kind: "memory", array: words, base: "0" }];
      const scalars = scalarsOf(type).map((scalar, c) => {
        once.push(`const ${words}_${c} = ${words}[${c}]${scalar === "bool" ? " !== 0" : ""};`);
        return `${words}_${c}`;
      });
      return [name, { kind: "scalars", scalars }];
    }),
  );
}
