/** What options of `crinkle simulate` say. */
import { numberOption, usage } from "../command-line/arguments.ts";

/** Throws Usage. */
export function parametersGiven(
  name: string,
  known: Readonly<Record<string, unknown>>,
  { set, temperature }: { readonly set?: string | undefined; readonly temperature?: string | undefined },
): Record<string, number> {
  const parameters = settings(set);
  if (temperature === undefined) return parameters;
  if (!("temperature" in known)) throw usage(`The model ${name} has no temperature.`, "Leave it out.");
  return { ...parameters, temperature: numberOption("temperature", temperature) };
}

/** Of text such as “temperature=2:2.6:0.1”. Throws Usage. */
export function variationOf(text: string): {
  readonly parameter: string;
  readonly values: readonly number[];
} {
  const [parameter, range, ...rest] = text.split("=");
  const numbers = range?.split(":").map((part) => numberOption("vary", part)) ?? [];
  const [from, to, step] = numbers;
  const isWrong =
    rest.length > 0 ||
    numbers.length < 2 ||
    numbers.length > 3 ||
    (step !== undefined && (to - from) / step < 0);
  if (isWrong || step === 0)
    throw usage(`The option --vary is “${text}”.`, "Write it as in temperature=2:2.6:0.1.");
  if (step === undefined) return { parameter: parameter.trim(), values: [from, to] };
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  // Numbers as they are written: 2.3, not 2.3000000000000003.
  const values = Array.from({ length: count }, (_, k) => Number((from + k * step).toPrecision(12)));
  return { parameter: parameter.trim(), values };
}

/** Throws Usage. */
export function lengthsOf(text: string, option = "size"): readonly number[] {
  const parts = text.split("x");
  if (parts.every((part) => /^\d+$/.test(part))) return parts.map(Number);
  throw usage(`The option --${option} is “${text}”.`, "Write lengths as in 256x256.");
}

/** Throws Usage. */
function settings(text: string | undefined): Record<string, number> {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [name, value, ...rest] = part.split("=");
      if (value === undefined || rest.length > 0) {
        throw usage(`The option --set has “${part}”.`, "Write a name and a number, as in temperature=2.1.");
      }
      return [name.trim(), numberOption("set", value)];
    }),
  );
}
