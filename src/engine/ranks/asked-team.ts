import { isSurface } from "../../core/layers.ts";
import type { RankDrawing } from "../api.ts";
import { describedFields } from "./described-text.ts";
import type { DrawnByRanks } from "./draw-job.ts";
import type { DrawRequest } from "./draw-request.ts";
import type { ProbeRequest } from "./probe-job.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { RankTeam } from "./team.ts";

/** Runs the jobs of layers on the ranks that have what is open. */
export interface AskedRanks {
  draw(request: DrawRequest): Promise<DrawnByRanks>;
  probe(request: ProbeRequest): Promise<readonly (readonly number[])[]>;
}

/** The ranks that `asked` resolves to, as layers see them; `engine` describes what is open. */
export function askedTeam(
  engine: Pick<RankEngine, "described">,
  drawing: RankDrawing,
  asked: () => Promise<AskedRanks>,
): RankTeam {
  return {
    tints: drawing.tints,
    makes: ({ shape }) => isSurface(shape),
    async show(layer, wanted) {
      const { drawRequest, unpacked } = await import("./layer-request.ts");
      const request = drawRequest(engine, layer, wanted, drawing);
      return { ...unpacked(await (await asked()).draw(request)), view: wanted.view };
    },
    async probe(session, names, position, inside) {
      const { source } = engine.described("");
      return (await asked()).probe({ ...describedFields(session, source, names), position, inside });
    },
  };
}
