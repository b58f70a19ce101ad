import { choiceOption } from "./command-line/arguments.ts";

export const deviceOption = {
  type: "string",
  help: "gpu, cpu, or auto: a GPU where there is one, and not just software that stands in for it, else the CPU (auto)",
} as const;

export type WantedDevice = "auto" | "gpu" | "cpu";

/** "any" is a GPU, or the software that stands in for it, else the CPU: for ranks that draw, which no CPU does. */
export type RankDevice = WantedDevice | "any";

/** What `--device` asks for. Throws Usage. */
export function wantedDevice(given = "auto"): WantedDevice {
  return choiceOption("device", given, ["auto", "gpu", "cpu"]);
}
