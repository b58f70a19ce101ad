import { type Field, makeField } from "../../../../core/field.ts";
import { type Centering, valueCount, valueDims } from "../../../../core/grid.ts";
import { allocateChecked } from "../../../../gpu/device/allocate.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { PooledBuffer } from "../../../../gpu/device/pool.ts";
import { readUnchangingF32, sendF32 } from "../../../../gpu/device/transfer.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import type { NodeId } from "../../network/network.ts";
import type { CostLedger } from "../../plan/cost.ts";
import type { PartPlan } from "../../plan/planner.ts";
import { centeringOf } from "../../plan/stages.ts";
import { type DeviceArray, keyOf, type ValueArray } from "../../plan/steps.ts";
import { componentsOf } from "../../types.ts";
import type { HostPlanes } from "./host-planes.ts";
import type { GpuInputs } from "./inputs.ts";

const usage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;

/** What a planned part runs on. */
export interface ExecutionContext {
  readonly gpu: GpuContext;
  readonly plan: PartPlan;
  readonly inputs: GpuInputs;
  /** The fields that no step sends. */
  readonly residentFields?: ReadonlyMap<string, GpuField>;
  readonly ledger: CostLedger;
}

/** The arrays of one run on the device: the run's own, which `dispose` frees, and resident inputs of the caller. */
export class DeviceArrays {
  readonly #context: ExecutionContext;
  readonly #planes: HostPlanes;
  readonly #own = new Map<string, PooledBuffer>();

  constructor(context: ExecutionContext, planes: HostPlanes) {
    this.#context = context;
    this.#planes = planes;
  }

  /** Of an array that is on the device; resident tables are made when first asked for. */
  bufferOf(array: DeviceArray): PooledBuffer {
    const { inputs, residentFields, ledger } = this.#context;
    const buffer =
      this.#own.get(keyOf(array)) ?? (array.kind === "field" && residentFields?.get(array.field)?.buffer);
    if (buffer) return buffer;
    if (array.kind !== "tables") throw new Error(`the array “${keyOf(array)}” is read before it is there`);
    const wasPresent = inputs.isPresent?.(array) ?? true;
    const tables = inputs.tables(array.centering).buffer;
    ledger.readResident(keyOf(array), tables.size, wasPresent);
    return tables;
  }

  async send(array: DeviceArray): Promise<void> {
    const buffer = await this.#sent(array);
    this.#context.ledger.upload(buffer.size);
    this.#hold(array, buffer);
  }

  allocate(array: ValueArray): void {
    const label = array.output === undefined ? "a temporary field" : `the field “${array.output}”`;
    this.#hold(array, this.#context.gpu.pool.allocate(label, this.bytesOf(array), usage()));
  }

  bytesOf({ node }: ValueArray): number {
    const { components, count } = this.#shape(node);
    return count * components * 4;
  }

  /** Brings a value to the host. */
  async fetch(array: ValueArray): Promise<void> {
    const buffer = this.bufferOf(array);
    const { components, count } = this.#shape(array.node);
    await readUnchangingF32(this.#context.gpu, buffer, this.#planes.make(array.node, components * count));
    this.#context.ledger.download(buffer.size);
  }

  release(array: DeviceArray): void {
    const buffer = this.bufferOf(array);
    this.#own.delete(keyOf(array));
    this.#context.ledger.free(buffer.size);
    buffer.release();
  }

  /** A value on the device as a field. */
  gpuField(name: string, array: ValueArray): GpuField {
    const { components, count, centering } = this.#shape(array.node);
    const dims = valueDims(this.#context.inputs.grid, centering);
    const offsets = new Array<number>(components).fill(0);
    return { name, centering, components, dims, count, buffer: this.bufferOf(array), offsets };
  }

  /** A value that came back as a field of its own. */
  hostField(name: string, node: NodeId): Field {
    const { components, count, centering } = this.#shape(node);
    const { grid } = this.#context.inputs;
    if (components === 1) return makeField(grid, name, centering, 1, this.#planes.give(node, count));
    const planes = this.#planes.of(node, count);
    const data = new Float32Array(planes.length);
    for (let c = 0; c < components; c++) {
      for (let i = 0; i < count; i++) data[i * components + c] = planes[c * count + i];
    }
    return makeField(grid, name, centering, components, data);
  }

  dispose(): void {
    for (const buffer of this.#own.values()) buffer.release();
    this.#own.clear();
  }

  /** As `dispose`, but for these values, which are the caller's from now on. */
  disposeAllBut(kept: readonly ValueArray[]): void {
    for (const array of kept) this.#own.delete(keyOf(array));
    this.dispose();
  }

  #hold(array: DeviceArray, buffer: PooledBuffer): void {
    this.#own.set(keyOf(array), buffer);
    this.#context.ledger.hold(buffer.size);
  }

  async #sent(array: DeviceArray): Promise<PooledBuffer> {
    const { gpu, inputs } = this.#context;
    switch (array.kind) {
      case "tables":
        return inputs.tables(array.centering).buffer;
      case "field":
        return (await inputs.field(array.field)).buffer;
      case "value": {
        const planes = this.#planes.of(array.node, this.#shape(array.node).count);
        const label = "a value sent again";
        const buffer = await allocateChecked(
          gpu,
          "A value that is sent again",
          label,
          planes.byteLength,
          usage(),
        );
        try {
          await sendF32(gpu, buffer.buffer, 0, planes.length, (part, first) =>
            part.set(planes.subarray(first, first + part.length)),
          );
        } catch (error) {
          buffer.release();
          throw error;
        }
        gpu.countUpload(planes.byteLength);
        return buffer;
      }
    }
  }

  #shape(node: NodeId): { components: number; count: number; centering: Centering } {
    const one = this.#context.plan.network.nodes[node];
    const centering = centeringOf(one);
    const count = valueCount(this.#context.inputs.grid, centering);
    return { components: componentsOf(one.type.value), count, centering };
  }
}
