import { edgeWord, type SurfaceRecords, vertexWords } from "../../core/marching-cubes/surface-records.ts";

/** Growing arrays of surface records. */
export class SurfaceBuilder {
  #values = new Float32Array(1024 * vertexWords);
  #words = new Uint32Array(this.#values.buffer);
  #indices = new Uint32Array(4096);
  #vertexCount = 0;
  #indexCount = 0;

  /** Makes room for one vertex on grid edge `edge` and returns its number; its words are `values` from 8 · number. */
  addVertex(edge: number): number {
    const vertex = this.#vertexCount++;
    if (this.#vertexCount * vertexWords > this.#values.length) {
      const values = new Float32Array(this.#values.length * 2);
      values.set(this.#values);
      this.#values = values;
      this.#words = new Uint32Array(values.buffer);
    }
    this.#words[vertex * vertexWords + edgeWord] = edge;
    return vertex;
  }

  /** All vertices' words as f32; valid until the next vertex is added. */
  get values(): Float32Array {
    return this.#values;
  }

  addIndex(vertex: number): void {
    if (this.#indexCount === this.#indices.length) {
      const indices = new Uint32Array(this.#indices.length * 2);
      indices.set(this.#indices);
      this.#indices = indices;
    }
    this.#indices[this.#indexCount++] = vertex;
  }

  finish(): SurfaceRecords {
    return {
      vertices: this.#values.buffer.slice(0, this.#vertexCount * vertexWords * 4),
      indices: this.#indices.subarray(0, this.#indexCount),
    };
  }
}
