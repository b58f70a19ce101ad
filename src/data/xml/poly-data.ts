import { dtypeOf, type TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import type { PointSet } from "../../core/point-set.ts";
import { allocate } from "../bytes/allocate.ts";
import { badFile } from "../failure.ts";
import { PointSetBuilder } from "../points.ts";
import { parseCount } from "../text/lines.ts";
import { componentsOf, readDataArray } from "./data-array.ts";
import type { XmlFile } from "./file.ts";
import { childNamed, childrenNamed, type XmlElement } from "./tokenizer.ts";

interface Piece {
  readonly element: XmlElement;
  readonly points: number;
}

const cellKinds = [
  ["NumberOfVerts", "vertices"],
  ["NumberOfLines", "lines"],
  ["NumberOfStrips", "triangle strips"],
  ["NumberOfPolys", "polygons"],
] as const;

/** Reads the points of a .vtp file, of all of its pieces, with their arrays. Cells are left out with a note. */
export async function readPolyData(file: XmlFile): Promise<PointSet> {
  const { name } = file.source;
  const element = childNamed(file.root, "PolyData");
  if (!element) throw badFile(name, `line ${file.root.line}`, "there is no PolyData element.");
  const pieces = childrenNamed(element, "Piece")
    .map((piece) => ({ element: piece, points: countOf(file, piece, "NumberOfPoints") }))
    .filter(({ points }) => points > 0);
  const builder = new PointSetBuilder(name);
  for (const [attribute, what] of cellKinds) {
    const count = pieces.reduce((sum, piece) => sum + countOf(file, piece.element, attribute), 0);
    if (count > 0 && attribute !== "NumberOfVerts")
      builder.note(`Only the points are read: ${formatCount(count)} ${what} were left out.`);
  }
  if (pieces.length === 0) return builder.build(new Float64Array(0));
  const positions = await join(file, pieces, 3, "the array of points", pointsOf);
  for (const head of arraysOf(pieces[0])) {
    const column = head.attributes.get("Name") ?? "";
    if (head.attributes.get("type") === "String" || head.name === "Array") {
      builder.note(`The text array “${column}” was left out.`);
      continue;
    }
    const components = componentsOf(head, file);
    const data = await join(file, pieces, components, `the array “${column}”`, (_, piece) =>
      piece === pieces[0]
        ? head
        : arraysOf(piece).find((array) => array.attributes.get("Name") === head.attributes.get("Name")),
    );
    builder.add(column, components, data);
  }
  return builder.build(
    positions instanceof Float64Array
      ? positions
      : Float64Array.from(positions as ArrayLike<number | bigint>, Number),
  );
}

function countOf(file: XmlFile, element: XmlElement, attribute: string): number {
  const text = element.attributes.get(attribute) ?? "0";
  const count = parseCount(text);
  if (count === undefined)
    throw badFile(file.source.name, `line ${element.line}`, `${attribute} is “${text}”, not a count.`);
  return count;
}

function pointsOf(file: XmlFile, { element }: Piece): XmlElement {
  const section = childNamed(element, "Points");
  const array = section && childNamed(section, "DataArray");
  if (!array) throw badFile(file.source.name, `line ${element.line}`, "a piece has no Points.");
  return array;
}

function arraysOf({ element }: Piece): XmlElement[] {
  const section = childNamed(element, "PointData");
  return section ? [...childrenNamed(section, "DataArray"), ...childrenNamed(section, "Array")] : [];
}

/** One array of all pieces, one piece after the other; `find` names it in each. */
async function join(
  file: XmlFile,
  pieces: readonly Piece[],
  components: number,
  what: string,
  find: (file: XmlFile, piece: Piece) => XmlElement | undefined,
): Promise<TypedArray> {
  const parts: TypedArray[] = [];
  for (const piece of pieces) {
    const element = find(file, piece);
    const place = `line ${piece.element.line}`;
    if (!element || componentsOf(element, file) !== components) {
      throw badFile(
        file.source.name,
        place,
        `this piece lacks ${what}, or does not have ${components} components of it.`,
      );
    }
    const part = await readDataArray(file, element, piece.points * components, what);
    if (parts.length > 0 && dtypeOf(part) !== dtypeOf(parts[0]))
      throw badFile(file.source.name, place, `${what} has a different type in this piece than in the first.`);
    parts.push(part);
  }
  if (parts.length === 1) return parts[0];
  const joined = allocate(
    dtypeOf(parts[0]),
    parts.reduce((sum, { length }) => sum + length, 0),
    what,
  );
  let at = 0;
  for (const part of parts) {
    (joined as Float64Array).set(part as Float64Array, at);
    at += part.length;
  }
  return joined;
}
