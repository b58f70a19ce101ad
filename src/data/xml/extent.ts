import type { Triple } from "../../core/grid.ts";
import { badFile } from "../failure.ts";
import { parseFinite } from "../text/lines.ts";
import type { XmlFile } from "./file.ts";
import type { XmlElement } from "./tokenizer.ts";

/** First and last node index along x, y and z, as VTK writes them. */
export interface Extent {
  readonly first: Triple;
  readonly last: Triple;
}

export function extentDims({ first, last }: Extent): Triple {
  return [last[0] - first[0] + 1, last[1] - first[1] + 1, last[2] - first[2] + 1];
}

/** The numbers of an attribute. Throws BadFile unless there are `count` finite ones. */
export function numbersOf(
  file: XmlFile,
  element: XmlElement,
  attribute: string,
  count: number,
): number[] | undefined {
  const text = element.attributes.get(attribute);
  if (text === undefined) return undefined;
  const numbers = text.trim().split(/\s+/).map(parseFinite);
  if (numbers.length !== count || numbers.includes(undefined)) {
    throw badFile(
      file.source.name,
      `line ${element.line}`,
      `${attribute}="${text}" should be ${count} numbers.`,
    );
  }
  return numbers as number[];
}

/** An Extent or WholeExtent attribute. Throws BadFile if it is missing, fractional or empty. */
export function extentOf(file: XmlFile, element: XmlElement, attribute: string): Extent {
  const numbers = numbersOf(file, element, attribute, 6);
  const place = `line ${element.line}`;
  if (!numbers) throw badFile(file.source.name, place, `${element.name} has no ${attribute}.`);
  for (let axis = 0; axis < 3; axis++) {
    const [from, to] = [numbers[2 * axis], numbers[2 * axis + 1]];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to < from) {
      throw badFile(
        file.source.name,
        place,
        `${attribute}="${numbers.join(" ")}" has no points along ${"xyz"[axis]}.`,
      );
    }
  }
  return { first: [numbers[0], numbers[2], numbers[4]], last: [numbers[1], numbers[3], numbers[5]] };
}
