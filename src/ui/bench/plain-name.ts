const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

const power = (exponent: string): string =>
  `2${exponent.replace(/\d/g, (digit) => superscripts[Number(digit)])}`;

/**
 * The readable name of a case: "primitives/scan_f32" → "scan f32", "primitives/small/scan_2^10" → "short scan, 2¹⁰".
 */
export const plainName = (name: string): string =>
  name
    .slice(name.indexOf("/") + 1)
    .replace("small/", "short ")
    .replaceAll("_", " ")
    .replace(/(?<=.) (no subgroups|reduce then scan|waited)$/, ", $1")
    .replace(/^(sort .+) (\d+)$/, (_, sort, exponent) => `${sort}, up to ${power(exponent)}`)
    .replace(/ 2\^(\d+)/, (_, exponent) => `, ${power(exponent)}`);
