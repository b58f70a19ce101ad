import { GpuContext } from "../device/context.ts";

/** A context of the same device, whose kernels are laid out as for hardware where it is software. */
export const laidOutForHardware = ({ device, adapter }: GpuContext): GpuContext =>
  new GpuContext(device, { ...adapter, isSoftware: false });
