import type { Layer } from "../../core/layers.ts";

/** The layers to show, from bottom to top, whether or not there is a picture. */
export class LayerList {
  #layers: readonly Layer[] = [];

  get all(): readonly Layer[] {
    return this.#layers;
  }

  get(id: string): Layer | undefined {
    return this.#layers.find((layer) => layer.id === id);
  }

  /** Replaces the layer with the same id, or adds one above all. */
  put(layer: Layer): void {
    this.#layers = this.get(layer.id)
      ? this.#layers.map((other) => (other.id === layer.id ? layer : other))
      : [...this.#layers, layer];
  }

  remove(id: string): void {
    this.#layers = this.#layers.filter((layer) => layer.id !== id);
  }

  order(ids: readonly string[]): void {
    const named = ids.flatMap((id) => this.get(id) ?? []);
    this.#layers = [...new Set([...named, ...this.#layers])];
  }

  clear(): void {
    this.#layers = [];
  }
}
