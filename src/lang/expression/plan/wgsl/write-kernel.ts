import { linearGroup } from "../../../../gpu/shader/dispatch.ts";
import { linkFragments } from "../../../../gpu/shader/fragment.ts";
import type { Network, NodeId } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { type ExpressionKernel, flatElements, flatThreads, type Store } from "../kernel.ts";
import type { FieldLayout } from "../kernel-planner.ts";
import { ownInputs, readsNeighbors, type Stage } from "../stages.ts";
import { extents, index, metric } from "./grid-wgsl.ts";
import { type Column, type Scope, ValueWriter } from "./value-writer.ts";
import { splitValue, wgslType } from "./wgsl-values.ts";

/** Writes the kernel that computes and stores a stage's roots. */
export function writeKernel(
  network: Network,
  stage: Stage,
  stores: readonly Store[],
  layout: (field: string) => FieldLayout,
): ExpressionKernel {
  const writer = new ValueWriter(network, stage, layout);
  const { inputs, needsPlace } = survey(network, stage);
  const columns = new Map<NodeId, Column>();
  for (const id of inputs) {
    const fetch = writer.fetchForStencil(id);
    const type = wgslType(network.nodes[id].type.value);
    columns.set(id, { name: writer.names.numbered(`${fetch.replace(/_at_\d+$/, "")}_column`), type, fetch });
  }
  const scope: Scope = {
    centering: stage.centering,
    lines: [],
    values: new Map(),
    addsOffsets: true,
    columns,
  };
  for (const store of stores) scope.lines.push(...storeLines(writer, store, scope));
  const shape = needsPlace ? "tiled" : "flat";
  if (shape === "tiled") writer.fragments.add(index[stage.centering]);
  const main =
    shape === "tiled"
      ? tiledMain(scope, [...columns.values()], writer.fragments.has(metric[stage.centering]))
      : flatMain(scope);
  const ordered = [...writer.bindings].sort((a, b) => rank(a.binding.kind) - rank(b.binding.kind));
  const declarations = ordered.map(
    ({ name, binding }, k) =>
      `@group(0) @binding(${k + 1}) var<storage, ${binding.kind === "store" ? "read_write" : "read"}> ${name}: array<f32>;`,
  );
  const parameters = [...writer.parameters.values()];
  const label = stores.map(({ output, node }) => output ?? `temporary ${node}`).join(", ");
  return {
    label,
    shape,
    centering: stage.centering,
    bindings: ordered.map(({ binding }) => binding),
    parameters: parameters.map(({ value }) => value),
    code: [
      linkFragments(extents, linearGroup, ...writer.fragments),
      declarations.join("\n"),
      ...parametersCode(
        parameters.map(({ name }) => name),
        ordered.length + 1,
      ),
      "",
      ...writer.functions.map((text) => `${text}\n`),
      main,
    ].join("\n"),
  };
}

function parametersCode(names: readonly string[], binding: number): string[] {
  if (names.length === 0) return [];
  const members = names.map((name) => `  ${name}: f32,`);
  const declaration = `@group(0) @binding(${binding}) var<uniform> parameters: Parameters;`;
  return ["struct Parameters {", ...members, "}", declaration];
}

const rank = (kind: string) => ["tables", "source", "temporary", "store"].indexOf(kind);

/** The values that the stage's stencils read at neighbours, and whether the kernel must know its element's i, j, k. */
function survey(network: Network, stage: Stage): { inputs: Set<NodeId>; needsPlace: boolean } {
  const inputs = new Set<NodeId>();
  let needsPlace = false;
  for (const id of inputsFirst(stage.roots, (id) => ownInputs(network, stage, id))) {
    const node = network.nodes[id];
    if (stage.stored.has(id)) continue;
    if (readsNeighbors(node) || node.kind === "mesh") needsPlace = true;
    if (node.kind === "stencil" && !node.filter.move) inputs.add(node.inputs[0]);
  }
  return { inputs, needsPlace };
}

function storeLines(writer: ValueWriter, store: Store, scope: Scope): string[] {
  const value = writer.value(store.node, scope);
  const name = store.output === undefined ? `tmp_${store.node}` : store.output;
  const buffer = writer.bind(writer.names.prefixed("out", name), { kind: "store", store });
  const count = `extents.${scope.centering}_count`;
  return splitValue(store.type, value).map((part, c) => {
    const at = c === 0 ? "at" : `at + ${c === 1 ? "" : `${c}u * `}${count}`;
    return `${buffer}[${at}] = ${part};`;
  });
}

const indent = (lines: readonly string[], by: string) => lines.map((line) => `${by}${line}`).join("\n");

function flatMain({ centering, lines }: Scope): string {
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

/** With `hasSpans` the inverse spans are at hand: those of x and y are the same all the way along z. */
function tiledMain({ centering, lines }: Scope, columns: readonly Column[], hasSpans: boolean): string {
  const before = columns.flatMap(({ name, fetch }) => [
    `var ${name}_below = ${fetch}(vec3i(x, y, max(first - 1, 0)));`,
    `var ${name}_here = ${fetch}(vec3i(x, y, first));`,
  ]);
  if (hasSpans) before.push("let row_spans = vec2f(inverse_span(0, x), inverse_span(1, y));");
  const spans = hasSpans ? ["let spans = vec3f(row_spans, inverse_span(2, z));"] : [];
  const ahead = columns.map(
    ({ name, fetch }) => `let ${name}_above = ${fetch}(vec3i(x, y, min(z + 1, dims.z - 1)));`,
  );
  const shift = columns.flatMap(({ name }) => [
    `${name}_below = ${name}_here;`,
    `${name}_here = ${name}_above;`,
  ]);
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
${indent([...spans, ...ahead, ...lines, ...shift], "    ")}
  }
}
`;
}
