import type { Centering } from "../../../../core/grid.ts";
import { linearGroup } from "../../../../gpu/shader/dispatch.ts";
import { type Fragment, linkFragments } from "../../../../gpu/shader/fragment.ts";
import { checkKernel } from "../../../../kernel/check.ts";
import { WgslModule } from "../../../../kernel/emit/wgsl/module.ts";
import { kernelWgsl } from "../../../../kernel/emit/wgsl/wgsl.ts";
import type { KernelProgram } from "../../../../kernel/ir.ts";
import { simplifyKernel } from "../../../../kernel/simplify/simplify.ts";
import { expressionsOf, forEachBelow, statementsBelow } from "../../../../kernel/walk.ts";
import type { ComposedStage } from "../composition/compose-stage.ts";
import { type Binding, type ExpressionKernel, flatElements, flatThreads } from "../kernel.ts";
import { extents, index, planeAt } from "./grid-wgsl.ts";
import { StageReads, type Walk } from "./stage-reads.ts";

/** A composed kernel, simplified as a whole, checked and written in WGSL. */
export function writeKernel(composed: ComposedStage): ExpressionKernel {
  const program = simplifyKernel(composed.program);
  checkKernel(program);
  const { centering } = composed;
  const module = new WgslModule();
  const read = readsOf(program);
  const bindings = orderedBindings(composed, read);
  const names = new Map(bindings.map((binding) => [binding, module.claim(nameOf(binding))]));
  const parameters = [...composed.parameters]
    .filter(([constant]) => read.has(constant))
    .map(([constant, value]) => ({ constant, name: module.fresh(constant.replace(/ \d+$/, "")), value }));
  const reads = new StageReads(composed, program, names, module);
  const {
    declarations,
    body,
    nameOf: functionName,
  } = kernelWgsl(
    program,
    {
      load: (load, indices) => reads.load(load, indices),
      constant: (name) => constantWgsl(name, parameters),
      position: () => "vec3u(p)",
      output: (name) => {
        const { store, component } = composed.outputs.get(name)!;
        const binding = bindings.find((each) => each.kind === "store" && each.store === store)!;
        return `${names.get(binding)}[${planeAt("at", component, centering)}]`;
      },
    },
    module,
  );
  const shape = composed.needsPlace ? "tiled" : "flat";
  const walk = reads.walk(functionName);
  const fragments: Fragment[] = [extents, linearGroup, ...reads.fragments];
  if (shape === "tiled") fragments.push(index[centering]);
  const lines = body.split("\n");
  return {
    label: program.name,
    shape,
    centering,
    bindings,
    parameters: parameters.map(({ value }) => value),
    code: [
      linkFragments(...fragments),
      ...bindings.map((binding, k) => {
        const access = binding.kind === "store" ? "read_write" : "read";
        return `@group(0) @binding(${k + 1}) var<storage, ${access}> ${names.get(binding)}: array<f32>;`;
      }),
      ...parametersCode(
        parameters.map(({ name }) => name),
        bindings.length + 1,
      ),
      "",
      ...reads.functions.map((text) => `${text}\n`),
      ...(declarations === "" ? [] : [declarations, ""]),
      shape === "tiled" ? tiledMain(centering, lines, walk) : flatMain(centering, lines),
    ].join("\n"),
  };
}

/** The names of the inputs and constants that a kernel reads: what is not read must not be bound. */
function readsOf({ functions, body }: KernelProgram): Set<string> {
  const names = new Set<string>();
  for (const block of [...functions.map((callable) => callable.body), body]) {
    for (const statement of statementsBelow(block)) {
      for (const expression of expressionsOf(statement)) {
        forEachBelow(expression, (part) => {
          if (part.kind === "load") names.add(part.input);
          if (part.kind === "constant") names.add(part.name);
        });
      }
    }
  }
  return names;
}

const kinds: readonly Binding["kind"][] = ["tables", "source", "temporary", "store"];

/** Arrays that nothing reads once the kernel is simplified are not bound. */
function orderedBindings({ bindings, inputs }: ComposedStage, read: ReadonlySet<string>): Binding[] {
  const isRead = (binding: Binding) =>
    binding.kind === "store" ||
    [...inputs].some(([name, input]) => {
      if (!read.has(name) || input.kind === "carried") return false;
      if (input.kind === "table") return binding.kind === "tables" && binding.centering === input.centering;
      return sameArray(binding, input.binding);
    });
  return bindings.filter(isRead).sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

const sameArray = (a: Binding, b: Binding): boolean =>
  a.kind === "source"
    ? b.kind === "source" && a.field === b.field
    : a.kind === "temporary" && b.kind === "temporary" && a.node === b.node;

function nameOf(binding: Binding): string {
  switch (binding.kind) {
    case "tables":
      return `${binding.centering}_tables`;
    case "source":
      return `in_${binding.field}`;
    case "temporary":
      return `tmp_${binding.node}`;
    case "store":
      return `out_${binding.store.output ?? `tmp_${binding.store.node}`}`;
  }
}

function constantWgsl(
  name: string,
  parameters: readonly { readonly constant: string; readonly name: string }[],
): string {
  const parameter = parameters.find(({ constant }) => constant === name);
  if (parameter) return `parameters.${parameter.name}`;
  return name.startsWith("flat_") ? name : `extents.${name}`;
}

function parametersCode(names: readonly string[], binding: number): string[] {
  if (names.length === 0) return [];
  const members = names.map((name) => `  ${name}: f32,`);
  const declaration = `@group(0) @binding(${binding}) var<uniform> parameters: Parameters;`;
  return ["struct Parameters {", ...members, "}", declaration];
}

const indent = (lines: readonly string[], by: string) => lines.map((line) => `${by}${line}`).join("\n");

function flatMain(centering: Centering, lines: readonly string[]): string {
  return `@compute @workgroup_size(${flatThreads})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
) {
  let first = linear_group(group, groups) * ${flatElements}u + local.x;
  for (var step = 0u; step < ${flatElements}u; step += ${flatThreads}u) {
    let at = first + step;
    if (at >= extents.${centering}_count) { return; }
${indent(lines, "    ")}
  }
}
`;
}

function tiledMain(centering: Centering, lines: readonly string[], { before, ahead, after }: Walk): string {
  return `override tile_x: u32;
override tile_y: u32;
override flat_x: bool;
override flat_y: bool;
override flat_z: bool;

@compute @workgroup_size(tile_x, tile_y)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_id) local: vec3u,
) {
  let tile = linear_group(group, groups);
  let dims = extents.${centering}_dims;
  let x = i32(tile % extents.tiles.x * tile_x + local.x);
  let y = i32(tile / extents.tiles.x % extents.tiles.y * tile_y + local.y);
  let first = i32(tile / (extents.tiles.x * extents.tiles.y) * extents.depth);
  if (x >= dims.x || y >= dims.y || first >= dims.z) { return; }
  let last = min(first + i32(extents.depth), dims.z) - 1;
${indent(before, "  ")}
  for (var z = first; z <= last; z++) {
    let p = vec3i(x, y, z);
    let at = ${centering}_index(p);
${indent([...ahead, ...lines, ...after], "    ")}
  }
}
`;
}
