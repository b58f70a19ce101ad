import type { Network, NetworkOutput, NodeId } from "../../network/network.ts";
import { partOf } from "../../plan/per-filter.ts";
import type { KernelStep } from "../../plan/steps.ts";
import { componentsOf } from "../../types.ts";

type Planes = Float32Array<ArrayBuffer>;

/**
 * Values that came back to the host, one plane a component. What no later step sends and is no output makes room for what
 * comes back next: memory that is touched for the first time takes several times longer to fill.
 */
export class HostPlanes {
  readonly #network: Network;
  readonly #returned: ReadonlySet<NodeId>;
  readonly #planes = new Map<NodeId, Planes>();
  /** The last step that sends each value or a part of it; outputs stay. */
  readonly #lastSent = new Map<NodeId, number>();
  readonly #free: Planes[] = [];
  /** Those that an output has as they are. */
  readonly #given = new Set<Planes>();

  constructor(network: Network, steps: readonly KernelStep[], outputs: readonly NetworkOutput[]) {
    this.#network = network;
    this.#returned = new Set(steps.flatMap(({ returned }) => returned.map(({ node }) => node)));
    for (const [k, { sent }] of steps.entries()) {
      for (const name of sent) if (name.kind === "value") this.#lastSent.set(this.#whole(name.node).node, k);
    }
    for (const { node } of outputs) this.#lastSent.set(this.#whole(node).node, Number.POSITIVE_INFINITY);
  }

  /** An array for a value that comes back. */
  make(node: NodeId, length: number): Planes {
    const at = this.#free.findIndex((planes) => planes.length === length);
    const planes = at < 0 ? new Float32Array(length) : this.#free.splice(at, 1)[0];
    this.#planes.set(node, planes);
    return planes;
  }

  /** The planes of a value that came back, or of the part of one that a node takes; `count` values a plane. */
  of(node: NodeId, count: number): Planes {
    const { node: whole, first } = this.#whole(node);
    const planes = this.#planes.get(whole);
    if (!planes) throw new Error("a value is read before it was computed");
    if (whole === node) return planes;
    const components = componentsOf(this.#network.nodes[node].type.value);
    return planes.subarray(first * count, (first + components) * count);
  }

  /** As `of`, for somebody who keeps it. */
  give(node: NodeId, count: number): Planes {
    const planes = this.of(node, count);
    const isWhole = planes.byteLength === planes.buffer.byteLength;
    if (!isWhole || this.#given.has(planes)) return planes.slice();
    this.#given.add(planes);
    return planes;
  }

  /** Step `k` has been run. */
  settle(k: number): void {
    for (const [node, planes] of this.#planes) {
      if ((this.#lastSent.get(node) ?? -1) > k) continue;
      this.#planes.delete(node);
      this.#free.push(planes);
    }
  }

  /** The value that a node is a part of, itself for most, and the plane at which the part begins. */
  #whole(node: NodeId): { node: NodeId; first: number } {
    let first = 0;
    for (;;) {
      const one = this.#network.nodes[node];
      const part = partOf(this.#network, one);
      if (part === undefined || !("inputs" in one) || this.#returned.has(node)) return { node, first };
      first += part * componentsOf(one.type.value);
      node = one.inputs[0];
    }
  }
}
