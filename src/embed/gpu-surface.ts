import type { GpuContext } from "../gpu/device/context.ts";
import type { GpuField } from "../gpu/fields/gpu-field.ts";
import { IsosurfaceExtractor } from "../gpu/surfaces/isosurface/extractor.ts";
import { createSoupExtractor } from "../gpu/surfaces/isosurface/soup/extractor.ts";
import type { SurfaceInput } from "./api.ts";
import { badArgument } from "./refusal.ts";
import type { ResidentInputs } from "./resident.ts";
import type { CutSurface } from "./steps.ts";

/** Cuts surfaces from a loop's fields: kernels and buffers are made for the first and kept. */
export class GpuSurface {
  readonly #gpu: GpuContext;
  readonly #inputs: ResidentInputs;
  readonly #wanted: SurfaceInput;
  #extractor: IsosurfaceExtractor | undefined;
  #isStale = true;
  #serial = 0;

  constructor(gpu: GpuContext, inputs: ResidentInputs, wanted: SurfaceInput) {
    this.#gpu = gpu;
    this.#inputs = inputs;
    this.#wanted = wanted;
  }

  /** The fields hold other values from now on. */
  invalidate(): void {
    this.#isStale = true;
    this.#serial++;
  }

  async cut(fields: ReadonlyMap<string, GpuField>, isovalue: number): Promise<CutSurface> {
    const { field, colorBy, soup, topology } = this.#wanted;
    this.#extractor ??= await (soup
      ? createSoupExtractor(this.#gpu, soup, {}, topology)
      : IsosurfaceExtractor.create(this.#gpu, {}, topology));
    const extractor = this.#extractor;
    if (this.#isStale) {
      await extractor.setSource({
        tables: this.#inputs.tables("node"),
        field: fields.get(field) as GpuField,
        color: colorBy === undefined ? undefined : fields.get(colorBy),
      });
      this.#isStale = false;
    }
    const serial = ++this.#serial;
    extractor.extract(isovalue);
    const { triangles } = await extractor.counts();
    const mesh = async () => {
      if (serial === this.#serial) return extractor.readMesh();
      throw badArgument(
        "The surface was replaced by another.",
        "Ask for its mesh before the next run or isosurface.",
      );
    };
    return { triangles, buffers: extractor.drawable, mesh };
  }

  release(): void {
    this.#serial++;
    this.#extractor?.dispose();
    this.#extractor = undefined;
  }
}
