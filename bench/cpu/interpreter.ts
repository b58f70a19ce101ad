import type { DataSet } from "../../src/core/field.ts";
import { fieldNamed } from "../../src/core/field.ts";
import { valueCoordinates, valueCount, valueDims } from "../../src/core/grid.ts";
import { inverseSpans } from "../../src/core/inverse-steps.ts";
import type { Network, NetworkNode, NodeId } from "../../src/lang/expression/network/network.ts";
import { chosenOutputs } from "../../src/lang/expression/plan/outputs.ts";
import { centeringOf, inputsOf } from "../../src/lang/expression/plan/stages.ts";
import { componentsOf } from "../../src/lang/expression/types.ts";

type Value = number | readonly number[];
/** A node's value at one element. */
type Closure = (element: number) => Value;
type Operation = (...args: readonly Closure[]) => Closure;

const ofNumbers =
  (operation: (a: number, b: number) => number): Operation =>
  (a, b) =>
  (i) =>
    operation(a(i) as number, b(i) as number);

const ofVector =
  (operation: (v: readonly number[]) => Value): Operation =>
  (v) =>
  (i) =>
    operation(v(i) as readonly number[]);

/** What the filters of the measured expressions do to one element. */
const operations: Readonly<Record<string, Operation>> = {
  add: ofNumbers((a, b) => a + b),
  subtract: ofNumbers((a, b) => a - b),
  multiply: ofNumbers((a, b) => a * b),
  sqrt: (x) => (i) => Math.sqrt(x(i) as number),
  component_0: ofVector((v) => v[0]),
  component_1: ofVector((v) => v[1]),
  component_2: ofVector((v) => v[2]),
  magnitude: ofVector(([x, y, z]) => Math.sqrt(x * x + y * y + z * z)),
  curl_of_gradient: ofVector((m) => [m[7] - m[5], m[2] - m[6], m[3] - m[1]]),
  q_of_gradient: ofVector(
    (m) => -0.5 * (m[0] * m[0] + m[4] * m[4] + m[8] * m[8]) - (m[1] * m[3] + m[2] * m[6] + m[5] * m[7]),
  ),
};

/**
 * The named output of a network, in f32, by the plainest interpreter there is: a closure for each node which asks its
 * inputs' closures for their values at one element, and at neighbours for a gradient. Vectors are small arrays. A node
 * that several others read keeps its last value. What the CPU backend is measured against.
 */
export function interpret(network: Network, dataSet: DataSet, name: string): Float32Array {
  const [{ node: output }] = chosenOutputs(network, [name]);
  const readers = network.nodes.map(() => 0);
  for (const node of network.nodes) for (const input of inputsOf(node)) readers[input]++;
  const closures = new Map<NodeId, Closure>();
  network.nodes.forEach((node, id) => {
    const args = inputsOf(node).map((input) => closures.get(input) as Closure);
    const closure = closureOf(node, args, dataSet);
    closures.set(id, readers[id] > 1 ? remembering(closure) : closure);
  });
  const node = network.nodes[output];
  const width = componentsOf(node.type.value);
  const count = valueCount(dataSet.grid, centeringOf(node));
  const values = new Float32Array(count * width);
  const closure = closures.get(output) as Closure;
  for (let i = 0; i < count; i++) {
    const value = closure(i);
    if (typeof value === "number") values[i] = value;
    else for (let c = 0; c < width; c++) values[i * width + c] = value[c];
  }
  return values;
}

function remembering(closure: Closure): Closure {
  let element = -1;
  let value: Value = 0;
  return (i) => {
    if (i !== element) {
      value = closure(i);
      element = i;
    }
    return value;
  };
}

function closureOf(node: NetworkNode, args: readonly Closure[], dataSet: DataSet): Closure {
  switch (node.kind) {
    case "constant": {
      const value = node.values.length === 1 ? node.values[0] : node.values;
      return () => value;
    }
    case "source": {
      const data = fieldNamed(dataSet, node.field)?.data as Float32Array;
      if (node.type.value === "scalar") return (i) => data[i];
      return (i) => [data[3 * i], data[3 * i + 1], data[3 * i + 2]];
    }
    case "stencil":
      if (node.filter.name === "gradient") return gradientOf(node, args[0], dataSet);
      break;
    case "element":
      if (node.filter.name in operations) return operations[node.filter.name](...args);
      break;
  }
  throw new Error(`the plain interpreter has no ${"filter" in node ? node.filter.name : node.kind}`);
}

function gradientOf(node: NetworkNode, f: Closure, { grid }: DataSet): Closure {
  const centering = centeringOf(node);
  const dims = valueDims(grid, centering);
  const axes = [0, 1, 2].map((axis) => valueCoordinates(grid, centering, axis));
  const steps = [1, dims[0], dims[0] * dims[1]];
  const inverse = axes.map(inverseSpans);
  const alongAxis = (
    i: number,
    axis: number,
    rise: (low: number, high: number, inverseSpan: number) => Value,
  ) => {
    const at = Math.floor(i / steps[axis]) % dims[axis];
    const low = Math.max(at - 1, 0);
    const high = Math.min(at + 1, dims[axis] - 1);
    return rise(i + (low - at) * steps[axis], i + (high - at) * steps[axis], inverse[axis][at]);
  };
  if (node.type.value === "vec3") {
    const rise = (low: number, high: number, inverseSpan: number) =>
      ((f(high) as number) - (f(low) as number)) * inverseSpan;
    return (i) => [
      alongAxis(i, 0, rise) as number,
      alongAxis(i, 1, rise) as number,
      alongAxis(i, 2, rise) as number,
    ];
  }
  const rise = (low: number, high: number, inverseSpan: number) => {
    const a = f(low) as readonly number[];
    const b = f(high) as readonly number[];
    return [(b[0] - a[0]) * inverseSpan, (b[1] - a[1]) * inverseSpan, (b[2] - a[2]) * inverseSpan];
  };
  return (i) => {
    const x = alongAxis(i, 0, rise) as readonly number[];
    const y = alongAxis(i, 1, rise) as readonly number[];
    const z = alongAxis(i, 2, rise) as readonly number[];
    return [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
  };
}
