import type { Fragment } from "../../shader/fragment.ts";

/** Parameters of one pass over the keys. Leads are words before the first element of a binding. */
export interface PassParameters {
  readonly countWord: number;
  readonly maxCount: number;
  /** The digit: the key's ordered form from bit `shift` on, as far as `mask` says. */
  readonly shift: number;
  readonly mask: number;
  readonly keyType: number;
  /** All ones to descend. */
  readonly complement: number;
  /** Whether the keys read are the caller's, and the keys written too: others are in ordered form. */
  readonly encode: boolean;
  readonly decode: boolean;
  /** Values read are the elements' own indices. */
  readonly iota: boolean;
  readonly keysLead: number;
  readonly sortedLead: number;
  readonly valuesLead: number;
  readonly sortedValuesLead: number;
  /** Workgroups that share the tiles. */
  readonly groups: number;
  /** Which pass this is, and the bit behind the whole window. */
  readonly passNumber: number;
  readonly lastBit: number;
}

const names = [
  "countWord",
  "maxCount",
  "shift",
  "mask",
  "keyType",
  "complement",
  "encode",
  "decode",
  "iota",
  "keysLead",
  "sortedLead",
  "valuesLead",
  "sortedValuesLead",
  "groups",
  "passNumber",
  "lastBit",
] as const satisfies readonly (keyof PassParameters)[];

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const passWords = (parameters: PassParameters): number[] =>
  names.map((name) => Number(parameters[name]));

/** Binding 0. */
export const passParameters: Fragment = {
  name: "sort parameters",
  code: `struct Pass {\n${names.map((name) => `  ${snake(name)}: u32,`).join("\n")}\n}\n\n@group(0) @binding(0) var<uniform> sorting: Pass;`,
};
