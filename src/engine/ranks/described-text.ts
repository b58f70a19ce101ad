import { CrinkleError } from "../../core/errors.ts";
import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import { namesRead, resultStatements } from "../../lang/expression/results.ts";
import type { Session } from "../session.ts";
import type { DataSource } from "./data-source.ts";
import type { DescribedText } from "./rank-engine.ts";

/** What other ranks need, to compute what a text means in a session. Throws BadArgument where it has no grid. */
export function describedText(
  { data, derived }: Session,
  source: DataSource | undefined,
  blocks: WantedBlocks,
  text: string,
): DescribedText {
  if (!source || data.points) throw noGrid();
  const texts = derived.programsOf(namesRead(text)).map((program) => program.text);
  const results = resultStatements(text).results.map(({ name }) => name);
  return { source, text: [...texts, text].join("\n"), results, blocks };
}

/** What other ranks know of a session's fields by their names. */
export function describedFields(
  { derived }: Pick<Session, "derived">,
  source: DataSource,
  names: readonly string[],
) {
  const text = derived.programsOf(names).map((program) => program.text);
  return { source, text: text.join("\n"), names };
}

const noGrid = () =>
  new CrinkleError({
    tag: "BadArgument",
    problem: "Ranks compute on grids, and none is open.",
    remedy: "Open a grid; expressions over points are computed by this page alone.",
  });
