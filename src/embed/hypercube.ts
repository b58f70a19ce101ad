/** What `import { hypercube } from "crinkle"` gives. */
import { bytesPerElement, dtypeOf, type TypedArray } from "../core/dtype.ts";
import { bitLayout } from "../core/hypercube/bits.ts";
import { neighbor, toCoordinates, toIndex } from "../core/hypercube/coordinates.ts";
import type { IndexMap } from "../core/hypercube/index-map.ts";
import { axesLifted } from "../core/hypercube/lifted.ts";
import { mapOf } from "../core/hypercube/operations.ts";
import { parseTransform } from "../core/hypercube/parse-transform.ts";
import {
  checkLengths,
  countOf,
  decompose,
  parseShape,
  printShape,
  productOf,
  type Shape,
  stridesOf,
} from "../core/hypercube/shape.ts";
import type { Devices } from "./devices.ts";
import type { ApplyOptions, Hypercube } from "./hypercube-api.ts";
import { indexMapOf, layoutMap } from "./layout-map.ts";
import { readDevice } from "./read-options.ts";
import { badArgument, requireChoice, requireObject, shown } from "./refusal.ts";

/** The interface on the devices of a host program. */
export function hypercubeInterface(devices: Devices): Hypercube {
  return {
    parseShape,
    printShape,
    product: productOf,
    decompose,
    strides: ({ lengths }) => stridesOf(lengths),
    toIndex: ({ lengths }, coordinates) => toIndex(lengths, coordinates),
    toCoordinates: ({ lengths }, index) => toCoordinates(lengths, index),
    neighbor: ({ lengths }, ...rest) => neighbor(lengths, ...rest),
    bits: ({ lengths }) => bitLayout(lengths),
    map(given, transform) {
      const { lengths, type } = readShape(given);
      return layoutMap(mapOf(lengths, parseTransform(transform)), type);
    },
    compose: (first, ...others) => first.followedBy(...others),
    async apply(map, data, options = {}) {
      const { device, components, out } = readApplyOptions(options, data);
      const { gpu, note } = await devices.open(device);
      const target = out ?? emptyLike(data, countOf(map.to.lengths) * components);
      const { map: moved, bytes } = ofElements(indexMapOf(map), bytesPerElement(dtypeOf(data)), components);
      checkSizes(moved, bytes, data, target);
      const start = performance.now();
      if (gpu) {
        const { rearrangeOnGpu } = await import("./rearrange-on-gpu.ts");
        await rearrangeOnGpu(gpu, moved, bytes, data, target);
      } else {
        const { hostRearrangement } = await import("../cpu/hypercube/rearrange.ts");
        hostRearrangement(moved, bytes).apply(data, target);
      }
      const report = {
        device: gpu ? ("gpu" as const) : ("cpu" as const),
        description: gpu?.adapter.description ?? "CPU",
        ms: performance.now() - start,
      };
      return { data: target as typeof data, report, notes: note ? [note] : [] };
    },
    async prepare(map, given) {
      const { device, elementBytes } = requireObject(given, "The options of hypercube.prepare", [
        "device",
        "elementBytes",
      ]);
      const bytes = requireChoice(elementBytes, "The option elementBytes", [1, 2, 4, 8, 16]);
      const { gpu } = await devices.open(readDevice(device));
      if (!gpu || typeof device !== "object") {
        throw badArgument(
          `The option device is ${shown(device)}.`,
          "Give the GPUDevice that the buffers are of.",
        );
      }
      const { preparedLayout } = await import("./prepared-layout.ts");
      return preparedLayout(gpu, indexMapOf(map), bytes);
    },
  };
}

function readShape(given: unknown): Shape {
  if (typeof given === "string") return parseShape(given);
  const { lengths } = requireObject(given, "A shape", ["lengths", "type"]);
  if (!Array.isArray(lengths))
    throw badArgument(`A shape has the lengths ${shown(lengths)}.`, "Give an array of numbers.");
  checkLengths(lengths);
  return given as Shape;
}

function readApplyOptions(given: ApplyOptions, data: TypedArray) {
  const {
    device = "auto",
    components = 1,
    out,
  } = requireObject(given, "The options of hypercube.apply", ["device", "components", "out"]);
  if (!Number.isInteger(components) || (components as number) < 1) {
    throw badArgument(`The option components is ${shown(components)}.`, "Give a whole number from 1 on.");
  }
  if (out !== undefined && !(ArrayBuffer.isView(out) && out.constructor === data.constructor)) {
    throw badArgument(`The option out is ${shown(out)}.`, `Give a ${data.constructor.name}.`);
  }
  return { device: readDevice(device), components: components as number, out: out as TypedArray | undefined };
}

/** Elements of values side by side: as one where some type of numbers has as many bytes, else with an axis for the values. */
function ofElements(map: IndexMap, valueBytes: number, components: number) {
  const bytes = valueBytes * components;
  if (bytes === 1 || bytes === 2 || bytes === 4 || bytes === 8 || bytes === 16)
    return { map, bytes } as const;
  return { map: axesLifted(map, components), bytes: valueBytes as 1 | 2 | 4 | 8 };
}

function emptyLike(data: TypedArray, length: number): TypedArray {
  return new (data.constructor as new (length: number) => TypedArray)(length);
}

function checkSizes(map: IndexMap, bytes: number, data: TypedArray, target: TypedArray): void {
  const check = (what: string, array: TypedArray, lengths: readonly number[]) => {
    const expected = countOf(lengths) * bytes;
    if (array.byteLength === expected) return;
    throw badArgument(
      `${what} has ${array.byteLength} bytes where ${printShape({ lengths })} takes ${expected}.`,
      "Give an array of the map's shape.",
    );
  };
  check("The array", data, map.from);
  check("The array for the result", target, map.to);
}
