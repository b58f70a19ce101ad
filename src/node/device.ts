import { CrinkleError, fromPlainError } from "../core/errors.ts";
import { type EngineDevice, openEngineDevice } from "../engine/device.ts";
import { Session } from "../engine/session.ts";
import type { Terminal } from "./command-line/command.ts";
import { nodeWorkers } from "./cpu-workers.ts";
import type { RankDevice, WantedDevice } from "./device-option.ts";
import { dawnWarnings, describeGpu, hasOnlySoftware, openNodeGpu } from "./gpu.ts";

/** Opens a session on the requested device, and says which it is. Throws NoWebGPU. */
export async function openSession(wanted: WantedDevice, terminal: Terminal): Promise<Session> {
  return sessionOn(await openDevice(wanted), terminal);
}

/** The same on a GPU, for what no CPU does: on the one that `open` gives where there is one. Throws NoWebGPU. */
export async function openGpuSession(
  terminal: Terminal,
  open: () => Promise<EngineDevice> = () => openDevice("gpu"),
): Promise<Session> {
  try {
    const device = await open();
    const { problem } = device.summary;
    if (problem) throw fromPlainError(problem);
    return sessionOn(device, terminal);
  } catch (error) {
    if (!(error instanceof CrinkleError) || error.tag !== "NoWebGPU") throw error;
    const { tag, problem } = error;
    throw new CrinkleError({ tag, problem, remedy: `${installDriver}.`, cause: error });
  }
}

function sessionOn(device: EngineDevice, terminal: Terminal): Session {
  const { kind, description, problem } = device.summary;
  if (problem) terminal.err(`Running on the CPU, because there is no GPU: ${problem.problem}`);
  else terminal.err(`Running on ${kind === "gpu" ? `the GPU: ${description}` : "the CPU"}.`);
  const workers = nodeWorkers();
  return new Session(device, () => workers);
}

/** What others read of the wanted device, without opening it. */
export async function describeDevice(wanted: RankDevice): Promise<string> {
  if (wanted === "cpu") return "CPU by choice";
  const { gpu } = await openNodeGpu();
  if (!gpu || (wanted === "auto" && (await hasOnlySoftware(gpu)))) return "no GPU";
  return describeGpu(gpu);
}

/** Opens the wanted device; "auto" and "any" fall back to the CPU, and say why. Throws NoWebGPU. */
export async function openDevice(wanted: RankDevice): Promise<EngineDevice> {
  if (wanted === "cpu") return openEngineDevice("cpu", undefined);
  const { gpu, reason } = await openNodeGpu();
  if (!gpu) {
    if (wanted === "gpu") throw noGpu(`WebGPU is not available in this Node: ${reason}.`);
    return cpuBecause(`WebGPU is not available in this Node: ${reason}.`);
  }
  if (wanted === "auto" && (await hasOnlySoftware(gpu))) return openEngineDevice("cpu", undefined);
  try {
    return { ...(await openEngineDevice("gpu", gpu)), isChosen: wanted === "gpu" };
  } catch (error) {
    if (!(error instanceof CrinkleError) || error.tag !== "NoWebGPU") throw error;
    if (wanted === "gpu") throw noGpu([error.problem, ...dawnWarnings().map(sentence)].join(" "), error);
    return cpuBecause(error.problem);
  }
}

async function cpuBecause(reason: string): Promise<EngineDevice> {
  const device = await openEngineDevice("cpu", undefined);
  return { ...device, summary: { ...device.summary, problem: noGpu(reason).toPlain() } };
}

/** Dawn ends none of its warnings but with marks of exclamation. */
const sentence = (warning: string): string => (/[.!]$/.test(warning) ? warning : `${warning}.`);

const installDriver = "Install the package webgpu and a driver for Vulkan, Metal or Direct3D 12";

function noGpu(problem: string, cause?: unknown): CrinkleError {
  return new CrinkleError({
    tag: "NoWebGPU",
    problem,
    remedy: `${installDriver}, or use --device cpu.`,
    cause,
  });
}
