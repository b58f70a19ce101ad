const few = "fewer than four significant digits of the range of";

const listed = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(", ");

/** What is said where a CPU computes what a GPU would blur. */
export const onCpuForDigits = (names: readonly string[]): string =>
  `Computed on the CPU, because single precision would leave ${few} ${listed(names)}.`;

/** What is said where a GPU was asked for all the same. */
export const onGpuDespiteDigits = (names: readonly string[]): string =>
  `The GPU's single precision leaves ${few} ${listed(names)}; the CPU computes in double precision.`;
