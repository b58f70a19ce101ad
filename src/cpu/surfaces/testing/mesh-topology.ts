import type { TriangleMesh } from "../../../core/mesh.ts";
import { eulerCharacteristic } from "../../../core/mesh-measures.ts";

export interface MeshTopology {
  readonly components: number;
  readonly euler: number;
  /** Closed curves of edges with one triangle. */
  readonly borders: number;
}

/** What a welded surface is, up to how it lies in space. */
export function meshTopology(mesh: TriangleMesh): MeshTopology {
  const { indices } = mesh;
  const directed = new Set<string>();
  for (let i = 0; i < indices.length; i++) directed.add(`${indices[i]}>${indices[nextIn(i)]}`);
  const whole = new Groups();
  const border = new Groups();
  for (let i = 0; i < indices.length; i++) {
    const [a, b] = [indices[i], indices[nextIn(i)]];
    whole.join(a, b);
    if (!directed.has(`${b}>${a}`)) border.join(a, b);
  }
  return { components: whole.count, euler: eulerCharacteristic(mesh), borders: border.count };
}

const nextIn = (i: number) => (i % 3 === 2 ? i - 2 : i + 1);

/** Disjoint sets of the numbers that were joined. */
class Groups {
  readonly #parents = new Map<number, number>();
  count = 0;

  join(a: number, b: number): void {
    const [first, second] = [this.#find(a), this.#find(b)];
    if (first === second) return;
    this.#parents.set(first, second);
    this.count--;
  }

  #find(item: number): number {
    const parent = this.#parents.get(item);
    if (parent === undefined) {
      this.#parents.set(item, item);
      this.count++;
      return item;
    }
    if (parent === item) return item;
    const root = this.#find(parent);
    this.#parents.set(item, root);
    return root;
  }
}
